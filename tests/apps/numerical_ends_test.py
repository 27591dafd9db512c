"""Numerical ends: bounded work, exit code 3, scheme, token and time named, and the rows until then kept."""

import math
import unittest

import h5py
import numpy as np

from program import ProgramTest


def study(theta, scheme, end="5.0", attention="beta = 0.0", value="", solver="", output=""):
    return f"""
[initial]
kind = "explicit"
theta = {theta}
[attention]
{attention}
{value and "[weights]" + chr(10) + "value = " + value}
[scheme]
{scheme}
[time]
end = {end}
[solver]
{solver}
[output]
file = "run.h5"
states = {{ spacing = "linear", every = 0.05 }}
record = ["clock"]
{output}
"""


MINUS = "[[-1.0, 0.0], [0.0, -1.0]]"
ORTHOGONAL = "[[1.0, 0.0], [0.0, 1.0]]"


class NumericalEnds(ProgramTest):
    def ends(self, text, *says):
        self.write(text)
        result = self.normdyn("run", "study.toml", "--overwrite", "--quiet", timeout=60)
        self.assertEqual(result.code, 3, result)
        self.assertLess(result.cpu_seconds, 10.0)  # bounded work
        for word in says:
            self.assertIn(word, result.err, result)
        with h5py.File(self.folder / "run.h5", "r") as file:
            status = file.attrs["status"]
            self.assertEqual((status.decode() if isinstance(status, bytes) else str(status)).strip("\0 "), "failed")
            self.assertTrue(np.all(np.isfinite(file["theta"][:])))
            self.assertEqual(int(file.attrs["frames_valid"]), file["theta"].shape[0])
            return file["time"][:], file["radius"][:] if "radius" in file else None

    def test_attention_that_vanishes(self):
        for scheme in ("peri_ln", "ngpt"):
            time, _ = self.ends(study("[[1.0, 0.0], [-1.0, 0.0]]", f'name = "{scheme}"'), scheme, "token 0", "t = 0")
            self.assertEqual(list(time), [0.0])

    def test_a_radius_that_reaches_zero(self):
        # One token under V = -I: r' = -1, so that r = 1 - t and the end is at t = 1.
        time, radius = self.ends(study("[[1.0, 0.0]]", 'name = "pre_ln"', value=MINUS), "pre_ln", "token 0", "t = ")
        self.assertGreater(time[-1], 0.9)
        self.assertLessEqual(time[-1], 1.0)
        self.assertLess(np.max(np.abs(radius[:, 0] - (1.0 - time))), 1e-7)

    def test_a_formula_that_leaves_the_numbers(self):
        time, _ = self.ends(study(ORTHOGONAL, 'name = "formula"\ns = "sqrt(0.5 - t)"'), "formula", "token", "t = ")
        self.assertLessEqual(time[-1], 0.5)
        self.assertGreater(time[-1], 0.3)

    def test_motion_that_ends_in_finite_time(self):
        # r' = r^2 from r = 1: r = 1/(1 - t), beyond which there is nothing.
        time, _ = self.ends(study(ORTHOGONAL, 'name = "formula"\ns = "1"\ndr = "r^2"'), "formula", "token", "t = ")
        self.assertLess(abs(time[-1] - 1.0), 1e-7)  # the tolerance of r moves the pole

    def test_cartesian_variables_pass_near_the_origin(self):
        # beta = 0, V = -I: x_j' = -m with m the mean direction. From orthogonal unit tokens, by symmetry x = (u, v) and
        # (v, u), with u' = v' = -(u + v)/(2 |x|): s = (u+v)/sqrt(2), c = (u-v)/sqrt(2) = const, s' = -s/sqrt(s^2+c^2).
        self.write(study(ORTHOGONAL, 'name = "pre_ln"', end="3.0", value=MINUS,
                         solver='variables = "cartesian"\nrtol = 1e-11\natol = 1e-13'))
        self.succeed("run", "study.toml", "--quiet")
        with h5py.File(self.folder / "run.h5", "r") as file:
            time, theta, radius = file["time"][:], file["theta"][:], file["radius"][:]
        x = theta * radius[:, :, None]
        c = math.sqrt(0.5)
        self.assertLess(np.max(np.abs((x[:, 0, 0] - x[:, 0, 1]) / math.sqrt(2) - c)), 1e-8)
        # t = [F(s)] from s to s(0) with F = sqrt(s^2+c^2) - c artanh(c/sqrt(s^2+c^2))
        F = lambda s: np.hypot(s, c) - c * np.arctanh(c / np.hypot(s, c))
        s = (x[:, 0, 0] + x[:, 0, 1]) / math.sqrt(2)
        self.assertLess(np.max(np.abs(F(c) - F(s) - time)), 1e-6)


if __name__ == "__main__":
    unittest.main()
