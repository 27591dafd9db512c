"""normdyn run: results, files, exit codes."""

import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import time
import unittest

import h5py
import numpy as np

from program import PROGRAM, SMALL, SOURCE, ProgramTest

# Antipodal tokens at beta = 0: A = 0, where Peri-LN and nGPT are undefined.
ANTIPODAL = """
[initial]
kind = "explicit"
theta = [[1.0, 0.0], [-1.0, 0.0]]
[attention]
beta = 0.0
[scheme]
name = "peri_ln"
[time]
end = 1.0
[output]
file = "run.h5"
record = ["clock"]
"""


def datasets(path):
    """Everything that 'identical' is about: all datasets but wall_time and /provenance."""
    found = {}

    def visit(name, item):
        if isinstance(item, h5py.Dataset) and not name.startswith("provenance") and name != "wall_time":
            found[name] = item[()]

    with h5py.File(path, "r") as file:
        file.visititems(visit)
    return found


class Run(ProgramTest):
    def same(self, first, second):
        a, b = datasets(self.folder / first), datasets(self.folder / second)
        self.assertEqual(sorted(a), sorted(b))
        for name in a:
            one, other = np.asarray(a[name]), np.asarray(b[name])
            self.assertEqual(one.dtype, other.dtype)
            self.assertTrue(np.array_equal(one, other, equal_nan=one.dtype.kind == "f"), name)

    def test_a_study_gives_a_table_and_a_file(self):
        self.write(SMALL)
        result = self.succeed("run", "study.toml")
        for word in ("post_ln", "clusters", "mean cosine", "clock", "evaluations", "completed", "run.h5", "next: normdyn inspect"):
            self.assertIn(word, result.out)
        self.assertEqual(result.err, "")  # no progress when stderr is no terminal
        with h5py.File(self.folder / "run.h5", "r") as file:
            self.assertEqual(file["theta"].shape, (4, 6, 3))
            self.assertEqual(file["mean_cosine"].shape[0], 7)
            self.assertTrue(np.allclose(np.linalg.norm(file["theta"][()], axis=-1), 1.0, atol=1e-14, rtol=0))

    def test_json_and_quiet(self):
        self.write(SMALL)
        result = self.succeed("run", "study.toml", "--json")
        case = result.json["cases"][0]
        self.assertEqual(case["outcome"], "completed")
        self.assertAlmostEqual(case["clock"], 3.0, delta=1e-13)  # Post-LN's clock is time
        quiet = self.succeed("run", "study.toml", "--quiet", "--overwrite")
        self.assertEqual((quiet.out, quiet.err), ("", ""))

    def test_set_and_environment(self):
        self.write(SMALL)
        self.succeed("run", "study.toml", "--set", "time.end=1.5", "--set", "scheme.name=pre_ln",
                     env={"NORMDYN_TIME__END": "9", "NORMDYN__SEED": "8"})
        with h5py.File(self.folder / "run.h5", "r") as file:
            self.assertEqual(file["time"][-1], 1.5)
            self.assertEqual(int(file["seed"][()]), 8)
            self.assertIn("radius", file)

    def test_the_table_says_when_an_event_ended_the_run(self):
        self.write(SMALL.replace("end = 3.0", 'end = 300.0\nstop = { when = "mean_cosine > 0.5" }'))
        out = self.succeed("run", "study.toml").out
        time_shown = float(re.search(r"event at (\S+)", out).group(1))
        time_kept = self.succeed("inspect", "run.h5", "--json").json["events"][0]["time"]
        self.assertAlmostEqual(time_shown, time_kept, delta=1e-4 * time_kept)

    def test_a_header_that_is_no_token_is_said(self):
        self.write("x,y,z\n1,0,0\n0,1,0\n0,0,1\n", "tokens.csv")
        self.write(SMALL.replace('kind = "uniform"\ntokens = 6\ndim = 3', 'kind = "file"\nfile = "tokens.csv"'))
        for verb in ("explain", "run"):
            self.assertIn("the first line of tokens.csv is a header, no token: 'x,y,z'", self.succeed(verb, "study.toml").out)
        self.write("1,0,0\n0,1,0\n0,0,1\n", "tokens.csv")
        self.assertNotIn("header", self.succeed("run", "study.toml", "--overwrite").out)

    def test_a_folder_in_the_place_of_the_file_is_named_first(self):
        self.write(SMALL)
        (self.folder / "some").mkdir()
        for more in ([], ["--overwrite"]):
            self.refused("run", "study.toml", "--output", "some", *more, says=["some", "is a folder"])

    def test_what_is_set_in_a_repetition_changes_what_follows_from_it(self):
        self.write(SMALL)
        self.succeed("run", "study.toml")
        case = self.succeed("explain", "--from", "run.h5", "--set", "solver.rtol=1e-4", "--json").json["cases"][0]
        self.assertIn('method = "dopri5"', case["config"])
        self.assertIn("radius_rtol = 0.0001", case["config"])
        self.assertIn('method = "dop853"', self.succeed("explain", "--from", "run.h5", "--json").json["cases"][0]["config"])

    def test_existing_output_is_kept_unless_overwrite_is_asked_for(self):
        self.write(SMALL)
        self.succeed("run", "study.toml")
        before = (self.folder / "run.h5").read_bytes()
        self.refused("run", "study.toml", says=["run.h5", "exists", "--overwrite"])
        self.assertEqual((self.folder / "run.h5").read_bytes(), before)
        self.succeed("run", "study.toml", "--overwrite", "--set", "seed=6")
        self.assertNotEqual((self.folder / "run.h5").read_bytes(), before)

    def test_two_starts_at_once_give_one_file(self):
        self.write(SMALL)
        both = [subprocess.Popen([PROGRAM, "run", "study.toml", "--quiet"], cwd=self.folder, stderr=subprocess.PIPE) for _ in range(2)]
        codes = sorted(one.wait(timeout=120) for one in both)
        for one in both:
            one.stderr.close()
        self.assertEqual(codes[0], 0)
        self.assertIn(codes[1], (0, 2))
        if codes[1] == 0:  # they may not have overlapped only if one replaced the other, which is forbidden
            self.fail("both wrote one file")

    def test_a_numerical_end_keeps_its_rows_and_names_scheme_token_and_time(self):
        self.write(ANTIPODAL)
        result = self.normdyn("run", "study.toml")
        self.assertEqual(result.code, 3, result)
        for word in ("peri_ln", "token 0", "t = 0"):
            self.assertIn(word, result.err)
        with h5py.File(self.folder / "run.h5", "r") as file:
            self.assertEqual(file["theta"].shape[0], 1)
            status = file.attrs["status"]
            self.assertEqual(status.decode() if isinstance(status, bytes) else status, "failed")

    def test_files_of_a_run_say_what_made_them(self):
        self.write(SMALL)
        self.succeed("run", "study.toml")
        facts = self.succeed("inspect", "run.h5", "--json").json["provenance"]
        for name in ("normdyn_version", "git_commit", "git_dirty", "compiler", "cxx_flags", "boost_version", "eigen_version",
                     "hdf5_version", "muparser_version", "tomlplusplus_version", "os", "cpu_model", "simd_target",
                     "attention_kernel", "n_threads", "rhs_evals",
                     "steps_accepted", "steps_rejected", "start_time", "exit_code"):
            self.assertIn(name, facts)
        text = (self.folder / "run.h5").read_bytes()
        self.assertNotIn("hostname", facts)
        with h5py.File(self.folder / "run.h5", "r") as file:
            self.assertEqual(file.attrs["source"], "normdyn " + facts["normdyn_version"])
        if len(os.path.expanduser("~")) > len("/root"):
            self.assertNotIn(os.path.expanduser("~").encode(), text)

    def test_host_only_on_request(self):
        self.write(SMALL)
        self.succeed("run", "study.toml", "--set", "output.host=true")
        facts = self.succeed("inspect", "run.h5", "--json").json["provenance"]
        self.assertIn("hostname", facts)
        self.assertIn("user", facts)

    def test_a_run_repeats_from_its_file_bit_for_bit(self):
        self.write("1.0,0.5,0.25\n-0.5,1.0,0.125\n0.25,0.5,-1.0\n0.5,-0.5,0.75\n", "x.csv")
        text = SMALL.replace('kind = "uniform"\ntokens = 6\ndim = 3', 'kind = "file"\nfile = "x.csv"').replace("post_ln", "pre_ln")
        self.write(text.replace("run.h5", "out/run.h5"))
        self.succeed("run", "study.toml", "--set", "attention.beta=\"sqrt(d)\"")
        self.succeed("run", "--from", "out/run.h5")
        self.same("out/run.h5", "out/run-repeat.h5")
        self.refused("run", "--from", "out/run.h5", says=["run-repeat.h5", "exists"])
        self.succeed("run", "--from", "out/run-repeat.h5", "--output", "third.h5", env={"NORMDYN_ATTENTION__BETA": "9"})
        self.same("out/run.h5", "third.h5")
        ids = {self.succeed("inspect", name, "--json").json["run_id"] for name in ("out/run.h5", "third.h5")}
        self.assertEqual(len(ids), 1)
        self.write("1.0,0.5,0.25\n-0.5,1.0,0.125\n0.25,0.5,-1.0\n0.5,-0.5,0.7\n", "x.csv")
        self.refused("run", "--from", "out/run.h5", "--output", "fourth.h5", code=4, says=["x.csv", "SHA-256"])

    def test_threads_and_locales_change_no_bit(self):
        self.write(SMALL)
        self.succeed("run", "study.toml", "--output", "one.h5", "--threads", "1")
        self.succeed("run", "study.toml", "--output", "three.h5", "--threads", "3",
                     env={"LC_ALL": "de_DE.UTF-8", "LC_NUMERIC": "de_DE.UTF-8"})
        self.same("one.h5", "three.h5")

    def test_a_folder_that_cannot_be_written_is_file_trouble(self):
        self.write(SMALL)
        (self.folder / "file").write_text("no folder")
        self.refused("run", "study.toml", "--output", "file/run.h5", code=4, says=["file"])
        self.refused("run", "study.toml", "--output", "/proc/nothing/run.h5", code=4, says=["/proc/nothing"])

    def test_a_signal_stops_after_the_step_and_keeps_the_rows(self):
        self.write(SMALL.replace("end = 3.0", "end = 1e9").replace("count = 4", "every = 1e8")
                   .replace('[output]', '[solver]\nlargest_step = 0.01\nmax_steps = 1000000000\n[output]'))
        for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1):
            with self.subTest(sent=sent):
                run = subprocess.Popen([PROGRAM, "run", "study.toml", "--overwrite"], cwd=self.folder,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                time.sleep(1.5)
                run.send_signal(sent)
                out, err = run.communicate(timeout=60)
                self.assertEqual(run.returncode, 75, out + err)
                seen = self.succeed("inspect", "run.h5", "--json").json
                self.assertEqual(seen["status"], "stopped")
                self.assertGreaterEqual(seen["state_rows"], 1)

    def test_help_shows_two_examples_first(self):
        for verb in ("run", "explain", "template", "inspect", "doctor"):
            lines = self.succeed(verb, "--help").out.splitlines()
            at = lines.index("Examples:")
            self.assertLess(at, 4)
            self.assertTrue(all(line.startswith("  normdyn " + verb) for line in lines[at + 1:at + 3]))

    def test_no_color_without_a_terminal(self):
        self.write(SMALL)
        self.assertNotIn("\x1b", self.succeed("run", "study.toml").out)


class Sweep(ProgramTest):
    def test_cases_run_in_order_with_their_own_files(self):
        self.write(SMALL.replace('"run.h5"', '"out/{scheme}-{beta}.h5"') +
                   '[sweep]\nscheme = [{ name = "post_ln" }, { name = "mix_ln", tau = 1.0 }]\nattention.beta = [1.0, 2.5]\n')
        result = self.succeed("run", "study.toml", "--json")
        self.assertEqual([case["case"] for case in result.json["cases"]],
                         ["post_ln beta=1", "post_ln beta=2.5", "mix_ln beta=1", "mix_ln beta=2.5"])
        names = sorted(path.name for path in (self.folder / "out").iterdir())
        self.assertEqual(names, ["mix_ln-1.h5", "mix_ln-2.5.h5", "post_ln-1.h5", "post_ln-2.5.h5"])

    def test_without_a_file_name_the_swept_values_make_one(self):
        self.write(SMALL.replace('file = "run.h5"\n', "") + "[sweep]\nattention.beta = [1.0, 2.5]\n")
        self.succeed("run", "study.toml")
        self.assertEqual(sorted(path.name for path in (self.folder / "out").iterdir()), ["study-1.h5", "study-2.5.h5"])

    def test_two_cases_never_share_a_file(self):
        self.write(SMALL + "[sweep]\nattention.beta = [1.0, 2.5]\n")
        self.refused("run", "study.toml", says=["output.file", "run.h5", "{attention.beta}"])

    def test_a_failed_case_does_not_stop_the_others(self):
        text = ANTIPODAL.replace('"run.h5"', '"out/{scheme}.h5"')
        text += '[sweep]\nscheme.name = ["post_ln", "ngpt", "pre_ln"]\n'
        self.write(text)
        result = self.normdyn("run", "study.toml", "--json")
        self.assertEqual(result.code, 3, result)
        self.assertEqual([case["exit_code"] for case in result.json["cases"]], [0, 3, 0])
        self.assertIn("token 0", result.json["cases"][1]["problem"])

    def test_an_empty_sweep_says_so(self):
        self.write(SMALL + "[sweep]\nattention.beta = []\n")
        self.assertIn("no cases", self.succeed("run", "study.toml").out)

    def test_one_record_serves_schemes_with_and_without_radii(self):
        self.write(SMALL.replace('"clock"]', '"clock", "radius_range"]').replace('"run.h5"', '"{scheme}.h5"') +
                   '[sweep]\nscheme.name = ["post_ln", "pre_ln"]\n')
        self.succeed("run", "study.toml")
        with h5py.File(self.folder / "pre_ln.h5", "r") as file:
            self.assertIn("radius_max", file)
        with h5py.File(self.folder / "post_ln.h5", "r") as file:
            self.assertNotIn("radius_max", file)
        self.succeed("run", "--from", "post_ln.h5")
        self.write(SMALL.replace('"clock"]', '"clock", "radius_range"]'))
        self.refused("run", "study.toml", says=["radius_range"])


class Flagship(ProgramTest):
    """The studies of data/, as they stand."""

    def copy_of(self, study):
        (self.folder / "studies").mkdir()
        shutil.copy(SOURCE / "data" / "glove-1024x100.h5", self.folder)
        shutil.copy(SOURCE / "data" / "studies" / study, self.folder / "studies")

    def test_words(self):
        self.copy_of("words.toml")
        result = self.succeed("run", "studies/words.toml", timeout=800)
        rows = {line.split()[0]: line.split() for line in result.out.splitlines() if line.split() and "completed" in line}
        self.assertEqual(sorted(rows), ["mix_ln", "ngpt", "peri_ln", "post_ln", "pre_ln", "sqrt_scaling"])
        self.assertEqual(rows["post_ln"][1], "28")
        self.assertEqual(rows["pre_ln"][1], "242")
        self.assertIn("government president state national war", result.out)

    def test_between(self):
        self.copy_of("between.toml")
        result = self.succeed("run", "studies/between.toml", "--set", "time.end=2", "--json", timeout=800)
        self.assertEqual(len(result.json["cases"]), 33)
        self.assertTrue((self.folder / "studies" / "out" / "between-0.3-0.5.h5").exists())


if __name__ == "__main__":
    unittest.main()
