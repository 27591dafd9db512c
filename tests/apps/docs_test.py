"""The documents are true: links resolve, commands print what is shown, examples of configs are accepted.

In a document, a block
  ```console   shows commands after "$ " and what they print; "..." stands for any number of lines
  ```python    is run where it stands; a ```text block after it shows what it prints
  ```toml      is a part of a study: put into a small study, it is accepted
Numbers are compared to their printed digits, counts to 3 percent (they depend on rounding of the mathematical library),
the seconds that a run takes not at all.
"""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest

PROGRAM = os.environ["NORMDYN"]
SOURCE = pathlib.Path(os.environ["NORMDYN_SOURCE"])
COPIED = ("README.md", "docs", "data")
LEFT_OUT = shutil.ignore_patterns("out", "__pycache__")
HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None

RUN = """
seed = 5
[initial]
kind = "uniform"
tokens = 6
dim = 3
[scheme]
name = "pre_ln"
[time]
end = 3.0
[output]
file = "run.h5"
states = { spacing = "linear", count = 4 }
observables = { spacing = "linear", count = 7 }
"""


def documents():
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=SOURCE, capture_output=True, text=True, check=False)
    found = [SOURCE / name for name in listed.stdout.split()] if listed.returncode == 0 else []
    return sorted(found or [path for path in SOURCE.glob("**/*.md") if "build" not in path.parts])


def blocks(path):
    """(line, kind, text) of each fenced block."""
    found, kind, begin, body = [], None, 0, []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if kind is None and line.startswith("```"):
            kind, begin, body = line[3:].strip(), number, []
        elif kind is not None and line == "```":
            found.append((begin, kind, "\n".join(body)))
            kind = None
        elif kind is not None:
            body.append(line)
    return found


def slug(heading):
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).replace(" ", "-")


def same_word(shown, printed):
    if shown == printed:
        return True
    try:
        expected, value = float(shown), float(printed)
    except ValueError:
        return False
    if re.fullmatch(r"\d+", shown):  # a count
        return abs(value - expected) <= 0.03 * expected
    mantissa, _, exponent = shown.lower().partition("e")
    digits = len(mantissa.partition(".")[2])
    unit = 10.0 ** (int(exponent or 0) - digits)
    if exponent and digits == 0:  # an error of one digit: its size counts
        return expected / 4 <= value <= expected * 4 or max(expected, value) < 1e-13
    return abs(value - expected) <= 1.01 * unit


def same_line(shown, printed):
    if shown == printed:
        return True
    left, right = shown.split(), printed.split()
    if "completed" in left:  # a row of the table of results: the last column is seconds
        left, right = left[:-1], right[:-1]
    if left and set("".join(left)) == {"-"}:  # a rule, as wide as the columns
        return bool(right) and set("".join(right)) == {"-"}
    return len(left) == len(right) and all(map(same_word, left, right))


