"""Runs the program under test. NORMDYN is its path, NORMDYN_SOURCE the source folder."""

import json
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ["NORMDYN"]
SOURCE = pathlib.Path(os.environ["NORMDYN_SOURCE"])

SMALL = """
seed = 5
[initial]
kind = "uniform"
tokens = 6
dim = 3
[attention]
beta = 2.0
[scheme]
name = "post_ln"
[time]
end = 3.0
[output]
file = "run.h5"
states = { spacing = "linear", count = 4 }
observables = { spacing = "linear", count = 7 }
record = ["mean_cosine", "n_clusters", "clock"]
"""


def cpu_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Result:
    def __init__(self, code, out, err, seconds, cpu_seconds):
        self.code, self.out, self.err, self.seconds, self.cpu_seconds = code, out, err, seconds, cpu_seconds

    @property
    def json(self):
        return json.loads(self.out)

    def __repr__(self):
        return f"exit code {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


class ProgramTest(unittest.TestCase):
    """Each test has a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="normdyn-test-"))

    def tearDown(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def write(self, text, name="study.toml"):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return name

    def normdyn(self, *arguments, env=None, timeout=300):
        begin, cpu_begin = time.monotonic(), cpu_of_children()
        done = subprocess.run(
            [PROGRAM, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=timeout,
            stdin=subprocess.DEVNULL, env={**os.environ, **(env or {})},
        )
        return Result(done.returncode, done.stdout, done.stderr, time.monotonic() - begin,
                      cpu_of_children() - cpu_begin)

    def succeed(self, *arguments, **keywords):
        result = self.normdyn(*arguments, **keywords)
        self.assertEqual(result.code, 0, result)
        return result

    def refused(self, *arguments, code=2, says=(), lines=4, **keywords):
        """Refused at once, in a few lines that say all of `says`, and nothing on stdout."""
        result = self.normdyn(*arguments, **keywords)
        self.assertEqual(result.code, code, result)
        self.assertTrue(result.err.startswith("normdyn: "), result)
        self.assertLessEqual(len(result.err.splitlines()), lines, result)
        self.assertEqual(result.out, "", result)
        self.assertNotIn("std::", result.err)
        for word in says:
            self.assertIn(word, result.err, result)
        return result
