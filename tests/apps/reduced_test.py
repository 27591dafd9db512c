"""normdyn reduced: the exact solution at equal cosines, as text, CSV and HDF5."""

import csv
import decimal
import io
import math
import os
import pathlib
import re
import signal
import subprocess
import time
import unittest
import warnings

import h5py
import numpy as np
import xarray

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # Debian's netCDF4 complains about numpy's age when it is imported
    import netCDF4  # noqa: F401

from program import PROGRAM, SOURCE, ProgramTest

STUDY = """
[initial]
kind = "orthogonal"
tokens = 8
dim = 8
norms = 1.5
[attention]
beta = 1.0
[scheme]
name = "pre_ln"
[time]
end = 100.0
[output]
states = { spacing = "log", from = 1.0, count = 41 }
"""
NAMES = {"post": "post_ln", "pre": "pre_ln", "mix": "mix_ln", "peri": "peri_ln", "ngpt": "ngpt", "sqrt": "sqrt_scaling"}
COLUMNS = ["time", "mean_cosine", "gap", "log_ratio", "radius", "clock", "log_derivative"]


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def reference():
    """The 240 rows of both files, by study."""
    folder = SOURCE / "data" / "reference"
    studies = {}
    with open(folder / "equiangular.csv", encoding="ascii") as one, open(folder / "equiangular-tail.csv", encoding="ascii") as two:
        for row, tail in zip(csv.DictReader(one), csv.DictReader(two), strict=True):
            key = tuple(row[name] for name in ("scheme", "beta", "n", "r0", "tau", "alpha"))
            studies.setdefault(key, []).append({**row, **tail})
    return studies


class Reduced(ProgramTest):
    def reduced(self, *arguments, **keywords):
        return self.succeed("reduced", "study.toml", *arguments, **keywords)

    def write_reference_study(self, key, times):
        scheme, beta, n, r0, tau, alpha = key
        options = f"tau = {tau}\n" if tau else ""
        if scheme == "ngpt":
            options = "alpha = " + (alpha if alpha == "1" else "{ scale = 1.0, shift = 1.0, exponent = -1.0 }") + "\n"
        self.write(f'[initial]\nkind = "orthogonal"\ntokens = {n}\ndim = {n}\nnorms = {r0}\n[attention]\nbeta = {beta}\n'
                   f'[scheme]\nname = "{NAMES[scheme]}"\n{options}[time]\nend = {times[-1]}\n'
                   f'[output]\nstates = [{", ".join(times)}]\n')


