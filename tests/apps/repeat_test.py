"""Repeating a run from its file, and the same bits for every number of threads and every locale."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import h5py
import numpy as np

from program import SMALL, SOURCE, ProgramTest

GRIDS = 'states = { spacing = "linear", count = 4 }\nobservables = { spacing = "linear", count = 7 }\n'
WEIGHTS = '[weights]\nquery = { draw = "gaussian", std = "1/sqrt(d)" }\nkey = { draw = "kaiming_normal" }\nvalue = { draw = "orthogonal" }\n'


def everything(path):
    """What 'identical' is about: all datasets but wall_time, all attributes but history, nothing of /provenance."""
    found = {}

    def visit(name, item):
        if name.split("/")[0] == "provenance" or name == "wall_time":
            return
        if isinstance(item, h5py.Dataset):
            found[name] = np.asarray(item[()])
        for key in item.attrs:
            if key not in ("history", "REFERENCE_LIST", "DIMENSION_LIST"):  # of HDF5's dimension scales: addresses in the file
                found[f"{name}@{key}"] = np.asarray(item.attrs[key])

    with h5py.File(path, "r") as file:
        visit("", file)
        file.visititems(visit)
    return found


class Repeat(ProgramTest):
    def same(self, first, second, but=()):
        a, b = everything(self.folder / first), everything(self.folder / second)
        self.assertEqual(sorted(a), sorted(b))
        for name in a:
            if name in but:
                continue
            self.assertEqual(a[name].dtype, b[name].dtype, name)
            self.assertTrue(np.array_equal(a[name], b[name], equal_nan=a[name].dtype.kind == "f"), name)

    def repeats(self, text, *arguments, file="run.h5"):
        self.write(text)
        self.succeed("run", "study.toml", *arguments)
        self.succeed("run", "--from", file, "--output", "again.h5", "--threads", "1")
        self.same(file, "again.h5")

    def test_words(self):
        glove = SOURCE / "data" / "glove-1024x100.h5"
        text = SMALL.replace('kind = "uniform"\ntokens = 6\ndim = 3', f'kind = "file"\nfile = "{glove}:/x"\n'
                             f'labels = "{glove}:/word"\nrows = "0:48"\ncenter = true\nnorms = "keep"')
        self.repeats(text.replace("post_ln", "pre_ln").replace("beta = 2.0", "beta = 10.0"))

    def test_a_case_of_a_sweep(self):
        self.repeats(SMALL.replace("run.h5", "{scheme}-{beta}.h5") +
                     '[sweep]\nscheme = [{ name = "post_ln" }, { name = "mix_ln", tau = 1.0 }]\nattention.beta = [1.0, 2.5]\n',
                     file="mix_ln-2.5.h5")

    def test_drawn_weights(self):
        self.repeats(SMALL.replace("[scheme]", WEIGHTS + "[scheme]"))

    def test_layers_with_weights_drawn_anew(self):
        self.repeats(SMALL.replace("[scheme]", WEIGHTS.replace("[weights]", '[weights]\nredraw = "layer"') + "[scheme]")
                     .replace("end = 3.0", 'mode = "layers"\nlayers = 5\nstep = 0.5').replace(GRIDS, ""))

    def test_defaults_written_out_are_the_same_study(self):
        self.repeats(SMALL.replace(GRIDS, ""))

    def test_values_that_were_set_from_outside(self):
        self.repeats(SMALL, "--set", "scheme={ name = \"formula\", s = \"r^p\", dr = \"A_r\", params = { p = 0.5 } }",
                     "--set", "attention.beta=\"1 + t/2\"", "--set", "output.events=[{ when = \"mean_cosine > 0.5\" }]")

    def test_an_input_that_changed_is_named(self):
        self.write("1.0,0.5\n-0.5,1.0\n", "x.csv")
        self.write(SMALL.replace('kind = "uniform"\ntokens = 6\ndim = 3', 'kind = "file"\nfile = "x.csv"'))
        self.succeed("run", "study.toml")
        self.write("1.0,0.5\n-0.5,1.5\n", "x.csv")
        self.refused("run", "--from", "run.h5", "--output", "again.h5", code=4, says=["x.csv", "SHA-256"])
        (self.folder / "x.csv").unlink()
        self.refused("run", "--from", "run.h5", "--output", "again.h5", code=4, says=["x.csv"])
        self.assertFalse((self.folder / "again.h5").exists())

    def test_threads_change_no_bit_in_any_kernel(self):
        for name, tokens, dim, options in (("circle", 300, 2, ""), ("high dimension", 200, 100, ""),
                                           ("causal", 200, 8, 'mask = "causal"\n'), ("weights", 200, 8, WEIGHTS),
                                           ("heads", 150, 8, "heads = 2\n" + WEIGHTS),
                                           ("unnormalized", 200, 8, 'kind = "unnormalized"\n'),
                                           ("causal weights", 150, 16, 'mask = "causal"\n' + WEIGHTS)):
            with self.subTest(kernel=name):
                self.write(SMALL.replace("tokens = 6", f"tokens = {tokens}").replace("dim = 3", f"dim = {dim}")
                           .replace("beta = 2.0\n", "beta = 2.0\n" + options).replace("end = 3.0", "end = 0.3"))
                for threads in (1, 2, 3):
                    self.succeed("run", "study.toml", "--threads", threads, "--output", f"{threads}.h5", "--overwrite")
                self.same("1.h5", "2.h5")
                self.same("1.h5", "3.h5")


class Locale(ProgramTest):
    """F70: a decimal comma in the locale changes no result."""

    def test_a_decimal_comma_changes_nothing(self):
        locales = pathlib.Path(self.folder) / "locales"
        locales.mkdir()
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", str(locales / "de_DE.UTF-8")], capture_output=True)
        if not (locales / "de_DE.UTF-8" / "LC_NUMERIC").exists():
            self.skipTest(f"localedef made no de_DE.UTF-8: {made.stderr.decode()}")
        german = {"LOCPATH": str(locales), "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}
        shown = subprocess.run(["locale", "decimal_point"], env={**os.environ, **german}, capture_output=True, text=True)
        self.assertEqual(shown.stdout.strip(), ",")
        self.write("0.04,0.5\n-0.5,1.25\n", "x.csv")
        self.write(SMALL.replace('kind = "uniform"\ntokens = 6\ndim = 3', 'kind = "file"\nfile = "x.csv"')
                   .replace("beta = 2.0", 'beta = "2.5 + 0.5*t"').replace("[output]", "[solver]\nrtol = 1e-8\nmax_wall = \"1.5 h\"\n[output]")
                   .replace("[output]\n", '[output]\ncluster_angle = "8.5 deg"\n'))
        self.succeed("run", "study.toml", "--output", "plain.h5", "--set", "solver.atol=1.5e-10", env={"LC_ALL": "C"})
        self.succeed("run", "study.toml", "--output", "german.h5", "--set", "solver.atol=1.5e-10", env=german)
        a, b = everything(self.folder / "plain.h5"), everything(self.folder / "german.h5")
        self.assertEqual(sorted(a), sorted(b))
        for name in a:
            self.assertTrue(np.array_equal(a[name], b[name], equal_nan=a[name].dtype.kind == "f"), name)
        for verb in (["template", "ngpt"], ["inspect", "plain.h5"]):
            self.assertEqual(self.succeed(*verb, env=german).out, self.succeed(*verb, env={"LC_ALL": "C"}).out)
        self.refused("run", "study.toml", "--set", "solver.rtol=1,5e-8", env=german, says=["solver.rtol", "1,5e-8"])

    def test_forms_of_a_number(self):
        self.write(SMALL)
        ids = {self.succeed("explain", "study.toml", "--json", "--set", f"solver.rtol={form}").json["cases"][0]["run_id"]
               for form in ("1e-9", "1.0e-9", "1E-9", "0.000000001", '"1e-9"', ".000000001")}
        self.assertEqual(len(ids), 1)
        for form in ("1,5e-8", "nan", "inf", "1e-8x", "0x1p-27", "", " "):
            self.refused("explain", "study.toml", "--set", f"solver.rtol={form}", says=["solver.rtol"])


if __name__ == "__main__":
    unittest.main()
