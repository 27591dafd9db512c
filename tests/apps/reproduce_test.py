"""normdyn reproduce: rows, JSON, verdicts and exit codes."""

import json
import os
import pty
import signal
import subprocess
import threading
import time
import unittest

from program import PROGRAM, ProgramTest

CLAIM = "NA-8"  # cheap, and of the quick suite


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
        names = [name.lower() for claim in claims for name in (claim["id"], *claim["aliases"])]
        self.assertEqual(len(names), len(set(names)))
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