class Numbers(Reduced):
    def test_every_printed_digit_of_the_reference(self):
        compared = 0
        for key, rows in reference().items():
            with self.subTest(study=key):
                self.write_reference_study(key, [row["t"] for row in rows])
                given = rows_of(self.reduced("--digits", "25", "--format", "csv").out)
                self.assertEqual(len(given), len(rows))
                for row, expected in zip(given, rows):
                    for name, column in (("mean_cosine", "gamma"), ("radius", "r"), ("gap", "one_minus_gamma"), ("log_ratio", "y")):
                        self.assertEqual(decimal.Decimal(row[name]), decimal.Decimal(expected[column]), (name, row["time"]))
                        compared += 1
        self.assertEqual(compared, 4 * 240)

    def test_the_integrated_table_keeps_the_relative_gap(self):
        for key, rows in reference().items():
            with self.subTest(study=key):
                self.write_reference_study(key, [row["t"] for row in rows])
                for row, expected in zip(rows_of(self.reduced("--format", "csv").out), rows, strict=True):
                    y, gap = float(expected["y"]), float(expected["one_minus_gamma"])
                    self.assertLessEqual(abs(float(row["gap"]) - gap), 1e-13 * (1 + abs(y)) * gap)
                    self.assertLessEqual(abs(float(row["radius"]) / float(expected["r"]) - 1), 1e-13)

    def test_columns_say_the_same_thing(self):
        self.write(STUDY.replace("tokens = 8\ndim = 8", "tokens = 5\ndim = 5").replace('"orthogonal"', '"equiangular"\ngamma0 = 0.25'))
        rows = rows_of(self.reduced("--digits", "40", "--format", "csv").out)
        self.assertEqual(list(rows[0]), ["case", *COLUMNS])
        self.assertEqual(rows[0]["mean_cosine"], "0.25")
        for row in rows:
            values = {name: decimal.Decimal(row[name]) for name in COLUMNS}
            with decimal.localcontext() as context:
                context.prec = 60
                gap, cosine = values["gap"], values["mean_cosine"]
                self.assertLess(abs(gap + cosine - 1), decimal.Decimal("1e-39"))
                self.assertLess(abs(((1 + 4 * cosine) / (1 - cosine)).ln() - values["log_ratio"]), decimal.Decimal("1e-33"))

    def test_a_run_of_tokens_agrees(self):
        self.write(STUDY.replace('count = 41 }', 'count = 5 }\nobservables = { spacing = "log", from = 1.0, count = 5 }\n'
                                                 'record = ["mean_cosine", "clock"]\nfile = "run.h5"')
                   + "[solver]\nrtol = 1e-11\natol = 1e-13\nradius_rtol = 1e-11\n")
        self.succeed("run", "study.toml")
        self.reduced("-o", "table.h5")
        with xarray.open_dataset(self.folder / "run.h5") as run, xarray.open_dataset(self.folder / "table.h5") as table:
            np.testing.assert_array_equal(run.time, table.time)
            np.testing.assert_allclose(run.mean_cosine, table.mean_cosine, atol=1e-9)
            np.testing.assert_allclose(run.clock, table.clock, atol=1e-9)
            np.testing.assert_allclose(run.radius.max("token"), table.radius, rtol=1e-9)

    def test_layers_are_those_of_a_run(self):
        self.write(STUDY.replace("end = 100.0", 'mode = "layers"\nlayers = 12\nstep = 0.5').replace(
            'states = { spacing = "log", from = 1.0, count = 41 }', 'record = ["mean_cosine", "clock"]\nfile = "run.h5"'))
        self.succeed("run", "study.toml")
        rows = rows_of(self.reduced("--format", "csv").out)
        self.assertEqual([row["layer"] for row in rows], [str(l) for l in range(13)])
        self.assertNotIn("log_derivative", rows[0])
        with xarray.open_dataset(self.folder / "run.h5") as run:
            np.testing.assert_allclose([float(row["mean_cosine"]) for row in rows], run.mean_cosine, atol=1e-13)
            np.testing.assert_allclose([float(row["clock"]) for row in rows], run.clock, rtol=1e-13)

    def test_any_scheme_any_beta_and_any_alpha(self):
        self.write(STUDY)
        for sets in (["scheme.name=ngpt", "scheme.alpha=1/(1+t^2)"], ["scheme.name=formula", "scheme.s=r", "scheme.dr=A_r"],
                     ["attention.beta=1+sin(t)"], ["attention.beta={times=[0,5],values=[1,2]}"], ["scheme.name=mix", "scheme.tau=5"]):
            arguments = [part for one in sets for part in ("--set", one)]
            rows = rows_of(self.reduced("--format", "csv", *arguments).out)
            self.assertEqual(len(rows), 42)
            self.assertLess(float(rows[-1]["gap"]), float(rows[0]["gap"]))
        # `formula` with Pre-LN's own rates is Pre-LN
        formula = rows_of(self.reduced("--format", "csv", "--set", "scheme={name=\"formula\",s=\"r\",dr=\"A_r\"}").out)
        for a, b in zip(formula, rows_of(self.reduced("--format", "csv").out), strict=True):
            for name in COLUMNS:
                self.assertAlmostEqual(float(a[name]), float(b[name]), delta=1e-12 * (1 + abs(float(b[name]))))


