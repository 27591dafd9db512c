"""normdyn reproduce: rows, JSON, verdicts, reports and exit codes; normdyn cite."""

import fcntl
import html.parser
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import threading
import time
import unittest
from xml.etree import ElementTree

import h5py
import numpy as np

from program import PROGRAM, SMALL, SOURCE, ProgramTest

CLAIM = "NA-8"  # cheap, and of the quick suite
DRAWN = "NA-3"  # has a figure
CHEAP = "NA-1"  # takes no time at all, and has a figure


def without_seconds(dossier):
    """What must not depend on the machine: everything but seconds and the command."""
    dossier = json.loads(json.dumps(dossier))
    for one in (dossier, *dossier["claims"]):
        one.pop("seconds")
    dossier.pop("command")
    dossier["summary"] = dossier["summary"].partition(";")[0]
    return dossier


class Reproduce(ProgramTest):
    def test_a_row_says_what_was_claimed_found_and_how_long_it_took(self):
        result = self.succeed("reproduce", "tab2-initial")
        self.assertEqual(result.err, "")
        self.assertRegex(result.out, r"NA-8 +Initial velocity of orthogonal tokens +passes +\d+\.\d\d  \S+.*: .+")
        self.assertRegex(result.out, r"\n1 claim with seed 1: 1 passes; ")

    def test_details_show_every_number(self):
        plain = self.succeed("reproduce", CLAIM).out.splitlines()
        details = self.succeed("reproduce", CLAIM, "--details").out.splitlines()
        n_lines = len(self.succeed("reproduce", CLAIM, "--json").json["claims"][0]["evidence"])
        self.assertGreater(n_lines, 20)
        self.assertEqual(len(details), len(plain) + n_lines)

    def test_the_list_names_every_claim_once(self):
        claims = self.succeed("reproduce", "--list", "--json").json["claims"]
        ids = [claim["id"] for claim in claims]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertIn(CLAIM, ids)
        table = self.succeed("reproduce", "--list").out
        for claim in claims:
            self.assertIn(claim["title"], table)
            for field in ("statement", "hypotheses", "source", "control", "citations"):
                self.assertTrue(claim[field], (claim["id"], field))
        # A name of the source may stand for several claims (Theorem 3.1 has two parts), but never for another's id.
        aliases = {alias.lower() for claim in claims for alias in claim["aliases"]}
        self.assertFalse(aliases & {an_id.lower() for an_id in ids})
        quick = [claim["id"] for claim in self.succeed("reproduce", "quick", "--list", "--json").json["claims"]]
        self.assertEqual(quick, [claim["id"] for claim in claims if claim["is_quick"]])

    def test_unknown_names_are_refused_with_the_nearest(self):
        self.refused("reproduce", "na-88", says=["'na-88'", "'NA-8'"])
        self.refused("reproduce", "qick", says=["'qick'", "'quick'"])
        self.refused("reproduce", "NA-99", says=["'NA-9'"])  # as the list spells it
        self.refused("reproduce", "NA-1,NA-3", says=["'NA-1,NA-3'", "spaces"])
        self.refused("reproduce", "--detials", says=["'--details'"])

    def test_a_seed_is_a_number_of_decimal_digits_that_fits(self):
        for text in ("18446744073709551616", "99999999999999999999999"):
            self.refused("reproduce", CHEAP, "--seed", text, says=[text, "too large", "18446744073709551615"])
        for text in ("-1", "x", "0x10", " 7", "7 ", "1.5", "+3"):
            self.refused("reproduce", CHEAP, f"--seed={text}", says=[f"'{text}'", "decimal digits"])
        for text, seed in (("010", 10), ("18446744073709551615", 18446744073709551615), ("0", 0)):
            self.assertEqual(self.succeed("reproduce", CHEAP, "--seed", text, "--json").json["seed"], seed)

    def test_options_that_change_nothing_are_refused(self):
        for more in (["--out", "x"], ["--seed", "4"], ["--control"], ["--details"]):
            self.refused("reproduce", "--list", *more, says=[more[0], "--list"])
        self.refused("reproduce", CHEAP, "--threads", "x", says=["--threads", "'x'", "whole number"])
        self.refused("reproduce", CHEAP, "--threads", "5000", says=["--threads", "5000", "4096"])
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_an_empty_name_is_no_missing_one(self):
        self.refused("reproduce", CHEAP, "--out", "", says=["--out", "empty"])
        self.refused("cite", "", says=["empty"])

    def test_a_bound_that_is_nearly_met_is_seen_not_to_be_met(self):
        evidence = self.succeed("reproduce", "NA-7", "--json").json["claims"][0]["evidence"]
        for line in evidence:
            if line["kind"] == "bound" and line["measured"] != line["predicted"]:
                left, right = re.match(r"(\S+) [<>]= ([^:]+):", line["text"]).groups()
                self.assertNotEqual(left, right, line["text"])

    def test_a_control_fails_as_it_must(self):
        result = self.succeed("reproduce", CLAIM, "--control")
        self.assertRegex(result.out, r"NA-8 .* fails ")
        self.assertIn("1 control with seed 1: 1 fails, as it must", result.out)
        self.assertEqual(self.succeed("reproduce", CLAIM, "--control", "--json").json["claims"][0]["verdict"], "fails")

    def test_json_is_alone_on_stdout_and_complete(self):
        result = self.succeed("reproduce", CLAIM, "--seed", "7", "--json")
        dossier = result.json
        self.assertEqual((dossier["seed"], dossier["n_asked"], dossier["exit_code"]), (7, 1, 0))
        claim = dossier["claims"][0]
        self.assertEqual((claim["id"], claim["verdict"]), (CLAIM, "passes"))
        for line in claim["evidence"]:
            self.assertIn(line["verdict"], ("recorded", "passes"))
            self.assertTrue(line["text"])

    def test_the_seed_is_that_of_the_starts_and_threads_change_nothing(self):
        first = without_seconds(self.succeed("reproduce", CLAIM, "--json", "--threads", "1").json)
        for n_threads in ("2", "3"):
            again = without_seconds(self.succeed("reproduce", CLAIM, "--json", "--threads", n_threads).json)
            self.assertEqual(first, again)


