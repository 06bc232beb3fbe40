#!/usr/bin/env python3
"""rigor compare: one scene, every solver and law, side by side."""

import csv
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

from program import ProgramTest


class Compare(ProgramTest):
    def listed(self):
        return self.rigor("solve", "--list", "--json").json()["solvers"]

    def test_every_solver_of_the_list_has_a_row_for_each_of_its_laws(self):
        answer = self.rigor("compare", "toy.toml", "--time", 0.3, "--json")
        pairs = [(row["solver"], row["law"]) for row in answer.json()["rows"]]
        self.assertEqual(pairs[0], ("auto", "coulomb"))
        self.assertEqual({solver for solver, _ in pairs}, {solver["name"] for solver in self.listed()})
        self.assertEqual(len(pairs), len(set(pairs)))

    def test_the_exit_code_tells_whether_every_step_of_every_run_was_accepted(self):
        answer = self.rigor("compare", "toy.toml", "--time", 0.3, "--solvers", "auto,newton", "--laws", "coulomb", "--json")
        rows = answer.json()["rows"]
        self.assertEqual(answer.code, 0, answer.err)
        self.assertEqual([row["status"] for row in rows], ["done", "done"])
        self.assertTrue(all(row["steps"] == 300 and row["residual"]["law"] <= 1e-10 for row in rows))

    def test_two_solvers_of_one_law_give_the_same_motion(self):
        answer = self.rigor("compare", "toy.toml", "--time", 0.3, "--solvers", "auto,newton", "--laws", "coulomb", "--json")
        first, second = answer.json()["differences"]
        self.assertEqual((first["q_max"], first["parted_at"]), (0.0, None))
        # both are solved to 1e-10 of velocities of about 1 m/s, over 0.3 s and through impacts
        self.assertLess(second["q_max"], 1e-7)

    def test_two_steppers_converge_to_each_other_with_the_square_of_the_step(self):
        scene = Path(__file__).resolve().parents[2] / "scenes/double_pendulum.toml"
        answer = self.rigor("compare", scene, "--time", 0.2, "--steppers", "minimal,maximal", "--json")
        self.assertEqual(answer.code, 0, answer.err)
        self.assertEqual([row["stepper"] for row in answer.json()["rows"]], ["minimal", "maximal"])
        gaps = answer.json()["convergence"]
        self.assertEqual([gap["dt"] for gap in gaps], [1e-3, 5e-4, 2.5e-4, 1.25e-4])
        for gap in gaps[1:]:  # two methods of second order; the next term is 1e-3 of the leading one
            self.assertAlmostEqual(gap["order"], 2.0, delta=0.05)

    def test_the_page_has_the_table_of_convergence_that_the_terminal_shows(self):
        scene = Path(__file__).resolve().parents[2] / "scenes/double_pendulum.toml"
        answer = self.rigor("compare", scene, "--time", 0.02, "--steppers", "minimal,maximal", "--out", "both")
        self.assertEqual(answer.code, 0, answer.err)
        page = (self.folder / "both/report.html").read_text()
        heading = "How the steppers converge to each other"
        self.assertIn(heading, page)
        told = [line.split() for line in answer.out.split(heading + ":\n")[1].splitlines()[1:]]
        self.assertEqual(len(told), 4)
        for row in told:
            for cell in row:
                self.assertIn(f">{cell}</td>", page.split(heading)[1])
        one = self.rigor("compare", scene, "--time", 0.02, "--solvers", "auto", "--laws", "coulomb", "--out", "one")
        self.assertEqual(one.code, 0, one.err)
        self.assertNotIn(heading, (self.folder / "one/report.html").read_text())

    def test_runs_that_differ_in_the_stepper_are_called_by_it(self):
        scene = Path(__file__).resolve().parents[2] / "scenes/double_pendulum.toml"
        answer = self.rigor("compare", scene, "--time", 0.02, "--steppers", "minimal,maximal", "--out", "both")
        self.assertEqual(answer.code, 0, answer.err)
        self.assertIn("difference of a coordinate from minimal;", answer.out)
        page = (self.folder / "both/report.html").read_text()
        self.assertIn("<h1>Steppers side by side</h1>", page)
        texts = {"".join(text.itertext()) for text in xml.parse(self.folder / "both/compare-time.svg").getroot().iter()}
        self.assertLessEqual({"minimal", "maximal"}, texts)
        curve = (self.folder / "both/compare-convergence.svg").read_text()
        self.assertEqual(curve.count("<circle"), 4)  # one for each length of the step
        self.assertIn("compare-convergence.svg", page)

    def test_an_order_that_is_not_shown_is_missing_for_a_reason(self):
        self.write("rest.toml", "[simulation]\ngravity = [0, 0, 0]\n[[body]]\nshape = { sphere = 0.1 }\nmass = 1\n")
        answer = self.rigor("compare", "rest.toml", "--time", 0.01, "--steppers", "minimal,maximal")
        self.assertEqual(answer.code, 0, answer.err)
        self.assertIn("No order with 1 and 0.5 ms: nothing is apart.", answer.out)

    def test_a_stepper_is_not_compared_with_itself(self):
        self.assertRefused(self.rigor("compare", "toy.toml", "--steppers", "maximal,maximal"), "maximal is named twice")

    def test_a_stepper_that_is_not_known_is_named(self):
        answer = self.rigor("compare", "toy.toml", "--steppers", "minimal,middling")
        self.assertEqual(answer.code, 2)
        self.assertIn("middling", answer.err)

    def test_the_folder_has_the_table_as_csv_the_pictures_and_the_page(self):
        answer = self.rigor("compare", "toy.toml", "--time", 0.2, "--solvers", "auto,newton", "--laws", "coulomb", "--out", "a/b")
        self.assertEqual(answer.code, 0, answer.err)
        folder = self.folder / "a/b"
        with (folder / "compare.csv").open() as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["solver"] for row in rows], ["auto", "newton"])
        self.assertEqual(float(rows[0]["apart_max"]), 0.0)
        for picture in ("compare-time.svg", "compare-iterations.svg"):
            texts = {"".join(text.itertext()) for text in xml.parse(folder / picture).getroot().iter() if text.tag.endswith("text")}
            self.assertIn("newton, coulomb", texts)
        self.assertIn("compare.csv", (folder / "report.html").read_text())
        self.assertIn("newton", answer.out)

    def test_laws_that_the_scene_cannot_have_are_left_out_and_told(self):
        self.write("rough.toml", "[ground]\nrolling = 0.01\n[[body]]\nshape = { sphere = 0.1 }\nmass = 1\nposition = [0, 0, 0.2]\n")
        answer = self.rigor("compare", "rough.toml", "--time", 0.02, "--solvers", "auto,newton", "--json")
        self.assertEqual(answer.code, 0, answer.err)
        self.assertEqual([row["law"] for row in answer.json()["rows"]], ["coulomb", "coulomb"])
        for law in "dissipation", "pyramid":
            self.assertIn(f"law {law} is left out: {law} knows no torsion, rolling", answer.err)
        asked = self.rigor("compare", "rough.toml", "--laws", "coulomb,pyramid", "--out", "x")
        self.assertRefused(asked, "pyramid knows no torsion")
        self.assertNotIn("1 of", asked.err)
        self.assertFalse((self.folder / "x").exists())

    def test_what_is_not_known_is_refused_before_anything_runs(self):
        self.assertRefused(self.rigor("compare", "toy.toml", "--solvers", "auto,magic"), "magic", "newton")
        self.assertRefused(self.rigor("compare", "toy.toml", "--laws", "newtonian"), "newtonian", "coulomb")
        self.assertRefused(self.rigor("compare", "nowhere.toml"), "nowhere.toml")
        self.assertRefused(self.rigor("compare", "toy.toml", "--time", -1), "--time")
        self.assertRefused(self.rigor("compare", "toy.toml", "--out", "toy.urdf"), "toy.urdf")


if __name__ == "__main__":
    unittest.main()