class Output(Reduced):
    def test_text_is_a_table(self):
        self.write(STUDY)
        lines = self.reduced("--set", "output.states=[0,1,10]").out.splitlines()
        self.assertEqual(lines[0], "pre_ln: n = 8, beta = 1, cosine 0 and radius 1.5 at t = 0")
        self.assertEqual(lines[1].split(), COLUMNS)
        self.assertEqual([line.split()[0] for line in lines[3:]], ["0", "1", "10"])

    def test_csv_goes_to_a_file_beside_the_text(self):
        self.write(STUDY + '[sweep]\n"scheme.name" = ["post_ln", "pre_ln"]\n')
        out = self.reduced("--csv", "table.csv").out
        self.assertEqual(len(re.findall(r"^p\w+_ln: n = 8", out, re.M)), 2)
        text = (self.folder / "table.csv").read_text(encoding="utf-8")
        rows = rows_of(text)
        self.assertEqual([row["case"] for row in rows], ["post_ln"] * 42 + ["pre_ln"] * 42)
        self.assertEqual(self.reduced("--format", "csv").out, text)
        self.refused("reduced", "study.toml", "--csv", "table.csv", "--format", "csv", says=["table.csv", "exists", "--overwrite"])
        self.reduced("--csv", "table.csv", "--overwrite")

    def test_cases_with_other_columns_share_a_csv(self):
        self.write(STUDY.replace("end = 100.0", "end = 4.0").replace('{ spacing = "log", from = 1.0, count = 41 }', '"ends"')
                   + '[[sweep.time]]\nend = 4.0\n[[sweep.time]]\nmode = "layers"\nlayers = 2\n')
        rows = rows_of(self.reduced("--format", "csv").out)
        self.assertEqual([(row["time"], row["layer"], row["log_derivative"] == "") for row in rows],
                         [("0", "", False), ("4", "", False), ("0", "0", True), ("2", "2", True)])

    def test_hdf5_opens_with_xarray_and_says_what_made_it(self):
        self.write('title = "a table"\n' + STUDY)
        self.reduced("-o", "out/{scheme}.h5")
        rows = rows_of(self.reduced("--format", "csv").out)
        for engine in ({}, {"engine": "netcdf4"}, {"engine": "h5netcdf"}):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                with xarray.open_dataset(self.folder / "out" / "pre_ln.h5", **engine) as data:
                    self.assertEqual(set(data.data_vars), set(COLUMNS) - {"time"})
                    self.assertEqual(set(data.coords), {"time", "scheme", "label", "beta", "n_tokens", "initial_cosine", "initial_radius"})
                    for name in COLUMNS:
                        self.assertEqual(data[name].dims, ("time",))
                        np.testing.assert_array_equal(data[name], [float(row[name]) for row in rows])
                    self.assertEqual((data.attrs["title"], data.attrs["mode"], data.attrs["status"]), ("a table", "flow", "completed"))
                    self.assertEqual((float(data.beta), int(data.n_tokens), float(data.initial_radius)), (1.0, 8, 1.5))
        with h5py.File(self.folder / "out" / "pre_ln.h5") as file:
            self.assertIn('kind = "orthogonal"', file["provenance/config"][()].decode())
            self.assertIn("normdyn_version", file["provenance"].attrs)
            for name in COLUMNS:
                self.assertTrue(file[name].attrs["long_name"])
        self.refused("reduced", "study.toml", "-o", "out/pre_ln.h5", says=["out/pre_ln.h5", "exists", "--overwrite"])

    def test_the_name_is_that_of_the_run(self):
        self.write(STUDY.replace("[output]", '[output]\nfile = "run.h5"'))
        self.reduced("-o", "table.h5")
        self.succeed("run", "study.toml")
        with xarray.open_dataset(self.folder / "run.h5") as run, xarray.open_dataset(self.folder / "table.h5") as table:
            self.assertEqual(run.attrs["run_id"], table.attrs["run_id"])
        self.succeed("reduced", "--from", "run.h5")

    def test_a_numerical_end_keeps_the_rows_until_there(self):
        # beta(t) is no number beyond t = 2
        self.write(STUDY.replace("beta = 1.0", 'beta = "sqrt(2-t)"').replace("end = 100.0", "end = 5.0").replace(
            '{ spacing = "log", from = 1.0, count = 41 }', "[0, 1, 4]"))
        result = self.normdyn("reduced", "study.toml", "--format", "csv")
        self.assertEqual(result.code, 3, result)
        self.assertEqual([row["time"] for row in rows_of(result.out)], ["0", "1"])
        self.assertIn("pre_ln: ", result.err)
        self.assertNotIn("pre_ln: pre_ln", result.err)

    def test_a_case_that_ends_early_does_not_stop_the_others(self):
        self.write(STUDY.replace('{ spacing = "log", from = 1.0, count = 41 }', "[0, 1, 4]")
                   + '[sweep]\n"attention.beta" = ["1", "sqrt(2-t)", "3"]\n')
        result = self.normdyn("reduced", "study.toml", "--csv", "table.csv")
        self.assertEqual(result.code, 3, result)
        rows = rows_of((self.folder / "table.csv").read_text())
        self.assertEqual([row["time"] for row in rows], ["0", "1", "4", "0", "1", "0", "1", "4"])
        self.assertEqual(result.out.count("pre_ln beta="), 3)

    def test_a_simplex_only_grows(self):
        self.write(STUDY.replace('"orthogonal"', '"equiangular"\ngamma0 = "-1/(n-1)"'))
        rows = rows_of(self.reduced("--format", "csv").out)
        e = math.exp(8 / 7)
        self.assertEqual(rows[-1]["log_ratio"], "-inf")
        self.assertAlmostEqual(float(rows[-1]["radius"]), 1.5 + 100 * (e - 1) / (e + 7), places=10)


