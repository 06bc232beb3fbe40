"""rigor solve: problems small enough to be solved by hand."""

import json
import unittest

from program import ProgramTest

RESIDUALS = {"law", "natural_map", "primal", "dual", "complementarity", "signorini", "dissipation", "floor"}
IDENTITY = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


class Solve(ProgramTest):
    def solvers(self):
        return self.rigor("solve", "--list", "--json").json()["solvers"]

    def problem(self, name, **values):
        self.write(name, json.dumps(values))
        return name

    def test_json_has_the_keys_of_the_contract(self):
        stick = self.problem("stick.json", W=IDENTITY, b=[-1, 0.2, 0], mu=[0.5])
        answer = self.rigor("solve", stick, "--json")
        self.assertEqual(answer.code, 0, answer.err)
        solution = answer.json()
        self.assertLessEqual({"status", "law", "solver", "stage", "iterations", "time_us", "residuals", "impulses"}, set(solution))
        self.assertLessEqual(RESIDUALS, set(solution["residuals"]))
        self.assertEqual((solution["status"], solution["law"], solution["solver"]), ("solved", "coulomb", "auto"))
        self.assertGreater(solution["time_us"], 0)

    def test_every_solver_sticks_slides_and_separates_as_it_should(self):
        cases = {
            # b, impulse that Coulomb's law gives for W = 1, mu = 0.5
            "stick": ([-1, 0.2, 0], [1, -0.2, 0]),
            "slide": ([-1, 3, 4], [1, -0.3, -0.4]),
            "open": ([1, 3, 4], [0, 0, 0]),
        }
        for solver in [listed["name"] for listed in self.solvers()]:
            for name, (b, expected) in cases.items():
                with self.subTest(solver=solver, case=name):
                    file = self.problem(f"{name}.json", W=IDENTITY, b=b, mu=[0.5])
                    answer = self.rigor("solve", file, "--solver", solver, "--json")
                    self.assertEqual(answer.code, 0, answer.err)
                    # the judge lets pass 1e-10 of |b| ≤ 5, and W is the identity
                    for found, wanted in zip(answer.json()["impulses"], expected, strict=True):
                        self.assertAlmostEqual(found, wanted, delta=1e-9)

    def test_every_solver_takes_equal_rows(self):
        # a hinge row that ties the tangent to a second direction, written twice, beside a contact
        W = [[1, 0, 0, 0, 0], [0, 1, 0, 1, 1], [0, 0, 1, 0, 0], [0, 1, 0, 2, 2], [0, 1, 0, 2, 2]]
        blocks = [{"kind": "contact", "row": 0, "size": 3, "mu": 0.5}, {"kind": "equal", "row": 3, "size": 2}]
        file = self.problem("loop.json", W=W, b=[-1, 0.2, 0, 0.4, 0.4], blocks=blocks)
        for solver in [listed["name"] for listed in self.solvers()]:
            with self.subTest(solver=solver):
                answer = self.rigor("solve", file, "--solver", solver, "--json")
                self.assertEqual(answer.code, 0, answer.out + answer.err)
                # stick: u = 0 needs λt + 2s = −0.4 and λt + s = −0.2 with s the sum of the doubled row, in equal parts
                for found, wanted in zip(answer.json()["impulses"], [1, 0, 0, -0.1, -0.1], strict=True):
                    self.assertAlmostEqual(found, wanted, delta=1e-9)

    def test_contradicting_equal_rows_are_not_called_solved(self):
        file = self.problem("clash.json", W=[[1, 1], [1, 1]], b=[1, 2], blocks=[{"kind": "equal", "row": 0, "size": 2}])
        answer = self.rigor("solve", file, "--json")
        self.assertEqual(answer.code, 1)
        self.assertEqual(answer.json()["status"], "unsolved")

    def test_a_problem_without_solution_is_not_called_solved(self):
        # no impulse can change the velocity, and it points into the ground
        file = self.problem("jam.json", W=[[0] * 3] * 3, b=[-1, 0, 0], mu=[0.5])
        answer = self.rigor("solve", file, "--json")
        self.assertEqual(answer.code, 1)
        self.assertIn(answer.json()["status"], ["inaccurate", "no_solution", "unsolved"])

    def test_wrong_sizes_are_bad_input(self):
        for values in [
            {"W": IDENTITY, "b": [1, 2], "mu": [0.5]},
            {"W": [[1, 0], [0, 1]], "b": [0, 0, 0], "mu": [0.5]},
            {"W": IDENTITY, "b": [0, 0, 0], "mu": [0.5, 0.5]},
            {"W": IDENTITY, "b": [0, 0, 0], "mu": [-0.5]},
            {"W": IDENTITY, "b": [0, 0, "x"], "mu": [0.5]},
            {"b": [0, 0, 0], "mu": [0.5]},
            {},
        ]:
            with self.subTest(values):
                answer = self.rigor("solve", self.problem("bad.json", **values))
                self.assertEqual(answer.code, 2, answer.out + answer.err)
                self.assertIn("bad.json", answer.out + answer.err)

    def test_the_verdict_for_people_names_solver_and_residual(self):
        answer = self.rigor("solve", self.problem("stick.json", W=IDENTITY, b=[-1, 0.2, 0], mu=[0.5]))
        self.assertEqual(answer.code, 0, answer.err)
        self.assertIn("stick.json: solved by auto", answer.out)
        self.assertIn("law residual", answer.out)

    def test_the_list_names_every_solver_with_its_law(self):
        table = self.rigor("solve", "--list")
        self.assertEqual(table.code, 0, table.err)
        listed = self.solvers()
        self.assertLessEqual({"auto", "newton", "bisection"}, {solver["name"] for solver in listed})
        for solver in listed:
            self.assertEqual(set(solver), {"name", "law", "description"})
            self.assertIn(solver["name"], table.out)
            self.assertEqual(solver["law"], "coulomb")


if __name__ == "__main__":
    unittest.main()
