"""What is around the program: pipes that close, disks that are full, terminals, Ctrl-C."""

import json
import os
import pty
import signal
import subprocess
import time
import unittest
import zipfile

from program import RIGOR, ProgramTest, read_array


class Streams(ProgramTest):
    def test_a_closed_pipe_ends_quietly(self):
        for arguments in [["run", "toy.toml", "--json"], ["info", "toy.urdf"], ["solve", "--list"], ["run", "--help"]]:
            with self.subTest(arguments):
                reader, writer = os.pipe()
                os.close(reader)
                answer = self.rigor(*arguments, stdout=writer)
                os.close(writer)
                self.assertEqual((answer.code, answer.err), (1, ""))

    def test_a_reader_that_takes_one_byte_is_no_trouble(self):
        line = f"'{RIGOR}' run toy.toml --json --time 0.01 2>err | head -c 1"
        done = subprocess.run(["sh", "-c", line], cwd=self.folder, stdout=subprocess.PIPE, timeout=60)
        self.assertEqual(done.stdout, b"{")
        self.assertEqual((self.folder / "err").read_text(), "")

    def test_closed_streams_are_an_error_and_never_a_file(self):
        for line, code in [(">&-", 1), ("2>&-", 0), ("<&- 2>&-", 0)]:
            with self.subTest(line):
                command = f"'{RIGOR}' run toy.toml --time 0.01 --out toy.npz {line}"
                done = subprocess.run(["sh", "-c", command], cwd=self.folder, capture_output=True, timeout=60)
                self.assertEqual(done.returncode, code)
                self.assertIsNone(zipfile.ZipFile(self.folder / "toy.npz").testzip())

    def test_a_full_disk_is_told_with_a_remedy(self):
        with open("/dev/full", "w") as full:
            answer = self.rigor("run", "toy.toml", "--json", "--time", "0.01", stdout=full)
        self.assertEqual(answer.code, 1)
        self.assertIn("No space left", answer.err)
        self.assertIn("\n  Free some space", answer.err)

    def test_a_file_on_a_full_disk_costs_neither_verdict_nor_silence(self):
        for name in ["full.npz", "full.csv", "full.html"]:
            (self.folder / name).symlink_to("/dev/full")
            with self.subTest(name):
                answer = self.rigor("run", "toy.toml", "--json", "--time", "0.01", "--out", name)
                self.assertEqual(answer.code, 1, answer.err)
                self.assertEqual(answer.json()["failed_steps"], 0)
                self.assertIn(name, answer.err)
                self.assertNotIn(f"written: {name}", answer.err)

    def test_there_is_no_progress_bar_without_a_terminal(self):
        answer = self.rigor("run", "toy.toml", "--json", "--time", "30")
        self.assertEqual((answer.code, answer.err), (0, ""))
        self.assertEqual(answer.out.count("\n"), 1)


class Terminal(ProgramTest):
    """An endless run with its stderr on a terminal: the progress bar says when the loop has begun."""

    def start(self, *arguments):
        self.screen, slave = pty.openpty()
        self.addCleanup(os.close, self.screen)
        length = [] if "--time" in arguments else ["--time", "1e6"]
        command = [RIGOR, "run", "toy.toml", "--json", *length, *arguments]
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=slave)
        os.close(slave)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)  # clean-ups run last to first
        return process

    def read_until(self, words, seconds=30):
        seen, end = b"", time.monotonic() + seconds
        while words not in seen and time.monotonic() < end:
            seen += os.read(self.screen, 1000)
        self.assertIn(words, seen)
        return seen

    def test_the_progress_bar_shows_percent_elapsed_time_and_rate(self):
        self.start()
        self.assertRegex(self.read_until(b"steps/s").decode(), r"\r\[[#.]+\] +\d+ %  [\d.]+ s  \d+ steps/s")

    def test_files_that_take_long_to_write_are_named_while_they_are_written(self):
        self.start("--time", "0.01", "--out", "toy.npz")
        self.assertIn("writing toy.npz …", self.read_until(b"Recording written").decode())

    def test_an_interrupted_run_leaves_a_readable_recording_and_a_verdict(self):
        for number in signal.SIGINT, signal.SIGTERM:
            with self.subTest(number):
                process = self.start("--out", "toy.npz", "--save-snapshot", "last.npz")
                self.read_until(b"steps/s")
                process.send_signal(number)
                self.read_until(b"interrupted by the user", seconds=120)
                run = json.loads(process.stdout.read())
                self.assertEqual(process.wait(60), 130)
                self.assertEqual((run["status"], run["failed_steps"]), ("interrupted", 0))
                self.assertIsNone(zipfile.ZipFile(self.folder / "toy.npz").testzip())
                shape, times = read_array(self.folder / "toy.npz", "time")
                self.assertEqual(shape, (run["steps"] + 1,))  # the end node too
                self.assertAlmostEqual(times[-1], run["sim_time"], delta=1e-9 * run["sim_time"])
                self.assertTrue((self.folder / "last.npz").exists())


if __name__ == "__main__":
    unittest.main()