class Repelling(Reduced):
    """beta of any sign."""

    def test_a_run_of_tokens_agrees(self):
        for sets in ([], ["scheme.name=peri"], ["scheme.name=ngpt"], ["initial.kind=equiangular", "initial.gamma0=-0.1"]):
            with self.subTest(sets=sets):
                self.write(STUDY.replace("beta = 1.0", "beta = -5.0").replace("end = 100.0", "end = 6.0").replace(
                    '{ spacing = "log", from = 1.0, count = 41 }', '[0, 1, 3, 6]\nobservables = [0, 1, 3, 6]\n'
                    'record = ["mean_cosine", "clock"]\nfile = "run.h5"')
                    + "[solver]\nrtol = 1e-11\natol = 1e-13\nradius_rtol = 1e-11\n")
                arguments = [part for one in sets for part in ("--set", one)]
                self.succeed("run", "study.toml", "--overwrite", *arguments)
                rows = rows_of(self.reduced("--format", "csv", *arguments).out)
                with xarray.open_dataset(self.folder / "run.h5") as run:
                    np.testing.assert_allclose([float(row["mean_cosine"]) for row in rows], run.mean_cosine, atol=1e-9)
                    np.testing.assert_allclose([float(row["clock"]) for row in rows], run.clock, atol=1e-9)
                digits = rows_of(self.reduced("--format", "csv", "--digits", "20", *arguments).out)
                for row, exact in zip(rows, digits, strict=True):
                    for name in COLUMNS:
                        self.assertAlmostEqual(float(row[name]), float(exact[name]), delta=1e-12 * (1 + abs(float(exact[name]))))

    def test_beta_may_change_its_sign(self):
        self.write(STUDY.replace("beta = 1.0", 'beta = "2-t"').replace("end = 100.0", "end = 5.0").replace(
            '{ spacing = "log", from = 1.0, count = 41 }', "[0, 1, 4]"))
        self.assertEqual(len(rows_of(self.reduced("--format", "csv").out)), 3)

    def test_a_sweep_over_signs_keeps_all_cases(self):
        self.write(STUDY.replace('{ spacing = "log", from = 1.0, count = 41 }', "[1, 4]") + '[sweep]\n"attention.beta" = [1, -5, 3]\n')
        for more in ([], ["--digits", "20"]):
            self.reduced("--csv", "table.csv", "--overwrite", *more)
            rows = rows_of((self.folder / "table.csv").read_text())
            self.assertEqual(len(rows), 6)
            self.assertNotIn("nan", (self.folder / "table.csv").read_text().lower())


