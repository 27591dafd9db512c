"""normdyn template, explain, inspect and doctor."""

import os
import re
import subprocess
import unittest

from program import PROGRAM, SMALL, SOURCE, ProgramTest

SCHEMES = ("post_ln", "pre_ln", "mix_ln", "peri_ln", "ngpt", "sqrt_scaling", "formula")


class Template(ProgramTest):
    def test_every_template_runs_as_it_is(self):
        for scheme in SCHEMES:
            with self.subTest(scheme=scheme):
                self.write(self.succeed("template", scheme).out)
                self.succeed("run", "study.toml", "--set", "time.end=0.5")

    def test_every_option_that_a_template_shows_is_an_option(self):
        for scheme in SCHEMES:
            with self.subTest(scheme=scheme):
                text = self.succeed("template", scheme).out
                shown = re.sub(r"^# (\w+ = |\[\w+\])", r"\1", text, flags=re.MULTILINE)
                self.assertGreater(len(re.findall(r"^\w+ = ", shown, re.MULTILINE)),
                                   len(re.findall(r"^\w+ = ", text, re.MULTILINE)))
                self.write(shown)
                self.succeed("explain", "study.toml")

    def test_defaults_in_a_template_are_the_defaults(self):
        text = self.succeed("template", "ngpt").out
        self.write(text)
        plain = self.succeed("explain", "study.toml", "--json").json["cases"][0]["run_id"]
        shown = re.sub(r"^# ((?:norms|kind|mask|heads|alpha|method|rtol|atol|cluster_angle) = )", r"\1", text, flags=re.MULTILINE)
        self.assertNotEqual(shown, text)
        self.write(shown)
        self.assertEqual(self.succeed("explain", "study.toml", "--json").json["cases"][0]["run_id"], plain)

    def test_aliases_and_misspellings(self):
        self.assertIn('name = "pre_ln"', self.succeed("template", "pre").out)
        self.refused("template", "peri_lm", says=["'peri_lm'", "'peri_ln'"])
        self.refused("template", says=["post_ln"])


class Explain(ProgramTest):
    def test_says_everything_without_running(self):
        self.write(SMALL.replace('"post_ln"', '"mix_ln"\ntau = 1.0'))
        out = self.succeed("explain", "study.toml").out
        for word in ("mix_ln", "P A", "n = 6, d = 3", "t = 1", "dop853, the default for rtol < 1e-07", "memory", "4 rows of states, 7 of observables", "rtol = 1e-08",
                     "run id"):
            self.assertIn(word, out)
        self.assertFalse((self.folder / "run.h5").exists())

    def test_the_resolved_config_is_the_same_study(self):
        self.write(SMALL)
        first = self.succeed("explain", "study.toml", "--json").json["cases"][0]
        self.write(first["config"], "resolved.toml")
        second = self.succeed("explain", "resolved.toml", "--json").json["cases"][0]
        self.assertEqual(first["config"], second["config"])
        self.assertEqual(first["run_id"], second["run_id"])

    def test_the_id_follows_what_matters(self):
        self.write(SMALL)

        def run_id(*sets):
            arguments = [part for one in sets for part in ("--set", one)]
            return self.succeed("explain", "study.toml", "--json", *arguments).json["cases"][0]["run_id"]

        base = run_id()
        self.assertEqual(base, run_id("title=other", "output.file=other.h5", "solver.rtol=1e-8"))
        self.assertNotEqual(base, run_id("seed=6"))
        self.assertNotEqual(base, run_id("attention.beta=2.5"))
        self.assertNotEqual(base, run_id("solver.rtol=1e-9"))

    def test_names_the_kernel_that_will_run(self):
        self.write(SMALL)
        self.assertIn("small_d (attention)", self.succeed("explain", "study.toml").out)
        first = self.succeed("explain", "study.toml", "--json", "--set", "solver.kernel=direct").json["cases"][0]
        self.assertEqual(first["attention_kernel"], "direct")
        float32 = ("--set", "solver.kernel_precision=float32")
        second = self.succeed("explain", "study.toml", "--json", *float32, "--set", "solver.rtol=1e-6").json["cases"][0]
        self.assertEqual(second["attention_kernel"], "small_d, float32")
        self.refused("explain", "study.toml", *float32, "--set", "solver.rtol=1e-9",
                     says=["solver.kernel_precision", "1e-09", "float64"])
        self.refused("explain", "study.toml", "--set", "solver.kernel=dirct", says=["solver.kernel", "'dirct'", "'direct'"])

    def test_layers_have_a_known_cost(self):
        self.write(SMALL.replace("end = 3.0", 'mode = "layers"\nlayers = 12\nstep = 0.25').replace(
            'states = { spacing = "linear", count = 4 }\nobservables = { spacing = "linear", count = 7 }\n', ""))
        case = self.succeed("explain", "study.toml", "--json").json["cases"][0]
        self.assertEqual((case["mode"], case["steps"], case["end"]), ("layers", 12, 3.0))

    def test_lists_the_cases_of_a_sweep(self):
        out = self.succeed("explain", SOURCE / "data" / "studies" / "between.toml").out
        self.assertIn("33 cases", out)
        self.assertIn("between-0.3-0.5.h5", out)