def numbers_of(path):
    """Every dataset of a report by its name, and every attribute but those of time and command line."""
    found = {}

    def visit(name, thing):
        for key, value in thing.attrs.items():
            if key != "seconds" and isinstance(value, (str, int, float, np.integer)):
                found[f"{name}@{key}"] = value
        if isinstance(thing, h5py.Dataset):
            found[name] = thing[()].tobytes() if thing.dtype.kind in "fi" else list(thing[()])

    with h5py.File(path) as file:
        file.visititems(visit)
    return found


class Report(ProgramTest):
    """The suite quick is examined once; every test reads what it wrote."""

    @classmethod
    def setUpClass(cls):
        cls.home = pathlib.Path(tempfile.mkdtemp(prefix="normdyn-test-"))
        cls.done = cls.reproduce("3")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.home, ignore_errors=True)

    @classmethod
    def reproduce(cls, n_threads, *more):
        return subprocess.run([PROGRAM, "reproduce", "quick", "--json", "--out", f"report-{n_threads}", *more],
                              cwd=cls.home, env={**os.environ, "OMP_NUM_THREADS": n_threads}, capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, check=False)

    def page(self, name):
        return (self.home / "report-3" / name).read_text(encoding="utf-8")

    def test_every_claim_of_the_quick_suite_passes(self):
        self.assertEqual(self.done.returncode, 0, self.done.stdout + self.done.stderr)
        self.assertEqual(self.done.stderr, "")
        for claim in json.loads(self.done.stdout)["claims"]:
            self.assertIn(claim["verdict"], ("passes", "recorded"), claim["id"])

    def test_the_same_bits_for_1_2_and_3_threads(self):
        first = without_seconds(json.loads(self.done.stdout))
        numbers = numbers_of(self.home / "report-3" / "reproduce.h5")
        self.assertGreater(len(numbers), 50)
        for n_threads in ("1", "2"):
            again = self.reproduce(n_threads)
            self.assertEqual(without_seconds(json.loads(again.stdout)), first)
            self.assertEqual(numbers_of(self.home / f"report-{n_threads}" / "reproduce.h5"), numbers)
            for picture in sorted((self.home / "report-3" / "figures").iterdir()):
                same = self.home / f"report-{n_threads}" / "figures" / picture.name
                self.assertEqual(same.read_bytes(), picture.read_bytes(), picture.name)

    def test_pages_name_every_claim_and_show_every_figure(self):
        markdown, page = self.page("reproduce.md"), self.page("reproduce.html")
        self.assertEqual(sorted(path.name for path in (self.home / "report-3").iterdir()),
                         ["figures", "reproduce.h5", "reproduce.html", "reproduce.md"])  # and no temporary file
        n_figures = 0
        for claim in json.loads(self.done.stdout)["claims"]:
            self.assertIn(f'<section id="{claim["id"].lower()}">', page)
            self.assertIn(f'## {claim["id"]}: ', markdown)
            n_figures += len(claim["figures"])
        pictures = list((self.home / "report-3" / "figures").glob("*.svg"))
        self.assertEqual(len(pictures), n_figures)
        self.assertEqual(page.count("<figure>"), n_figures)
        for picture in pictures:
            self.assertIn(f"(figures/{picture.name})", markdown)
            self.assertIn(picture.read_text(encoding="utf-8"), page)
            ElementTree.parse(picture)

    def test_the_page_is_well_formed_and_asks_nobody(self):
        checker = Nesting()
        checker.feed(self.page("reproduce.html"))
        self.assertEqual((checker.open, checker.problems), ([], []))
        self.assertEqual(sorted(set(checker.ids)), sorted(checker.ids))
        self.assertEqual([link for link in checker.links if not link.startswith("#")], [])
        for link in checker.links:
            self.assertIn(link[1:], checker.ids)

    def test_numbers_are_those_of_the_json(self):
        with h5py.File(self.home / "report-3" / "reproduce.h5") as file:
            for claim in json.loads(self.done.stdout)["claims"]:
                group = file[claim["id"]]
                self.assertEqual(group.attrs["statement"], claim["statement"])
                measured = [np.nan if line["measured"] is None else line["measured"] for line in claim["evidence"]]
                np.testing.assert_array_equal(group["evidence/measured"][()], measured)
                self.assertEqual(len(group["figures"]), len(claim["figures"]))

    def test_a_report_is_not_overwritten_by_accident(self):
        before = numbers_of(self.home / "report-3" / "reproduce.h5")
        again = self.reproduce("3")
        self.assertEqual((again.returncode, again.stdout), (2, ""))
        self.assertIn("--overwrite", again.stderr)
        self.assertEqual(numbers_of(self.home / "report-3" / "reproduce.h5"), before)

    def test_without_gnuplot_everything_else_is_written(self):
        bin_folder = self.folder / "bin"
        bin_folder.mkdir()
        result = self.normdyn("reproduce", DRAWN, "--out", "report", env={"PATH": str(bin_folder)})
        self.assertEqual(result.code, 0, result)
        self.assertIn("gnuplot is not installed", result.err)
        self.assertIn("gnuplot is not installed", (self.folder / "report" / "reproduce.md").read_text())
        self.assertIn("gnuplot is not installed", (self.folder / "report" / "reproduce.html").read_text())
        self.assertTrue((self.folder / "report" / "reproduce.h5").exists())
        self.succeed("reproduce", DRAWN, "--out", "report", "--overwrite")
        self.assertTrue(list((self.folder / "report" / "figures").glob("*.svg")))
        self.refused("reproduce", DRAWN, "--overwrite", says=["--out"])


    def test_figures_of_the_report_before_are_removed_and_others_are_kept(self):
        figures = self.folder / "report" / "figures"
        self.succeed("reproduce", CHEAP, "--out", "report")
        before = {path.name for path in figures.iterdir()}
        self.assertTrue(before)
        (figures / "mine.svg").write_text("<svg/>")
        (figures / "na-01-notes.txt").write_text("mine too")
        self.succeed("reproduce", DRAWN, "--out", "report", "--overwrite")
        after = {path.name for path in figures.iterdir()}
        self.assertFalse(before & after)
        self.assertLessEqual({"mine.svg", "na-01-notes.txt"}, after)
        self.assertTrue(any(name.startswith("na-03") for name in after))

    def test_a_report_is_complete_though_nobody_reads_the_rows(self):
        program = subprocess.Popen([PROGRAM, "reproduce", CHEAP, DRAWN, "--out", "report"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        program.stdout.close()  # as `| head -0` does
        problem = program.stderr.read()
        program.stderr.close()
        self.assertEqual((program.wait(timeout=120), problem), (0, ""))
        self.assertIn(f"## {DRAWN}: ", (self.folder / "report" / "reproduce.md").read_text())
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "reproduce", CHEAP, "--out", "other"], cwd=self.folder, stdout=full,
                                  stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertTrue((self.folder / "other" / "reproduce.h5").exists())

    def test_what_cannot_be_written_leaves_the_rest(self):
        (self.folder / "report").mkdir()
        (self.folder / "report" / "figures").write_text("a file in the place of the folder")
        result = self.normdyn("reproduce", CHEAP, "--out", "report")
        self.assertEqual(result.code, 4, result)
        self.assertIn("1 claim with seed 1: 1 passes", result.out)
        self.assertIn("figures", result.err)
        self.assertTrue((self.folder / "report" / "reproduce.h5").exists())
        for page in ("reproduce.md", "reproduce.html"):
            text = (self.folder / "report" / page).read_text()
            self.assertIn("not drawn", text)
            self.assertNotIn("](figures/", text)

    def test_a_folder_in_use_is_refused_before_the_work(self):
        (self.folder / "report").mkdir()
        held = os.open(self.folder / "report", os.O_RDONLY)
        fcntl.flock(held, fcntl.LOCK_EX)
        self.refused("reproduce", CHEAP, "--out", "report", "--overwrite", says=["report", "another"])
        os.close(held)
        self.succeed("reproduce", CHEAP, "--out", "report")

    def test_the_command_of_a_report_is_safe_to_paste(self):
        for k, name in enumerate(("x'; touch PWNED; '", "o'brien", "$(touch PWNED)", "a b", "~x", "back\\slash", "!x")):
            with self.subTest(name=name):
                folder = self.folder / str(k)
                folder.mkdir()
                subprocess.run([PROGRAM, "reproduce", CHEAP, "--out", name], cwd=folder, check=True, capture_output=True)
                page = (folder / name / "reproduce.md").read_text(encoding="utf-8")
                command = re.search(r"^    normdyn (reproduce .*)$", page, re.M).group(1)
                shutil.rmtree(folder / name)
                subprocess.run(["/bin/sh", "-c", f'"{PROGRAM}" {command}'], cwd=folder, check=True, capture_output=True)
                self.assertEqual([path.name for path in folder.iterdir()], [name])

    def test_json_is_valid_whatever_a_path_holds(self):
        done = subprocess.run([PROGRAM, "reproduce", CHEAP, "--json", "--out", b"r\xff"], cwd=self.folder,
                              capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertIn("r\ufffd", json.loads(done.stdout)["command"])


class Nesting(html.parser.HTMLParser):
    """Whether every element is closed where it was opened; ids and links on the way."""

    def __init__(self):
        super().__init__()
        self.open, self.problems, self.ids, self.links = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.look(attrs)
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.look(attrs)

    def look(self, attrs):
        for key, value in attrs:
            if key == "id":
                self.ids.append(value)
            if key in ("href", "xlink:href", "src"):
                self.links.append(value)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append((tag, self.getpos()))


class Cite(ProgramTest):
    def test_a_study_cites_its_schemes_and_methods(self):
        self.write(SMALL)
        out = self.succeed("cite", "study.toml").out
        for part in ("normdyn", "arXiv:2510.22026", "scheme post_ln", "arXiv:2002.04745", "method "):
            self.assertIn(part, out)
        self.succeed("run", "study.toml")
        self.assertEqual(self.succeed("cite", "run.h5").out, out)
        swept = self.succeed("cite", SOURCE / "data" / "studies" / "words.toml", "--json").json["citations"]
        self.assertLessEqual({"peri-ln", "ngpt", "mix-ln", "layernorm-scaling"}, {one["key"] for one in swept})

    def test_bibtex_has_every_entry_once(self):
        out = self.succeed("cite", CLAIM, "NA-3", "--bibtex").out
        keys = re.findall(r"^@\w+\{([\w-]+),$", out, flags=re.M)
        self.assertEqual(len(keys), len(set(keys)))
        self.assertLessEqual({"normdyn", "normalization-attention", "odeint"}, set(keys))
        self.assertEqual(out.count("{"), out.count("}"))

    def test_what_is_unknown_is_refused(self):
        self.refused("cite", "na-88", says=["'na-88'"])
        self.refused("cite", "missing.toml", code=4, says=["missing.toml"])
        self.refused("cite", "missing.h5", code=4, says=["missing.h5"])
        self.refused("cite", "missing.hdf5", code=4, says=["missing.hdf5"])
        result = self.refused("cite", "foo", says=["normdyn: cite: ", "'foo'", ".toml", ".h5"])
        self.assertNotIn("normdyn: reproduce", result.err)
        self.refused("cite", "--json", "--bibtex", says=["--json", "--bibtex"])

    def test_json_says_what_is_known_and_no_more(self):
        program, *others = self.succeed("cite", "--json").json["citations"]
        self.assertEqual((program["authors"], program["year"], program["arxiv"]), (["The normdyn developers"], None, None))
        self.assertTrue(any(one["arxiv"] == "2510.22026" for one in others))
        self.assertNotIn(", others.", self.succeed("cite").out)


class Terminal(ProgramTest):
    """Stdout is a pipe, stderr a terminal."""

    def start(self, *arguments, columns=0, stdout=subprocess.PIPE):
        leader, follower = pty.openpty()
        if columns:
            fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        program = subprocess.Popen([PROGRAM, "reproduce", *arguments], cwd=self.folder,
                                   stdout=follower if stdout is None else stdout, stderr=follower, stdin=subprocess.DEVNULL, text=True,
                                   env={**os.environ, "TERM": "xterm"})
        os.close(follower)
        progress = []
        reader = threading.Thread(target=self.read_all, args=(leader, progress))
        reader.start()
        return program, progress, reader

    @staticmethod
    def read_all(terminal, parts):
        try:
            while part := os.read(terminal, 1 << 16):
                parts.append(part.decode())
        except OSError:  # the other end is closed
            pass
        os.close(terminal)

    def test_rows_fit_into_80_columns_and_keep_the_number(self):
        program, parts, reader = self.start(CHEAP, DRAWN, columns=80, stdout=None)
        self.assertEqual(program.wait(timeout=120), 0)
        reader.join()
        text = re.sub(r"\x1b\[[0-9;]*[mK]", "", "".join(parts))
        rows = [line for line in re.split(r"[\r\n]+", text) if re.match(rf"({CHEAP}|{DRAWN}) .* passes", line)]
        self.assertEqual(len(rows), 2, text)
        for row in rows:
            self.assertLessEqual(len(row), 80)
            self.assertRegex(row, r"passes +\d+\.\d\d  .*\d")

    def test_a_hangup_keeps_what_was_done(self):
        self.stopped_by(signal.SIGHUP)

    def test_ctrl_c_keeps_what_was_done(self):
        self.stopped_by(signal.SIGINT)

    def stopped_by(self, sent):
        claims = self.succeed("reproduce", "--list", "--json").json["claims"]
        later = claims[[claim["id"] for claim in claims].index(CLAIM) + 1:]
        if not later:
            self.skipTest("nothing comes after it")
        longest = max(later, key=lambda claim: claim["cost_seconds"])["id"]
        program, progress, reader = self.start(CLAIM, longest)
        rows = [program.stdout.readline() for _ in range(2)]
        time.sleep(0.2)
        program.send_signal(sent)
        rest, _ = program.communicate(timeout=300)
        reader.join()
        self.assertRegex(rows[1], rf"^{CLAIM} .* passes ")
        self.assertIn("1 claim with seed 1: 1 passes", rest)
        self.assertIn("stopped: 1 of 2 were not examined", rest)
        self.assertEqual(program.returncode, 75)
        self.assertIn("stopping at the next step; what is done is kept", "".join(progress))
        self.assertRegex("".join(progress), rf"{CLAIM} \(1/2\)  \[[#-]+\] +\d+ %  ETA ")


if __name__ == "__main__":
    unittest.main()
