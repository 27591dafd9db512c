"""normdyn rates: the rate of a quantity that a run file recorded."""

import re
import unittest

from program import ProgramTest

STUDY = """
seed = 3
[initial]
kind = "uniform"
tokens = 6
dim = 4
[attention]
beta = 1.0
[scheme]
name = "post_ln"
[time]
end = 16.0
[solver]
error_scale = "spread"
rtol = 1e-10
[output]
file = "run.h5"
observables = { spacing = "linear", count = 65 }
record = ["variance", "clock", "mean_cosine"]
"""


class Rates(ProgramTest):
    def run_with(self, *sets):
        self.write(STUDY)
        self.succeed("run", "study.toml", "--overwrite", *[part for one in sets for part in ("--set", one)])

    def covers(self, out, name, value):
        shown, low, high = map(float, re.search(rf"^  {name} +(\S+)  \[(\S+), (\S+)\]$", out, re.M).groups())
        self.assertTrue(low <= value <= high, out)
        self.assertAlmostEqual(shown, value, delta=0.02, msg=out)

    def test_post_ln_collapses_exponentially_at_rate_two(self):
        self.run_with()
        out = self.succeed("rates", "run.h5").out
        self.assertIn("rate of variance in [8, 16], 33 rows, with 95 % intervals", out)
        self.assertRegex(out, "law +exponential")
        self.covers(out, "k", 2)
        self.covers(self.succeed("rates", "run.h5", "--against", "clock").out, "k", 2)

    def test_sqrt_scaling_is_stretched(self):
        self.run_with("scheme.name=sqrt", "time.end=60")
        self.assertRegex(self.succeed("rates", "run.h5").out, "law +stretched")
        self.covers(self.succeed("rates", "run.h5", "--against", "sqrt").out, "k", 4)

    def test_pre_ln_is_a_power_law_of_time_and_of_the_radius(self):
        self.run_with("scheme.name=pre", "time.end=1000", 'output.record=["variance","mean_radius"]',
                      'output.observables={spacing="log",from=1,count=81}')
        out = self.succeed("rates", "run.h5", "--from", "50").out
        self.assertRegex(out, "law +power")
        self.covers(out, "p", 2)
        self.covers(self.succeed("rates", "run.h5", "--from", "50", "--against", "radius").out, "k", 2)
        self.assertIn("window too short for a power law", self.succeed("rates", "run.h5", "--from", "500", "--to", "1000", "--of", "variance").out)

    def test_rounding_and_short_windows_are_refused(self):
        self.run_with("time.end=40")
        out = self.succeed("rates", "run.h5", "--from", "20").out
        self.assertIn("below rounding", out)
        self.assertIn("1e-28", out)
        self.assertIn("5 samples in [8.", self.succeed("rates", "run.h5", "--from", "8", "--to", "10.7").out)

    def test_a_window_below_the_tolerance_is_refused_with_its_end(self):
        self.run_with('solver.error_scale="radian"', "solver.rtol=1e-8", "time.end=60")
        out = self.succeed("rates", "run.h5", "--from", "8").out
        self.assertIn("below what the tolerance of the run resolves", out)
        self.assertRegex(out, r"digits down to 1.02e-16 only; end the window at 20")
        self.assertIn("error_scale", out)

    def test_values_outside_the_window_do_not_matter(self):
        self.run_with('initial={kind="orthogonal",tokens=2,dim=2}')
        self.assertNotIn("decay is of positive", self.succeed("rates", "run.h5", "--of", "mean_cosine", "--from", "4").out)

    def test_json_says_whether_there_is_a_rate(self):
        self.run_with()
        found = self.succeed("rates", "run.h5", "--json").json
        self.assertEqual((found["quantity"], found["law"], found["n_rows"], found["end"]), ("variance", "exponential", 33, 16))
        self.assertTrue(found["k"]["low"] <= 2 <= found["k"]["high"], found)
        self.assertEqual(set(found["residuals"]), {"exponential", "stretched", "power"})
        by_clock = self.succeed("rates", "run.h5", "--json", "--against", "clock").json
        self.assertEqual((by_clock["against"], by_clock["law"]), ("clock", "exponential"))
        none = self.succeed("rates", "run.h5", "--json", "--from", "8", "--to", "9").json
        self.assertEqual((none["law"], none["reason"]), (None, "too_short"))
        self.assertIn("window too short", none["refusal"])

    def test_the_later_half_is_that_of_the_rows_until_the_end_of_the_window(self):
        self.run_with()
        self.assertIn("in [4, 8], 17 rows", self.succeed("rates", "run.h5", "--to", "8").out)

    def test_what_is_not_there_is_refused(self):
        self.run_with()
        self.refused("rates", "run.h5", "--of", "energy", says=["'energy'", "output.record", "variance"])
        self.refused("rates", "run.h5", "--against", "radius", says=["'mean_radius'", "output.record"])
        self.refused("rates", "run.h5", "--from", "9", "--to", "3", says=["from 9 to 3", "from 0 to 16"])
        self.refused("rates", "run.h5", "--of", "varianc", says=["'varianc'", "did you mean 'variance'?"])
        self.refused("rates", "run.h5", "--to", "1e400", says=["--to", "finite", "from 0 to 16"])
        self.refused("rates", "run.h5", "--from", "", says=["--from", "empty"])
        self.refused("rates", "run.h5", "--against", "layer", says=["--against", "layer"])
        self.refused("rates", says=["file"])
        self.refused("rates", "none.h5", code=4, says=["none.h5"])
        self.assertIn("normdyn rates out/run.h5", self.succeed("rates", "--help").out)


if __name__ == "__main__":
    unittest.main()
