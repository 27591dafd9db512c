"""normdyn reproduce: rows, JSON, verdicts, reports and exit codes; normdyn cite."""

import html.parser
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest
from xml.etree import ElementTree

import h5py
import numpy as np

from program import PROGRAM, SMALL, SOURCE, ProgramTest

CLAIM = "NA-8"  # cheap, and of the quick suite
DRAWN = "NA-3"  # has a figure


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
        self.refused("reproduce", "na-88", says=["'na-88'", "'na-8'"])
        self.refused("reproduce", "qick", says=["'qick'", "'quick'"])
        self.refused("reproduce", "--seed", "-1", says=["--seed"])
        self.refused("reproduce", "--detials", says=["'--details'"])

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


class Terminal(ProgramTest):
    """Stdout is a pipe, stderr a terminal."""

    def start(self, *arguments):
        leader, follower = pty.openpty()
        program = subprocess.Popen([PROGRAM, "reproduce", *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=follower, stdin=subprocess.DEVNULL, text=True,
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

    def test_ctrl_c_keeps_what_was_done(self):
        claims = self.succeed("reproduce", "--list", "--json").json["claims"]
        later = claims[[claim["id"] for claim in claims].index(CLAIM) + 1:]
        if not later:
            self.skipTest("nothing comes after it")
        longest = max(later, key=lambda claim: claim["cost_seconds"])["id"]
        program, progress, reader = self.start(CLAIM, longest)
        rows = [program.stdout.readline() for _ in range(2)]
        time.sleep(0.2)
        program.send_signal(signal.SIGINT)
        rest, _ = program.communicate(timeout=300)
        reader.join()
        self.assertRegex(rows[1], rf"^{CLAIM} .* passes ")
        self.assertIn("1 claim with seed 1: 1 passes", rest)
        self.assertIn("stopped: 1 of 2 were not examined", rest)
        self.assertEqual(program.returncode, 75)
        self.assertRegex("".join(progress), rf"{CLAIM} \(1/2\)  \[[#-]+\] +\d+ %  ETA ")


if __name__ == "__main__":
    unittest.main()
