"""Faults from outside while a run writes: kills, signals, full disks, readers and second writers."""

import os
import random
import resource
import shutil
import signal
import subprocess
import time
import unittest

os.environ["HDF5_USE_FILE_LOCKING"] = "FALSE"  # docs/file-format.md: how a reader looks at a file that is being written

import h5py
import numpy as np

from program import PROGRAM, SMALL, ProgramTest

# Many rows, each with its own flush; small steps make the run last some seconds.
LONG = (SMALL.replace("end = 3.0", "end = 40.0")
        .replace('states = { spacing = "linear", count = 4 }', 'states = { spacing = "linear", count = 2001 }')
        .replace('observables = { spacing = "linear", count = 7 }', 'observables = { spacing = "linear", count = 4001 }')
        .replace("[output]", "[solver]\nlargest_step = 0.0005\n[output]\nflush_seconds = 0.0"))
ENDLESS = (LONG.replace("end = 40.0", "end = 1e6").replace('{ spacing = "linear", count = 2001 }', '"every 100 steps"')
           .replace('{ spacing = "linear", count = 4001 }', '"every 100 steps"')
           .replace("[solver]", "[solver]\nmax_steps = 1000000000000"))


def text_of(value):
    return value.decode() if isinstance(value, bytes) else str(value)


