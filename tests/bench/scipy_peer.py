"""The same problem by SciPy with a NumPy right-hand side: python3 scipy_peer.py SOLVER REPETITIONS < problem.

Reads `n d beta end`, theta(0) and the reference row by row; prints `tolerance error seconds evaluations` lines.
"""
import sys
import time

import numpy
from scipy.integrate import solve_ivp


def main():
    solver, repetitions = sys.argv[1], int(sys.argv[2])
    numbers = numpy.array(sys.stdin.read().split(), dtype=float)
    n, d, beta, end = int(numbers[0]), int(numbers[1]), numbers[2], numbers[3]
    start, reference = numbers[4:4 + n * d], numbers[4 + n * d:]

    def field(_, x):
        theta = x.reshape(n, d)
        theta = theta / numpy.sqrt((theta * theta).sum(axis=1))[:, None]
        weights = numpy.exp(beta * (theta @ theta.T - 1.0))
        drift = (weights @ theta) / weights.sum(axis=1)[:, None]
        return (drift - (drift * theta).sum(axis=1)[:, None] * theta).ravel()

    for tolerance in [1e-4, 1e-6, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12]:
        seconds = float("inf")
        for _ in range(repetitions):
            begin = time.perf_counter()
            solution = solve_ivp(field, (0.0, end), start, method=solver, rtol=tolerance, atol=tolerance)
            seconds = min(seconds, time.perf_counter() - begin)
        error = numpy.abs(solution.y[:, -1] - reference).max()
        print(tolerance, error, seconds, solution.nfev, flush=True)


main()
