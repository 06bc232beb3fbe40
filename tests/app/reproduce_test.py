#!/usr/bin/env python3
"""rigor reproduce: tables, pictures and verdicts of the papers' experiments."""

import csv
import math
import shutil
import signal
import time
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

from program import ProgramTest

TOSSES = Path(__file__).resolve().parent.parent / "experiments" / "tosses"
SVG = "{http://www.w3.org/2000/svg}"
INTEGRATORS = {
    "leapfrog", "leapfrog_carried", "explicit_euler", "semi_implicit_euler", "heun", "rk4",
    "implicit_euler_fixed_point", "implicit_euler_newton", "implicit_midpoint", "dormand_prince",
}  # fmt: skip

DONE_IN_A_SECOND = {
    "lt-hopper", "lt-quadruped", "vg-drift", "vg-damping", "vg-drop", "vg-start", "vg-four-bar", "vg-scaled",
    "vg-exoskeleton", "lt-contacts",
}  # fmt: skip


class Reproduce(ProgramTest):
    def test_the_list_names_every_experiment(self):
        answer = self.rigor("reproduce", "--list")
        self.assertEqual(answer.code, 0)
        self.assertIn("rp-pendulum", answer.out)
        listed = self.rigor("reproduce", "--list", "--json").json()["experiments"]
        self.assertIn("rp-pendulum", [experiment["name"] for experiment in listed])

    def test_the_pendulum_of_rp_is_found_as_the_paper_says(self):
        answer = self.rigor("reproduce", "rp-pendulum", "--out", "deep/results", "--json", timeout=600)
        self.assertEqual(answer.code, 0, answer.err)
        (done,) = answer.json()["experiments"]
        self.assertEqual(done["verdict"], "holds")
        self.assertGreaterEqual(len(done["findings"]), 4)
        energy = {row["integrator"]: row["energy at the end [J]"] for row in done["table"]}
        self.assertEqual(set(energy), INTEGRATORS)
        self.assertGreater(energy["explicit_euler"], 5.0)
        self.assertLess(energy["implicit_euler_newton"], -5.0)
        self.assertLess(abs(energy["rk4"]), 1e-6)

        folder = self.folder / "deep/results"
        self.assertEqual({path.name for path in folder.iterdir()}, set(done["files"]) | {"report.html"})
        with (folder / "rp-pendulum.csv").open() as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(float(rows[-1]["time"]), 60.0)
        self.assertEqual(float(rows[-1]["rk4"]), energy["rk4"])  # the same double in both files
        self.check_pictures(folder)

    def check_pictures(self, folder):
        pictures = list(folder.glob("*.svg"))
        self.assertEqual(len(pictures), 2)
        for picture in pictures:
            root = xml.parse(picture).getroot()
            texts = {"".join(text.itertext()) for text in root.iter(SVG + "text")}
            self.assertLessEqual(INTEGRATORS, texts)  # a legend
            self.assertIn("time [s]", texts)
            for path in root.iter(SVG + "path"):
                for word in path.get("d").replace("M", " ").replace("L", " ").split():
                    number = word.strip("VHh")
                    for part in number.replace("H", " ").replace("V", " ").replace("h", " ").split():
                        self.assertTrue(math.isfinite(float(part)) and -1.0 <= float(part) <= 1000.0, part)

    def test_a_paper_names_all_of_its_experiments_and_steps_may_be_fewer(self):
        answer = self.rigor("reproduce", "pc", "--steps", 200, "--out", "pc", "--json", timeout=600)
        done = {one["name"]: one for one in answer.json()["experiments"]}
        self.assertEqual(set(done), {"pc-single", "pc-steps", "pc-laws", "pc-penetration", "pc-rate"})
        # the trot walks, the others still fall; nothing is refused on the way
        self.assertEqual(answer.code, 0, answer.err)
        for one in done.values():
            self.assertIn(one["verdict"], ("holds", "differs", "not shown"))
            self.assertTrue(one["findings"] and all((self.folder / "pc" / file).exists() for file in one["files"]))
        table = {(row["scene"], row["solver"]): row for row in done["pc-steps"]["table"]}
        self.assertEqual({scene for scene, _ in table}, {"trot", "hang", "drop", "random"})
        # the default solver at the paper's setting too, and the paper's sweeps by Coulomb's law
        self.assertLessEqual({"bisection", "pgs", "bisection, Coulomb", "auto", "auto 1e-10"}, {name for _, name in table})
        self.assertLess(max(row["deepest [m]"] for (_, solver), row in table.items() if solver == "auto 1e-10"), 1e-11)
        figures = {figure["what"]: figure for figure in done["pc-steps"]["figures"]}
        self.assertEqual(figures["table II, hang, PGS [s]"]["paper"], 5.92)
        self.assertGreater(sum(row["contacts"] for row in done["pc-laws"]["table"]), 0)

    def test_a_quick_look_at_maximal_coordinates_refuses_nothing_and_writes_every_file(self):
        answer = self.rigor("reproduce", "lt", "vg", "--quick", "--out", "quick", "--json", timeout=600)
        self.assertEqual(answer.code, 0, answer.err)
        done = {one["name"]: one for one in answer.json()["experiments"]}
        self.assertLessEqual(DONE_IN_A_SECOND | {"lt-chain", "vg-learning"}, set(done))
        for one in done.values():
            # short runs do not show how times grow or what an hour does to an energy, but nothing may contradict the papers
            self.assertIn(one["verdict"], ("holds", "not shown"), one["findings"])
            self.assertTrue(all((self.folder / "quick" / file).stat().st_size > 0 for file in one["files"]))
        self.assertIn("report.html", {path.name for path in (self.folder / "quick").iterdir()})
        self.assertIn("A quick look (--quick)", (self.folder / "quick/report.html").read_text().split("<h2>")[0])
        self.assertIn("[m in 1 s]", (self.folder / "quick/vg-learning.svg").read_text())  # how long its episodes are
        for table in (self.folder / "quick").glob("*.csv"):
            with table.open() as file:
                self.assertEqual(len({len(row) for row in csv.reader(file)}), 1, table)  # a number for each heading

    def test_measured_tosses_are_done_again_with_every_solver(self):
        answer = self.rigor("reproduce", "cube-toss", "--data", TOSSES, "--out", "tosses", "--json", timeout=600)
        self.assertIn(answer.code, (0, 1), answer.err)  # two tosses say nothing about the goals
        (done,) = answer.json()["experiments"]
        solvers = {row["solver"] for row in done["table"]}
        listed = self.rigor("solve", "--list", "--json").json()["solvers"]
        self.assertEqual(solvers, {solver["name"] for solver in listed})
        for row in done["table"]:
            if row["solver"] == "auto":
                self.assertEqual(row["refused"], 0, row)
                self.assertLess(row["position, mean [% of width]"], 20.0)
        folder = self.folder / "tosses"
        self.assertEqual({path.name for path in folder.iterdir()}, set(done["files"]) | {"report.html"})
        with (folder / "cube-toss.csv").open() as file:
            rows = list(csv.DictReader(file))
        self.assertEqual({row["toss"] for row in rows}, {"000", "003"})
        self.assertEqual({row["solver"] for row in rows}, solvers)
        for row in rows:
            self.assertEqual(set(row), {"toss", "start", "solver", "law", "position", "rotation", "right_face", "refused"})
            self.assertLess(float(row["position"]), 1.0)
        for picture in folder.glob("*.svg"):
            xml.parse(picture)

    def test_measurements_are_asked_for_and_checked_before_the_work(self):
        self.assertRefused(self.rigor("reproduce", "cube-toss", "--out", "x"), "--data DIR")
        self.assertFalse((self.folder / "x").exists())
        self.assertRefused(self.rigor("reproduce", "cube-toss", "--data", "nowhere", "--out", "x"), "no such folder")
        self.assertRefused(self.rigor("reproduce", "cube-toss", "--data", ".", "--out", "x"), ".csv files")

    def test_a_misspelt_name_is_refused_with_the_nearest_one(self):
        self.assertRefused(self.rigor("reproduce", "rp-pendulm", "--out", "x"), "rp-pendulm", "Did you mean rp-pendulum")
        self.assertFalse((self.folder / "x").exists())

    def test_it_must_be_told_what_to_do_and_only_once(self):
        for arguments in ([], ["rp-pendulum", "--all"], ["--all", "--list"]):
            self.assertRefused(self.rigor("reproduce", *arguments), "--list")
        for steps in -5, 0:
            self.assertRefused(self.rigor("reproduce", "pc-laws", "--steps", steps), f"--steps {steps}", "Give 1 or more")

    def test_steps_are_refused_where_they_cannot_be_chosen(self):
        self.assertRefused(self.rigor("reproduce", "rp-pendulum", "--steps", 5, "--out", "x", timeout=10), "rp-pendulum")
        self.assertFalse((self.folder / "x").exists())

    def test_nothing_holds_where_nothing_happened(self):
        # after five steps of 1 ms nothing has fallen onto anything
        answer = self.rigor("reproduce", "pc", "--steps", 5, "--out", "few", "--json", timeout=600)
        self.assertEqual(answer.code, 0, answer.err)
        for one in answer.json()["experiments"]:
            self.assertNotEqual(one["verdict"], "holds", one["name"])
        told = self.rigor("reproduce", "pc-laws", "pc-penetration", "--steps", 5, "--out", "few", timeout=600).out
        self.assertEqual(told.count("verdict: not shown"), 2, told)
        self.assertNotIn("nan", told)
        self.assertNotIn("(holds)", told)

    def test_ctrl_c_ends_every_experiment_and_is_told(self):
        experiments = ["cube-toss", "pc-single", "pc-steps", "pc-laws", "pc-penetration", "pc-rate", "rp-pendulum",
                       "lt-chain", "vg-energy", "vg-pendulums", "vg-tolerances", "vg-spheres", "vg-loops",
                       "vg-graphs", "vg-learning", "os-pendulum", "os-agreement"]  # fmt: skip
        listed = self.rigor("reproduce", "--list", "--json").json()["experiments"]
        self.assertEqual({one["name"] for one in listed}, set(experiments) | DONE_IN_A_SECOND)
        for i in range(50):  # the few that come with the tests take no second
            for toss in TOSSES.glob("*.csv"):
                (self.folder / "many").mkdir(exist_ok=True)
                shutil.copy(toss, self.folder / "many" / f"{i}_{toss.name}")
        for name, number in zip(experiments, [signal.SIGINT, signal.SIGTERM] * 9):
            with self.subTest(name):
                process = self.start("reproduce", name, "--data", "many", "--out", "stopped")
                time.sleep(0.5)  # the quickest takes a second
                process.send_signal(number)
                begin = time.monotonic()
                _, told = process.communicate(timeout=60)
                # a loaded machine may take ten times as long as a quiet one, which takes a tenth of a second
                self.assertLess(time.monotonic() - begin, 5.0)
                self.assertEqual(process.returncode, 130, told)
                self.assertIn(f"interrupted by the user in {name}", told)

    def test_a_file_in_the_place_of_the_folder_is_refused_before_the_work(self):
        self.assertRefused(self.rigor("reproduce", "rp-pendulum", "--out", "toy.urdf", timeout=10), "toy.urdf")


if __name__ == "__main__":
    unittest.main()