class Faults(ProgramTest):
    def start(self, *arguments, file="run.h5", rows=2, **keywords):
        """Starts a run and waits until its file has rows."""
        run = subprocess.Popen([PROGRAM, "run", "study.toml", *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, **keywords)
        self.addCleanup(self.end, run)
        begin = time.monotonic()
        while self.frames_valid(file) < rows:
            self.assertIsNone(run.poll(), run.poll() is not None and run.communicate())
            self.assertLess(time.monotonic() - begin, 60.0)
            time.sleep(0.01)
        return run

    @staticmethod
    def end(run):
        if run.poll() is None:
            run.kill()
        run.communicate()

    def frames_valid(self, name):
        try:
            with h5py.File(self.folder / name, "r") as file:
                return int(file.attrs["frames_valid"])
        except (OSError, KeyError, RuntimeError):
            return 0

    def rows_are_those_of(self, name, whole):
        """The rows that a file says are valid equal those of the undisturbed run."""
        with h5py.File(self.folder / name, "r") as part, h5py.File(self.folder / whole, "r") as all_rows:
            states, series = int(part.attrs["frames_valid"]), int(part.attrs["series_valid"])
            status = text_of(part.attrs["status"]).strip("\0 ")
            own_rows = 1 if status == "stopped" else 0  # the moment of the stop
            for dataset, n in (("time", states), ("theta", states), ("observable_time", series), ("mean_cosine", series),
                               ("n_clusters", series), ("clock", series)):
                self.assertLessEqual(n, part[dataset].shape[0], dataset)
                shared = n - own_rows
                self.assertTrue(np.array_equal(part[dataset][:shared], all_rows[dataset][:shared]), dataset)
            return states, status

    # SIGKILL
    def test_rows_of_a_killed_run_are_those_of_an_undisturbed_one(self):
        self.write(LONG)
        whole = self.succeed("run", "study.toml", "--output", "whole.h5", "--threads", "1")
        draw = random.Random(1)
        kept = []
        for k in range(8):
            run = self.start("--output", f"killed-{k}.h5", "--threads", "1", file=f"killed-{k}.h5")
            time.sleep(draw.uniform(0.0, 0.4 * whole.seconds))
            run.kill()
            run.communicate()
            states, status = self.rows_are_those_of(f"killed-{k}.h5", "whole.h5")
            kept.append(states)
            self.assertGreaterEqual(states, 2)
            self.assertTrue(status == "running" if run.returncode == -signal.SIGKILL else status == "completed")
            seen = self.succeed("inspect", f"killed-{k}.h5", "--json").json
            self.assertEqual(seen["state_rows"], states)
        self.assertGreater(len(set(kept)), 2)  # killed at different moments indeed
        self.succeed("run", "study.toml", "--output", "killed-0.h5", "--overwrite", "--quiet")  # no lock is left behind

    # SIGTERM, SIGINT
    def test_a_stopped_run_keeps_the_rows_of_an_undisturbed_one(self):
        self.write(LONG)
        self.succeed("run", "study.toml", "--output", "whole.h5", "--threads", "1")
        self.write(LONG.replace("[output]", "max_steps = 1000000000000\n[output]"))
        for sent in (signal.SIGINT, signal.SIGTERM):
            file = f"stopped-by-{sent}.h5"
            run = self.start("--output", file, file=file)
            run.send_signal(sent)
            out, err = run.communicate(timeout=60)
            self.assertEqual(run.returncode, 75, out + err)
            _, status = self.rows_are_those_of(file, "whole.h5")
            self.assertEqual(status, "stopped")

    def test_a_second_ctrl_c_ends_at_once(self):
        # One evaluation of 4000 tokens lasts long enough for a second signal before the step ends.
        self.write(ENDLESS.replace("tokens = 6", "tokens = 4000").replace("dim = 3", "dim = 64")
                   .replace('"mean_cosine", "n_clusters", ', ""))
        run = self.start("--threads", "1", rows=1)
        run.send_signal(signal.SIGINT)
        time.sleep(0.05)
        run.send_signal(signal.SIGINT)
        begin = time.monotonic()
        out, err = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130, out + err)
        self.assertLess(time.monotonic() - begin, 10.0)
        self.assertGreaterEqual(self.frames_valid("run.h5"), 1)

    # full disks
    def nothing_looks_complete(self, folder):
        for path in folder.rglob("*.h5"):
            seen = self.normdyn("inspect", path, "--json")
            if seen.code == 0:
                self.assertNotIn(seen.json["status"], ("completed", "event"), path)

    def test_a_full_disk_is_file_trouble_wherever_it_strikes(self):
        self.write(LONG.replace("largest_step = 0.0005", ""))
        self.succeed("run", "study.toml", "--output", "whole.h5")
        size = (self.folder / "whole.h5").stat().st_size
        (self.folder / "whole.h5").rename(self.folder / "whole")
        for limit in (0, 1000, 5000, 20000, size // 4, size // 2, size - 1):
            with self.subTest(limit=limit):
                def limited():
                    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
                done = subprocess.run([PROGRAM, "run", "study.toml", "--quiet", "--overwrite"], cwd=self.folder,
                                      capture_output=True, text=True, preexec_fn=limited, timeout=60)
                self.assertEqual(done.returncode, 4, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertIn("run.h5", done.stderr)
                self.nothing_looks_complete(self.folder)
                self.assertEqual(list(self.folder.glob("*.part")), [])
        if self.frames_valid("run.h5"):
            self.rows_are_those_of("run.h5", "whole")

    def test_a_small_disk_that_fills_up_is_file_trouble(self):
        disk = self.folder / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], capture_output=True).returncode != 0:
            self.skipTest("no file system can be mounted here")
        try:
            self.write(LONG.replace("largest_step = 0.0005", ""))
            result = self.refused("run", "study.toml", "--output", "disk/run.h5", code=4, says=["run.h5", "space"], lines=1)
            self.assertLess(result.seconds, 60)
            self.nothing_looks_complete(disk)
        finally:
            subprocess.run(["umount", disk], check=True)

    def test_a_full_standard_output_is_file_trouble(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full here")
        self.write(SMALL)
        with open("/dev/full", "w") as full:
            for command in (["run", "study.toml"], ["template", "pre_ln"], ["doctor"], ["explain", "study.toml"]):
                done = subprocess.run([PROGRAM, *command], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, 4, (command, done.stderr))

    def test_folders_that_cannot_be_written(self):
        self.write(SMALL)
        (self.folder / "plain").write_text("no folder")
        self.refused("run", "study.toml", "--output", "plain/run.h5", code=4, says=["plain"], lines=1)
        self.refused("run", "study.toml", "--output", "plain/deeper/run.h5", code=4, says=["plain"], lines=1)
        long_name = "n" * 300 + ".h5"
        self.refused("run", "study.toml", "--output", long_name, code=4, says=["too long"], lines=1)
        locked = self.folder / "locked"
        locked.mkdir()
        locked.chmod(0o555)
        if os.geteuid() != 0:  # root may write everywhere
            self.refused("run", "study.toml", "--output", "locked/run.h5", code=4, says=["locked"], lines=1)
        self.assertEqual((self.folder / "plain").read_text(), "no folder")

    def test_odd_outputs_are_refused(self):
        self.write(SMALL)
        before = (self.folder / "study.toml").read_text()
        self.refused("run", "study.toml", "--output", "study.toml", "--overwrite", says=["study.toml", "input"])
        (self.folder / "link.h5").symlink_to("study.toml")
        self.refused("run", "study.toml", "--output", "link.h5", "--overwrite", says=["link.h5"])
        self.assertEqual((self.folder / "study.toml").read_text(), before)
        (self.folder / "some").mkdir()
        self.refused("run", "study.toml", "--output", "some", "--overwrite", says=["some", "folder"])
        self.refused("run", "study.toml", "--output", "some/", "--overwrite", says=["some"])
        self.refused("run", "study.toml", "--output", "/dev/null", "--overwrite", says=["/dev/null"])

    def test_the_run_that_is_repeated_is_never_its_own_output(self):
        self.write(SMALL)
        self.succeed("run", "study.toml")
        before = (self.folder / "run.h5").read_bytes()
        self.refused("run", "--from", "run.h5", "--output", "run.h5", "--overwrite", says=["run.h5", "input"])
        self.assertEqual((self.folder / "run.h5").read_bytes(), before)

    # readers and writers
    def test_a_reader_never_makes_the_run_fail(self):
        self.write(LONG)
        for lock in ("FALSE", "TRUE", "BEST_EFFORT"):
            with self.subTest(lock=lock):
                watch = ("import sys, h5py\n"
                         "seen = 0\n"
                         "while True:\n"
                         "    try:\n"
                         "        with h5py.File(sys.argv[1], 'r') as f:\n"
                         "            n = int(f.attrs['frames_valid'])\n"
                         "            assert n >= seen or seen == 2001\n"
                         "            f['theta'][:n]\n"
                         "            seen = n\n"
                         "    except (OSError, KeyError, RuntimeError):\n"
                         "        pass\n")
                reader = subprocess.Popen(["/usr/bin/python3", "-c", watch, str(self.folder / "run.h5")],
                                          env={**os.environ, "HDF5_USE_FILE_LOCKING": lock}, stderr=subprocess.PIPE, text=True)
                try:
                    result = self.normdyn("run", "study.toml", "--overwrite", env={"HDF5_USE_FILE_LOCKING": "TRUE"})
                    self.assertEqual(result.code, 0, result)
                    self.assertIsNone(reader.poll(), reader.poll() is not None and reader.communicate())
                finally:
                    reader.kill()
                    reader.communicate()
                self.assertEqual(self.frames_valid("run.h5"), 2001)

    def test_a_second_writer_is_refused_at_start(self):
        self.write(ENDLESS)
        run = self.start(env={k: v for k, v in os.environ.items() if k != "HDF5_USE_FILE_LOCKING"})
        for extra in ([], ["--overwrite"]):
            self.refused("run", "study.toml", *extra, says=["run.h5"])
        self.assertIsNone(run.poll())
        run.send_signal(signal.SIGTERM)
        self.assertEqual(run.wait(timeout=60), 75)


if __name__ == "__main__":
    unittest.main()
