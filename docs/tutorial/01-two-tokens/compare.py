"""Compares the cosine of two tokens with tanh(t)."""

import sys

import numpy
import xarray

with xarray.open_dataset(sys.argv[1]) as run:
    exact = numpy.tanh(run.time)
    error = abs(run.mean_cosine - exact)
    print("   t   mean_cosine       tanh(t)   error")
    for t, gamma, true, wrong in zip(run.time.values, run.mean_cosine.values, exact.values, error.values):
        print(f"{t:4.1f}  {gamma:12.10f}  {true:12.10f}  {wrong:6.0e}")
