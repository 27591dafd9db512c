"""Faults that users of comparable tools report, tried on the program as a user would: sections A and B of the shelf.

Expected values are closed forms (n = 2, beta = 0: gamma = tanh t for Post-LN) or separate small integrations.
"""

import math
import unittest

import h5py
import numpy as np

from program import ProgramTest

PAIR = """
[initial]
kind = "explicit"
theta = [[1.0, 0.0], [0.0, 1.0]]
[attention]
beta = 0.0
"""
OPPOSITE = PAIR.replace("[0.0, 1.0]", "[-1.0, 0.0]")
SQUARE = PAIR.replace("[[1.0, 0.0], [0.0, 1.0]]", "[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]")


def study(start=PAIR, scheme="post_ln", end="1.0", solver="", output="", time="", scheme_options=""):
    return f"""{start}
[scheme]
name = "{scheme}"
{scheme_options}
[time]
end = {end}
{time}
[solver]
{solver}
[output]
file = "run.h5"
{output}
"""


class FieldReports(ProgramTest):
    def run_study(self, text, code=0, name="study.toml", extra=()):
        self.write(text, name)
        result = self.normdyn("run", name, "--overwrite", *extra, timeout=60)
        self.assertEqual(result.code, code, result)
        return result

    def file(self, name="run.h5"):
        return h5py.File(self.folder / name, "r")

    def gamma(self, row=-1, name="run.h5"):
        with self.file(name) as f:
            theta = f["theta"][row]
            return float(theta[0] @ theta[1])

    # F01: a NaN is never a good step
    def test_f01_zero_drift_is_refused_at_the_start_and_nan_keeps_the_last_good_row(self):
        for scheme in ("ngpt", "peri_ln"):
            result = self.run_study(study(OPPOSITE, scheme), code=3)
            self.assertIn("token 0", result.out + result.err)
            self.assertIn(scheme, result.out + result.err)
            with self.file() as f:
                self.assertEqual(f.attrs["status"].astype(str).strip("\0 ") if hasattr(f.attrs["status"], "astype")
                                 else f.attrs["status"].decode().strip("\0 "), "failed")
        text = study(scheme="ngpt", scheme_options='alpha = "t < 0.5 ? 1 : log(-1)"',
                     output='states = { spacing = "linear", every = 0.05 }')
        self.run_study(text, code=3)
        with self.file() as f:
            theta, time = f["theta"][:], f["time"][:]
            self.assertTrue(np.all(np.isfinite(theta)))
            self.assertLess(time[-1], 0.5 + 1e-6)
            self.assertGreaterEqual(time[-1], 0.45)

    # F02: non-finite input never hangs
    def test_f02_non_finite_input_is_refused_at_once(self):
        for key, value in (("attention.beta", "inf"), ("time.end", "nan"), ("solver.rtol", "nan"),
                           ("solver.first_step", "inf")):
            self.write(study())
            result = self.normdyn("run", "study.toml", "--set", f"{key}={value}", timeout=10)
            self.assertEqual(result.code, 2, result)
            self.assertIn(key, result.err)
            self.assertLess(result.seconds, 1.0)

    # F04: the end and the last output
    def test_f04_linear_grids_hit_the_end_once(self):
        for end, every, expected in ((1.0, 0.1, 11), (15.0, 4.0, 5), (5.99e-7, 1e-7, 7), (1.0, 0.3, 5)):
            self.run_study(study(end=repr(end), output=f'states = {{ spacing = "linear", every = {every!r} }}'))
            with self.file() as f:
                time = f["time"][:]
            self.assertEqual(len(time), expected)
            self.assertEqual(time[-1], end)
            self.assertTrue(np.all(np.diff(time) > 0))
            for k, t in enumerate(time[:-1]):
                self.assertLessEqual(abs(t - k * every), np.spacing(k * every))

    # F05: no absolute epsilon in time
    def test_f05_a_tiny_span_is_integrated(self):
        weights = "[weights]\nvalue = [[1e17, 0.0], [0.0, 1e17]]"
        self.run_study(study(PAIR + weights, end="1e-17"))
        self.assertAlmostEqual(self.gamma(), math.tanh(1.0), delta=1e-7)

    # F07: a pulse after a quiet stretch
    def test_f07_a_late_pulse_is_not_jumped(self):
        for end in ("100.0", "1000.0"):
            alpha = "alpha = { times = [0.0, 50.0, 50.1], values = [0.0, 10.0, 0.0] }"
            self.run_study(study(scheme="ngpt", scheme_options=alpha, end=end))
            self.assertAlmostEqual(math.acos(self.gamma()), 0.6048695935658364, delta=1e-6)

    # F08: the switch of Mix-LN
    def test_f08_the_error_falls_with_the_tolerance_across_tau(self):
        errors = []
        for tolerance in ("1e-6", "1e-9", "1e-12"):
            solver = f"rtol = {tolerance}\natol = {tolerance}"
            output = 'states = { spacing = "linear", every = 0.25 }'
            self.run_study(study(scheme="mix_ln", scheme_options="tau = 1.0", end="2.0", solver=solver, output=output))
            errors.append(abs(self.gamma() - 0.9365152548))
            with self.file() as f:
                self.assertEqual(int(np.sum(f["time"][:] == 1.0)), 1)
                self.assertAlmostEqual(f["radius"][-1, 0], 1.9378660668, delta=1e-5)
        self.assertLess(errors[0], 1e-5)
        self.assertLess(errors[1], 1e-8)
        self.assertLess(errors[2], 1.1e-10)
        for tau in ("0.0", "2.0", "5.0"):
            self.run_study(study(scheme="mix_ln", scheme_options=f"tau = {tau}", end="2.0"))

    # F10: output does not change the trajectory
    def test_f10_more_output_gives_the_same_bits(self):
        start = '[initial]\nkind = "uniform"\ntokens = 16\ndim = 3\n[attention]\nbeta = 4.0\n'
        finals, steps = [], []
        for count in (2, 10, 10000):
            self.run_study(study(start, end="10.0", output=f'states = {{ spacing = "linear", count = {count} }}\nrecord = ["clock"]'))
            with self.file() as f:
                finals.append(f["theta"][-1].tobytes())
                steps.append(int(f["provenance"].attrs["steps_accepted"]))
        self.assertEqual(len(set(finals)), 1)
        self.assertEqual(len(set(steps)), 1)

    # F11: rows between steps are as good as steps, on the sphere, and observables belong to their row
    def test_f11_interpolated_rows_are_accurate_and_on_the_sphere(self):
        output = 'states = { spacing = "linear", every = 0.01 }\nrecord = ["energy", "norm_error"]'
        text = study(end="5.0", solver="rtol = 1e-10\natol = 1e-10", output=output)
        self.run_study(text)
        with self.file() as f:
            theta, time = f["theta"][:], f["time"][:]
            gamma = np.einsum("ti,ti->t", theta[:, 0], theta[:, 1])
            self.assertLess(np.max(np.abs(gamma - np.tanh(time))), 1e-8)
            self.assertLess(np.max(np.abs(np.linalg.norm(theta, axis=2) - 1)), 1e-14)
            self.assertLess(np.max(np.abs(f["energy"][:] - 1.0)), 1e-12)

    # F14: the first step
    def test_f14_a_huge_or_tiny_first_step_is_controlled_and_a_wrong_one_refused(self):
        for first in ("10.0", "1e6", "1e-300"):
            self.run_study(study(end="10.0", solver=f"first_step = {first}"))
            self.assertAlmostEqual(self.gamma(), math.tanh(10.0), delta=1e-8)
        self.write(study(end="10.0", solver="first_step = -1.0"))
        self.assertEqual(self.normdyn("run", "study.toml", "--overwrite").code, 2)

    # F16: nothing moves
    def test_f16_consensus_stays_for_every_scheme(self):
        row = "[0.3333333333333333, 0.6666666666666666, 0.6666666666666666]"
        start = f'[initial]\nkind = "explicit"\ntheta = [{", ".join([row] * 8)}]\n[attention]\nbeta = 1.0\n'
        for scheme, options in (("post_ln", ""), ("pre_ln", ""), ("mix_ln", "tau = 0.0"), ("peri_ln", ""),
                                ("ngpt", ""), ("sqrt_scaling", "")):
            self.run_study(study(start, scheme, "3.0", scheme_options=options,
                                 output='states = { spacing = "linear", count = 11 }'))
            with self.file() as f:
                self.assertEqual(len(f["time"]), 11)
                self.assertLess(np.max(np.abs(f["theta"][:] - f["theta"][0])), 1e-14)
                if "radius" in f:
                    self.assertLess(np.max(np.abs(f["radius"][-1] - 4.0)), 4e-12)

    # F17: events at their exact times
    def test_f17_events_are_located_whatever_the_step(self):
        for beta, expected in ((0.0, 1.4722194896), (1.0, 1.9170281262), (4.0, 8.3902958640), (9.0, 464.08913536),
                               (20.0, 1.2191757e7)):
            start = PAIR.replace("beta = 0.0", f"beta = {beta}")
            self.run_study(study(start, end="1e9", time='stop = { when = "mean_cosine > 0.9" }',
                                 solver="rtol = 1e-10\natol = 0.0", output='states = "ends"'))
            with self.file() as f:
                # digits as printed in the table of known values
                self.assertAlmostEqual(f["events/t"][0] / expected, 1.0, delta=1e-6)
                self.assertEqual(f["time"][-1], f["events/t"][0])
        self.run_study(study(time='stop = { when = "mean_cosine < 0.9" }', output='states = "ends"'))
        with self.file() as f:
            self.assertEqual(f["events/t"][0], 0.0)

    # F19: scores beyond the range of exp
    def test_f19_no_beta_overflows(self):
        for beta in ("700.0", "710.0", "1000.0", "1e6", "-1.0"):
            for start in (PAIR, PAIR.replace("[0.0, 1.0]", "[1.0, 0.0]")):
                self.run_study(study(start.replace("beta = 0.0", f"beta = {beta}"), end="0.5"))
                with self.file() as f:
                    self.assertTrue(np.all(np.isfinite(f["theta"][:])))
        self.run_study(study(PAIR.replace("beta = 0.0", "beta = 1.0") +
                             "[weights]\nquery = [[30.0, 0.0], [0.0, 30.0]]\nkey = [[30.0, 0.0], [0.0, 30.0]]\n"))

    # F20: the clock of unnormalized attention
    def test_f20_unnormalized_attention_has_the_stated_units(self):
        start = PAIR.replace("beta = 0.0", 'kind = "unnormalized"\nbeta = 5.0')
        self.run_study(study(start, end="0.3", solver="rtol = 1e-11\natol = 0.0"))
        # gamma' = (2/n) e^(beta gamma) (1 - gamma^2) with n = 2, by Runge-Kutta in steps of 1e-4
        gamma, h = 0.0, 1e-4
        rate = lambda g: math.exp(5 * g) * (1 - g * g)
        for _ in range(3000):
            a = rate(gamma); b = rate(gamma + h / 2 * a); c = rate(gamma + h / 2 * b); d = rate(gamma + h * c)
            gamma += h / 6 * (a + 2 * b + 2 * c + d)
        self.assertAlmostEqual(self.gamma(), gamma, delta=1e-8)
        self.write(study(PAIR.replace("beta = 0.0", 'kind = "unnormalized"\nbeta = 800.0')))
        result = self.normdyn("run", "study.toml", "--overwrite")
        self.assertEqual(result.code, 2)
        self.assertIn("800", result.err)

    # F22: tokens with six digits
    def test_f22_tokens_off_by_rounding_are_renormalized_and_recorded(self):
        start = PAIR.replace("[[1.0, 0.0], [0.0, 1.0]]", "[[0.577350, 0.577350, 0.577350], [0.707107, -0.707107, 0.0]]")
        self.run_study(study(start))
        with self.file() as f:
            self.assertLess(np.max(np.abs(np.linalg.norm(f["theta"][0], axis=1) - 1)), 1e-15)
            self.assertIn("renormalized", str(dict(f["initial"].attrs)))
        for bad in ("[2.0, 0.0]", "[0.0, 0.0]"):
            self.write(study(PAIR.replace("[0.0, 1.0]", bad)))
            self.assertEqual(self.normdyn("run", "study.toml", "--overwrite").code, 2)

    # F23: projection and the step controller
    def test_f23_every_tolerance_works_and_the_error_falls(self):
        start = '[initial]\nkind = "uniform"\ntokens = 16\ndim = 3\n[attention]\nbeta = 2.0\n'
        finals = []
        for exponent in (2, 4, 6, 8, 10, 12):
            self.run_study(study(start, end="10.0", solver=f"rtol = 1e-{exponent}\natol = 0.0",
                                 output='states = { spacing = "linear", count = 101 }'))
            with self.file() as f:
                self.assertEqual(len(f["time"]), 101)
                self.assertEqual(f["time"][-1], 10.0)
                theta = f["theta"][:]
                self.assertLess(np.max(np.abs(np.linalg.norm(theta, axis=2) - 1)), 1e-14)
                finals.append(theta[20])
        errors = [np.max(np.abs(theta - finals[-1])) for theta in finals[:-1]]
        self.assertTrue(all(a > b for a, b in zip(errors, errors[1:])), errors)
        self.assertLess(errors[-1], 1e-9)

    # F26: no epsilon in divisions
    def test_f26_a_square_is_refused_and_a_turned_one_is_not(self):
        result = self.run_study(study(SQUARE, "ngpt"), code=3)
        self.assertIn("vanishes", result.out + result.err)
        for turn in (1e-6, 1e-3):
            turned = SQUARE.replace("[0.0, 1.0]", f"[{math.sin(turn)!r}, {math.cos(turn)!r}]")
            self.run_study(study(turned, "ngpt"))
            with self.file() as f:
                self.assertTrue(np.all(np.isfinite(f["theta"][:])))

    # F28: the causal mask
    def test_f28_the_first_token_stays_and_later_tokens_change_nothing(self):
        start = '[initial]\nkind = "uniform"\ntokens = 3\ndim = 3\n[attention]\nmask = "causal"\nbeta = 2.0\n'
        for scheme in ("post_ln", "pre_ln", "peri_ln", "ngpt", "sqrt_scaling"):
            for tokens in (3, 2):
                self.run_study(study(start.replace("tokens = 3", f"tokens = {tokens}"), scheme, "10.0").replace(
                    "run.h5", f"run{tokens}.h5"))
            with self.file("run3.h5") as three, self.file("run2.h5") as two:
                self.assertLess(np.max(np.abs(three["theta"][-1, 0] - three["theta"][0, 0])), 1e-14)
                if scheme == "pre_ln":
                    self.assertAlmostEqual(three["radius"][-1, 0], 11.0, delta=1.1e-11)
                self.assertLess(np.max(np.abs(three["theta"][-1, :2] - two["theta"][-1])), 1e-7)

    # F29: the smallest sizes
    def test_f29_one_token_runs_and_one_dimension_never_moves(self):
        one = PAIR.replace("[[1.0, 0.0], [0.0, 1.0]]", "[[0.6, 0.8]]")
        for scheme in ("post_ln", "pre_ln", "peri_ln", "ngpt", "sqrt_scaling"):
            self.run_study(study(one, scheme, output='record = ["mean_cosine", "n_clusters"]'))
            with self.file() as f:
                self.assertTrue(np.all(np.isnan(f["mean_cosine"][:])))
                self.assertTrue(np.all(f["n_clusters"][:] == 1))
        line = PAIR.replace("[[1.0, 0.0], [0.0, 1.0]]", "[[1.0], [-1.0], [1.0]]")
        self.run_study(study(line, end="5.0"))
        with self.file() as f:
            self.assertTrue(np.all(f["theta"][:] == f["theta"][0]))

    # F31: what the names say
    def test_f31_starting_speeds_are_those_of_the_formulas(self):
        start = '[initial]\nkind = "orthogonal"\ntokens = 256\ndim = 256\n[attention]\nbeta = 5.0\n'
        for scheme, expected in (("post_ln", 4.9576965e-3), ("pre_ln", 4.9576965e-3), ("peri_ln", 1.33985597e-2),
                                 ("ngpt", 1.33985597e-2)):
            self.run_study(study(start, scheme, "1e-6", output='states = "ends"\nrecord = ["mean_cosine"]'))
            with self.file() as f:
                self.assertAlmostEqual(f["mean_cosine"][-1] / 1e-6 / expected, 1.0, delta=1e-5)

    # F34: memory does not grow with steps
    def test_f34_memory_does_not_depend_on_the_number_of_steps(self):
        import resource
        import subprocess
        start = '[initial]\nkind = "uniform"\ntokens = 64\ndim = 8\n[attention]\nbeta = 9.0\n'
        peaks = []
        for end in ("10.0", "1000.0"):
            self.write(study(start, end=end, solver="largest_step = 0.05", output='states = "ends"\nrecord = ["clock"]\n'
                             'observables = "ends"'))
            from program import PROGRAM
            done = subprocess.run(["/bin/sh", "-c", f'exec "{PROGRAM}" run study.toml --overwrite --quiet'],
                                  cwd=self.folder, capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            peaks.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        self.assertLess(peaks[1] - peaks[0], 5 * 1024)  # kilobytes; the maximum over children can only grow

    # F35, F38: one rule for clusters, one threshold in every unit
    def test_f35_f38_clusters_are_connected_components_in_every_unit(self):
        angles = (0.0, 0.038, 0.080, 0.118)
        rows = ", ".join(f"[{math.cos(a)!r}, {math.sin(a)!r}]" for a in angles)
        start = PAIR.replace("[[1.0, 0.0], [0.0, 1.0]]", f"[{rows}]")
        for unit in ("cos 0.999", "acos(0.999)", "0.04472508716873266 rad", "2.562558733 deg", "chord 0.044721359549995794"):
            self.run_study(study(start, end="1e-9", output=f'record = ["n_clusters"]\ncluster_angle = "{unit}"'))
            with self.file() as f:
                self.assertEqual(f["n_clusters"][0], 1)
                self.assertAlmostEqual(f["n_clusters"].attrs["threshold"], 0.044725087, delta=1e-8)
        self.write(study(start, output='record = ["n_clusters"]\ncluster_angle = 0.04'))
        self.assertEqual(self.normdyn("run", "study.toml", "--overwrite").code, 2)

    # F37: antipodal groups are two
    def test_f37_antipodal_groups_are_two_clusters(self):
        start = PAIR.replace("[[1.0, 0.0], [0.0, 1.0]]", "[[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [-1.0, 0.0]]")
        self.run_study(study(start, end="1e-9", output='record = ["n_clusters", "largest_cluster", "max_angle"]'))
        with self.file() as f:
            self.assertEqual(f["n_clusters"][0], 2)
            self.assertEqual(f["largest_cluster"][0], 3)
            self.assertEqual(f["max_angle"][0], math.pi)

    # F40: energy for every beta, monotone along Post-LN
    def test_f40_energy_is_finite_and_grows(self):
        for beta in ("0.0", "1e-8", "9.0", "800.0"):
            start = f'[initial]\nkind = "uniform"\ntokens = 16\ndim = 3\n[attention]\nbeta = {beta}\n'
            self.run_study(study(start, end="20.0", output='observables = { spacing = "linear", every = 0.1 }\nrecord = ["energy"]'))
            with self.file() as f:
                energy = f["energy"][:]
            self.assertTrue(np.all(np.isfinite(energy)))
            self.assertTrue(np.all(np.diff(energy) >= -1e-9 * np.abs(energy[:-1])))


if __name__ == "__main__":
    unittest.main()