class Inspect(ProgramTest):
    def test_says_what_a_file_holds_and_how_it_ended(self):
        self.write('title = "a small study"\n' + SMALL)
        self.succeed("run", "study.toml")
        out = self.succeed("inspect", "run.h5").out
        for word in ("a small study", "completed", "post_ln", "n = 6, d = 3", "4 rows", "7 rows", "mean_cosine", "steps_accepted"):
            self.assertIn(word, out)
        seen = self.succeed("inspect", "run.h5", "--json").json
        self.assertEqual((seen["status"], seen["state_rows"], seen["observable_rows"]), ("completed", 4, 7))
        self.assertIn("[attention]", self.succeed("inspect", "run.h5", "--config").out)

    def test_several_files_are_shown_one_after_the_other(self):
        self.write(SMALL)
        for name in ("a.h5", "b.h5"):
            self.succeed("run", "study.toml", "--output", name)
        out = self.succeed("inspect", "a.h5", "b.h5").out
        self.assertEqual(re.findall(r"^file +(\S+)", out, re.M), ["a.h5", "b.h5"])
        self.assertEqual([one["file"] for one in self.succeed("inspect", "a.h5", "b.h5", "--json").json["files"]], ["a.h5", "b.h5"])
        self.assertEqual(self.normdyn("inspect", "a.h5", "missing.h5").code, 4)

    def test_names_that_are_no_text_do_not_break_the_json(self):
        self.write(SMALL)
        path = os.fsencode(self.folder) + b"/o\xff.h5"
        for verb, *arguments in ((b"run", b"study.toml", b"-o", path), (b"inspect", path), (b"explain", b"--from", path)):
            done = subprocess.run([PROGRAM, verb, *arguments, b"--json"], cwd=self.folder, capture_output=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertIn("o\ufffd", done.stdout.decode("utf-8"))

    def test_files_that_are_no_runs_are_refused_in_one_line(self):
        self.write("plain text\n", "text.h5")
        self.refused("inspect", "text.h5", code=4, says=["text.h5"], lines=1)
        self.refused("inspect", "missing.h5", code=4, says=["missing.h5"], lines=1)
        self.refused("inspect", SOURCE / "data" / "glove-1024x100.h5", code=4, says=["glove-1024x100.h5"], lines=1)
        self.refused("run", "--from", "text.h5", code=4, says=["text.h5"], lines=1)


class Doctor(ProgramTest):
    def test_reports_versions_and_the_machine(self):
        facts = self.succeed("doctor", "--json").json
        for name in ("normdyn_version", "compiler", "hdf5_version", "eigen_version", "boost_version", "os", "cpu_model", "n_threads"):
            self.assertTrue(str(facts[name]))
        self.assertIn(facts["hdf5_version"], self.succeed("doctor").out)
        self.assertIn(facts["normdyn_version"], self.succeed("--version").out)


if __name__ == "__main__":
    unittest.main()