def matches(shown, printed):
    """Whether the lines `printed` are those `shown`, in which "..." stands for any lines."""
    if not shown:
        return not printed
    if shown[0] == "...":
        return any(matches(shown[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and same_line(shown[0], printed[0]) and matches(shown[1:], printed[1:])


def toml_value(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items()) + " }"
    return repr(value)


def toml_key(key):
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml_value(key)


class Links(unittest.TestCase):
    def test_every_link_leads_somewhere(self):
        for path in documents():
            text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
            for target in re.findall(r"\]\(([^)\s]+)\)", text):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                file = path if not name else path.parent / name
                with self.subTest(document=path.name, link=target):
                    self.assertTrue(file.exists())
                    if anchor:
                        headings = re.findall(r"^#+ +(.*)$", file.read_text(encoding="utf-8"), flags=re.M)
                        self.assertIn(anchor, map(slug, headings))

    def test_every_document_is_reached_from_the_readme(self):
        reached, waiting = set(), [SOURCE / "README.md"]
        while waiting:
            path = waiting.pop().resolve()
            if path in reached or not path.exists():
                continue
            reached.add(path)
            for target in re.findall(r"\]\(([^)#\s]+\.md)[^)]*\)", path.read_text(encoding="utf-8")):
                if not re.match(r"[a-z]+:", target):
                    waiting.append(path.parent / target)
        notes = SOURCE / "docs" / "changes"
        missing = [str(path) for path in documents() if path.resolve() not in reached and path.parent != notes]
        self.assertEqual(missing, [])


def copied(source, target):
    """Data are large, and only read."""
    if source.endswith(".h5"):
        os.symlink(source, target)
    else:
        shutil.copy2(source, target)


class DocumentTest(unittest.TestCase):
    """Each test has a folder of its own, in which `normdyn` and `python3` are the right ones."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="normdyn-docs-"))
        bin_folder = self.folder / ".bin"
        bin_folder.mkdir()
        (bin_folder / "normdyn").symlink_to(PROGRAM)
        (bin_folder / "python3").symlink_to(sys.executable)
        self.environment = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "MPLBACKEND": "agg"}

    def tearDown(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def fresh_copy(self, name):
        folder = self.folder / name
        folder.mkdir()
        for part in COPIED:
            if (SOURCE / part).is_dir():
                shutil.copytree(SOURCE / part, folder / part, ignore=LEFT_OUT, copy_function=copied)
            else:
                shutil.copy(SOURCE / part, folder)
        return folder

    def run_in(self, folder, command):
        return subprocess.run(command, cwd=folder, shell=isinstance(command, str), env=self.environment, timeout=600,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)

    def check(self, shown, printed):
        shown, printed = shown.splitlines(), [line.rstrip() for line in printed.splitlines()]
        while printed and not printed[-1]:
            printed.pop()
        while shown and not shown[-1]:
            shown.pop()
        self.assertTrue(matches(shown, printed), "\n--- shown\n" + "\n".join(shown) + "\n--- printed\n" + "\n".join(printed))

    def check_console(self, folder, text):
        for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
            command, _, shown = part.partition("\n")
            command = command.replace("./dev run", "normdyn run data/studies/words.toml --overwrite")
            self.check(shown, self.run_in(folder, command).stdout)


class Shown(DocumentTest):
    def test_commands_print_what_is_shown(self):
        for number, path in enumerate(documents()):
            found = blocks(path)
            if not any(kind in ("console", "python") for _, kind, _ in found):
                continue
            folder = self.fresh_copy(str(number))  # with a run file, as documents speak of one
            (folder / "study.toml").write_text(RUN, encoding="utf-8")
            self.assertEqual(self.run_in(folder, "normdyn run study.toml --quiet").stdout, "")
            printed = None
            for line, kind, text in found:
                with self.subTest(document=path.name, line=line):
                    if kind == "console":
                        self.check_console(folder, text)
                    if kind == "text" and printed is not None:
                        self.check(text, printed)
                        printed = None
                    if kind == "python" and (HAS_MATPLOTLIB or "plot" not in text):
                        done = self.run_in(folder, [sys.executable, "-c", text])
                        self.assertEqual(done.returncode, 0, done.stdout)
                        printed = done.stdout

    def test_examples_of_configs_are_accepted(self):
        folder = self.fresh_copy("configs") / "data" / "studies"
        for path in documents():
            for line, kind, text in blocks(path):
                if kind != "toml":
                    continue
                with self.subTest(document=path.name, line=line):
                    study = tomllib.loads(RUN)
                    part = tomllib.loads(text)
                    if part.get("time", {}).get("mode") == "layers":
                        study["output"] = {"file": "run.h5"}
                    for name, table in part.items():
                        merges = name in ("output", "attention") and isinstance(table, dict)
                        study[name] = {**study[name], **table} if merges and name in study else table
                    written = "".join(f"{toml_key(key)} = {toml_value(value)}\n" for key, value in study.items())
                    (folder / "part.toml").write_text(written, encoding="utf-8")
                    done = self.run_in(folder, "normdyn explain part.toml --json")
                    self.assertEqual(done.returncode, 0, done.stdout)


class Studies(DocumentTest):
    """Every study of the tutorial runs as it stands, in a copy of its folder alone."""

    def test_tutorial_studies_run(self):
        studies = sorted((SOURCE / "docs" / "tutorial").glob("*/*.toml"))
        self.assertGreaterEqual(len(studies), 2)
        for study in studies:
            with self.subTest(study=study.name):
                folder = self.folder / study.parent.name
                shutil.copytree(study.parent, folder, ignore=LEFT_OUT)
                done = self.run_in(folder, f"normdyn run {study.name} --quiet")
                self.assertEqual((done.returncode, done.stdout), (0, ""))


class Defaults(DocumentTest):
    """docs/config.md has a row for every key that a study resolves to, with its default."""

    def test_keys_and_defaults(self):
        rows = {}
        section = ""
        for line in (SOURCE / "docs" / "config.md").read_text(encoding="utf-8").splitlines():
            if line.startswith("## "):
                heading = re.match(r"## `\[(\w+)\]`", line)
                section = heading.group(1) + "." if heading else ""
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) > 4 and cells[1].startswith("`"):
                for key in re.findall(r"`([\w.]+)`", cells[1]):
                    rows[section + key] = cells[3].strip("`")
        (self.folder / "study.toml").write_text(RUN, encoding="utf-8")
        done = self.run_in(self.folder, "normdyn explain study.toml")
        self.assertEqual(done.returncode, 0, done.stdout)
        resolved = tomllib.loads(done.stdout.split("resolved config (defaults included):")[1])
        written = tomllib.loads(RUN)
        for name, table in resolved.items():
            for key, value in table.items() if isinstance(table, dict) else [("", table)]:
                full = f"{name}.{key}" if key else name
                with self.subTest(key=full):
                    self.assertIn(full, rows)
                    given = written.get(name, {}).get(key) if key else written.get(name)
                    if given is None and rows[full] and not rows[full].startswith("as "):
                        self.assertEqual(tomllib.loads(f"v = {rows[full]}")["v"], value)


if __name__ == "__main__":
    unittest.main()