class Work(Reduced):
    def test_any_number_of_tokens_takes_no_memory(self):
        for law in ('"orthogonal"', '"equiangular"\ngamma0 = 0.25'):
            self.write(STUDY.replace("tokens = 8\ndim = 8", "tokens = 1000000\ndim = 1000000").replace('"orthogonal"', law))
            result = self.reduced("--format", "csv")
            self.assertEqual(len(rows_of(result.out)), 42)
            self.assertLess(result.cpu_seconds, 20)
        for verb in ("run", "explain"):
            self.refused(verb, "study.toml", says=["initial.tokens", "1000000 tokens of dimension 1000000", "GB"])
        self.write(STUDY.replace("tokens = 8\ndim = 8", "tokens = 1000000\ndim = 8"))
        self.refused("reduced", "study.toml", says=["initial.tokens", "dim >= 1000000"])

    def test_csv_and_hdf5_never_share_a_file(self):
        self.write(STUDY)
        for more in ([], ["--overwrite"]):
            self.refused("reduced", "study.toml", "--csv", "a.csv", "--output", "./a.csv", *more, says=["a.csv", "--csv", "--output"])
        self.assertFalse((self.folder / "a.csv").exists())

    def test_empty_names_are_refused(self):
        self.write(STUDY)
        for option in ("--csv", "--output", "--from", "--set"):
            self.refused("reduced", "study.toml", option, "", says=[option, "empty"])

    def test_quiet_and_json(self):
        self.write(STUDY)
        self.assertEqual(self.reduced("--quiet", "--csv", "table.csv").out, "")
        self.refused("reduced", "study.toml", "--quiet", says=["--quiet", "--csv"])
        rows = rows_of((self.folder / "table.csv").read_text())
        result = self.reduced("--json", "--rates", "--window", "10", "100").json
        self.assertEqual(result["exit_code"], 0)
        case, = result["cases"]
        self.assertEqual((case["case"], case["n_tokens"], case["outcome"]), ("pre_ln", 8, "completed"))
        self.assertEqual(case["columns"]["gap"], [float(row["gap"]) for row in rows])
        self.assertEqual(case["rates"]["law"], "power")
        self.assertTrue(case["rates"]["p"]["low"] <= 2 <= case["rates"]["p"]["high"])
        refused = self.reduced("--json", "--rates", "--window", "90.5", "91").json["cases"][0]["rates"]
        self.assertEqual((refused["law"], refused["reason"]), (None, "too_short"))
        digits = self.reduced("--json", "--digits", "30").json["cases"][0]["columns"]
        self.assertEqual(len(digits["gap"][-1].replace(".", "").lstrip("0").split("e")[0]), 30)

    def test_a_signal_keeps_the_rows_that_are_done(self):
        self.write(STUDY.replace('{ spacing = "log", from = 1.0, count = 41 }', '{ spacing = "linear", count = 100001 }'))
        for more in ([], ["--digits", "30"]):
            for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                with self.subTest(more=more, sent=sent):
                    program = subprocess.Popen([PROGRAM, "reduced", "study.toml", "--quiet", "--overwrite", "--csv", "table.csv",
                                                "-o", "table.h5", *more], cwd=self.folder, stdout=subprocess.PIPE,
                                               stderr=subprocess.PIPE, text=True)
                    stat = pathlib.Path(f"/proc/{program.pid}/stat")
                    while int(stat.read_text().rpartition(")")[2].split()[11]) < 0.3 * os.sysconf("SC_CLK_TCK"):
                        time.sleep(0.02)  # until it has worked for a while
                    program.send_signal(sent)
                    out, err = program.communicate(timeout=60)
                    self.assertEqual((program.returncode, out), (75, ""), err)
                    rows = rows_of((self.folder / "table.csv").read_text())
                    self.assertTrue(0 < len(rows) < 100001, len(rows))
                    with xarray.open_dataset(self.folder / "table.h5") as table:
                        self.assertEqual((table.attrs["status"], table.sizes["time"]), ("stopped", len(rows)))

    def test_a_reader_that_leaves_does_not_take_the_files_with_it(self):
        self.write(STUDY)
        program = subprocess.Popen([PROGRAM, "reduced", "study.toml", "--csv", "table.csv"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        program.stdout.close()
        self.assertEqual((program.stderr.read(), program.wait(timeout=60)), (b"", 0))
        program.stderr.close()
        self.assertEqual(len(rows_of((self.folder / "table.csv").read_text())), 42)


class Rates(Reduced):
    def test_each_law_is_named_with_its_rate(self):
        self.write(STUDY)
        for scheme, law, name, rate in (("post", "exponential", "k", 2), ("pre", "power", "p", 2), ("peri", "power", "p", 2),
                                        ("ngpt", "exponential", "k", 2), ("sqrt", "stretched", "k", 4)):
            with self.subTest(scheme=scheme):
                out = self.reduced("--rates", "--window", "10", "100", "--set", f"scheme.name={scheme}").out
                self.assertRegex(out, rf"law +{law}")
                value, low, high = map(float, re.search(rf"^  {name} +(\S+)  \[(\S+), (\S+)\]$", out, re.M).groups())
                self.assertTrue(low <= rate <= high, out)
                self.assertAlmostEqual(value, rate, delta=0.02)

    def test_a_plateau_is_refused_with_numbers(self):
        self.write(STUDY.replace("tokens = 8\ndim = 8\nnorms = 1.5", "tokens = 256\ndim = 256").replace("beta = 1.0", "beta = 5.0"))
        out = self.reduced("--rates", "--window", "5", "20").out
        self.assertIn("rate of 1 - cosine in [5.0", out)
        self.assertIn("still on the plateau", out)
        self.assertIn("begin the window", out)
        out = self.reduced("--rates", "--window", "20", "100").out
        self.assertRegex(out, r"C +16\.8")
        self.assertRegex(out, r"by radius +-1\.999")

    def test_few_rows_are_refused(self):
        self.write(STUDY)
        out = self.reduced("--rates", "--window", "90.5", "91").out
        self.assertIn("0 samples", out)
        self.assertNotIn("by radius", out)
        self.refused("reduced", "study.toml", "--rates", "--window", "1000", "2000", says=["1000 2000", "from 0 to 100"])
        self.assertIn("needs 8", self.reduced("--rates", "--set", "output.states=ends").out)

    def test_digits_do_not_change_the_rates(self):
        self.write(STUDY)
        last = [self.reduced("--rates", *more).out.split("rate of")[1] for more in ([], ["--digits", "30"])]
        self.assertEqual(*last)


class Refusals(Reduced):
    def test_what_is_not_equiangular(self):
        self.write(STUDY)
        for sets, says in ((["initial.kind=uniform"], ["initial.kind", "'uniform'", "orthogonal", "equiangular"]),
                           (["initial.norms=[1,1,1,1,1,1,1,2]"], ["initial.norms", "from 1 to 2"]),
                           (["initial.tokens=1"], ["initial.tokens", "at least 2"]),
                           (["attention.mask=causal"], ["attention.mask", "full"]),
                           (["attention.kind=unnormalized"], ["attention.kind", "softmax"]),
                           (["weights.value={draw=\"gaussian\"}"], ["weights", "Q = K = V = I"]),
                           (["time.stop={when=\"mean_cosine > 0.9\"}"], ["time.stop", "condition"]),
                           (["output.states=none"], ["output.states", "none"]),
                           (["output.states=every step"], ["output.states", "steps"]),
                           (["scheme.nme=post"], ["nme", "did you mean 'name'"])):
            with self.subTest(sets=sets):
                self.refused("reduced", "study.toml", *[part for one in sets for part in ("--set", one)], says=says)

    def test_what_has_no_quadrature(self):
        self.write(STUDY)
        for sets, says in ((["scheme={name=\"formula\",s=\"r\"}"], ["scheme.name", "'formula'"]),
                           (["scheme={name=\"ngpt\",alpha=\"exp(-t)\"}"], ["scheme.alpha", "exp(-t)", "exponent"]),
                           (["attention.beta=1+t"], ["attention.beta", "constant"]),
                           (["time.begin=0.5"], ["time.begin", "0.5"]),
                           (["initial={kind=\"equiangular\",gamma0=\"-1/(n-1)\",tokens=4,dim=4}"], ["initial", "simplex", "--digits"])):
            with self.subTest(sets=sets):
                self.refused("reduced", "study.toml", "--digits", "30", *[part for one in sets for part in ("--set", one)], says=says)
        self.write(STUDY.replace("end = 100.0", 'mode = "layers"\nlayers = 4').replace('{ spacing = "log", from = 1.0, count = 41 }', '"every layer"'))
        self.refused("reduced", "study.toml", "--digits", "30", says=["time.mode", "--digits"])

    def test_options(self):
        self.write(STUDY)
        self.refused("reduced", says=["study.toml"])
        self.refused("reduced", "missing.toml", code=4, says=["missing.toml"])
        self.refused("reduced", "study.toml", "--digits", "51", says=["51", "50"])
        self.refused("reduced", "study.toml", "--digit", "20", says=["--digit", "'--digits'"])
        self.refused("reduced", "study.toml", "--format", "json", says=["json", "text", "csv"])
        self.refused("reduced", "study.toml", "--window", "1", "2", says=["--window", "--rates"])
        self.refused("reduced", "study.toml", "--rates", "--window", "2", "1", says=["--window 2 1"])
        self.refused("reduced", "study.toml", "--rates", "--format", "csv", says=["--csv"])
        help_text = self.succeed("reduced", "--help").out
        for word in ("normdyn reduced my.toml", "--digits", "--rates", "--csv", "--output"):
            self.assertIn(word, help_text)

    def test_nothing_is_computed_before_all_cases_are_read(self):
        self.write(STUDY + '[sweep]\n"attention.mask" = ["full", "causal"]\n')
        self.refused("reduced", "study.toml", "-o", "{mask}.h5", says=["attention.mask"])
        self.assertFalse((self.folder / "full.h5").exists())


if __name__ == "__main__":
    unittest.main()
