"""rigor solve: problems small enough to be solved by hand."""

import json
import unittest

from program import SOURCE, ProgramTest

RESIDUALS = {"law", "plain_law", "by_floor", "natural_map", "primal", "dual", "complementarity", "signorini", "dissipation", "floor"}
IDENTITY = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


class Solve(ProgramTest):
    def solvers(self):
        return self.rigor("solve", "--list", "--json").json()["solvers"]

    def solvers_of(self, law):
        return [solver["name"] for solver in self.solvers() if law in solver["laws"].split(", ")]

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
        for solver in self.solvers_of("coulomb"):
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
        for solver in self.solvers_of("coulomb"):
            with self.subTest(solver=solver):
                answer = self.rigor("solve", file, "--solver", solver, "--json")
                self.assertEqual(answer.code, 0, answer.out + answer.err)
                # stick: u = 0 needs λt + 2s = −0.4 and λt + s = −0.2 with s the sum of the doubled row, in equal parts
                for found, wanted in zip(answer.json()["impulses"], [1, 0, 0, -0.1, -0.1], strict=True):
                    self.assertAlmostEqual(found, wanted, delta=1e-9)

    def test_contradicting_equal_rows_are_proved_to_have_no_solution(self):
        file = self.problem("clash.json", W=[[1, 1], [1, 1]], b=[1, 2], blocks=[{"kind": "equal", "row": 0, "size": 2}])
        answer = self.rigor("solve", file, "--json")
        self.assertEqual(answer.code, 1)
        self.assertEqual(answer.json()["status"], "no_solution")
        self.assertEqual(answer.json()["certificate"], [1, -1])

    def test_a_contact_that_nothing_moves_is_proved_to_have_no_solution(self):
        # no impulse can change the velocity, and it points into the ground
        file = self.problem("jam.json", W=[[0] * 3] * 3, b=[-1, 0, 0], mu=[0.5])
        answer = self.rigor("solve", file, "--json")
        self.assertEqual(answer.code, 1)
        self.assertEqual(answer.json()["status"], "no_solution")
        self.assertEqual(answer.json()["certificate"], [1, 0, 0])

    def test_every_solver_proves_that_a_vice_cannot_close(self):
        # a ball of 1 kg between two walls along its first axis, both coming closer
        W = [[1, 0, 0, -1, 0, 0], [0, 1, 0, 0, 1, 0], [0, 0, 1, 0, 0, 1], [-1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 1, 0], [0, 0, 1, 0, 0, 1]]
        for closing, code in [(1, 1), (1e-6, 1), (0, 0), (-1e-9, 0), (-1, 0)]:
            file = self.problem("vice.json", W=W, b=[0.5, 0.1, 0, -0.5, 0.1, 0], mu=[0.5, 0.5], bias=[-closing, 0, 0, -closing, 0, 0])
            for solver in self.solvers_of("coulomb"):
                with self.subTest(solver=solver, closing=closing):
                    answer = self.rigor("solve", file, "--solver", solver, "--json")
                    self.assertEqual(answer.code, code, answer.out)
                    self.assertEqual("certificate" in answer.json(), code == 1)
                    if code == 1:
                        self.assertEqual(answer.json()["status"], "no_solution")
                        self.assertEqual(answer.json()["certificate"], [1, 0, 0, 1, 0, 0])
                    self.assertNotIn("proof", answer.json())
        people = self.rigor("solve", self.problem("shut.json", W=W, b=[0] * 6, mu=[0, 0], bias=[-1, 0, 0, -1, 0, 0]))
        self.assertEqual(people.code, 1)
        self.assertIn("No impulses solve this", people.out)

    def test_impulses_beyond_what_doubles_can_judge_are_told(self):
        answer = self.rigor("solve", f"{SOURCE}/tests/exam/column_1e8.json")
        self.assertEqual(answer.code, 1)
        self.assertIn("doubles do not tell the velocities", answer.out)

    def test_an_error_that_rows_know_of_is_no_matter_of_doubles(self):
        answer = self.rigor("solve", self.stack(80, row_error=[1e-7] * 80), "--solver", "bisection")
        self.assertEqual(answer.code, 1)
        self.assertNotIn("doubles do not tell", answer.out)

    def stack(self, n, **more):
        W = [[2 if i == j and i > 0 else 1 if i == j else -1 if abs(i - j) == 1 else 0 for j in range(n)] for i in range(n)]
        return self.problem("stack.json", W=W, b=[-1] + [0] * (n - 1), blocks=[{"kind": "at_least"}] * n, **more)

    def test_unsolved_says_that_nothing_is_proved(self):
        # a stack that block SOR does not finish
        file = self.stack(80)
        answer = self.rigor("solve", file, "--solver", "bisection", "--json")
        self.assertEqual(answer.code, 1, answer.out)
        self.assertEqual((answer.json()["status"], answer.json()["proof"]), ("unsolved", False))
        self.assertEqual(self.rigor("solve", file, "--json").code, 0)

    def test_a_frictionless_contact_does_not_pull(self):
        for solver in self.solvers_of("coulomb"):
            answer = self.rigor("solve", self.problem("lift.json", W=IDENTITY, b=[1, 0, 0], mu=[0]), "--solver", solver, "--json")
            self.assertEqual(answer.code, 0, answer.out)
            self.assertAlmostEqual(answer.json()["impulses"][0], 0, delta=1e-10)

    def test_no_speed_is_small_unless_the_file_says_so(self):
        for speed in [1e-30, 1e-9, 1, 1e9]:
            answer = self.rigor("solve", self.problem("fast.json", W=IDENTITY, b=[-speed, 0.2 * speed, 0], mu=[0.5]), "--json")
            self.assertEqual(answer.code, 0, answer.out)
            for found, wanted in zip(answer.json()["impulses"], [1, -0.2, 0], strict=True):
                self.assertAlmostEqual(found / speed, wanted, delta=2e-10)

    def test_what_no_step_could_make_is_bad_input(self):
        box = [{"kind": "box", "lo": -1, "hi": 1}]
        for values, words in [
            ({"W": [[1]], "b": [1], "blocks": box, "compliance": [-1]}, "compliance of row 0"),
            ({"W": [[1]], "b": [1], "blocks": box, "row_error": [-1]}, "row_error of row 0"),
            ({"W": [[1]], "b": [1], "blocks": box, "velocity_scale": 0}, "velocity_scale"),
            ({"W": [[1]], "b": [1], "blocks": box, "velocity_scale": -1e-3}, "velocity_scale"),
            ({"W": [[1]], "b": [1], "blocks": [{"kind": "box", "lo": 1, "hi": -1}]}, "lo is above hi"),
            ({"W": [[-1]], "b": [1], "blocks": box}, "W[0][0]"),
            ({"W": [[1, 0.8, 0], [0, 1, 0], [0, 0, 1]], "b": [0, 0, 0], "mu": [1]}, "W[1][0]"),
        ]:
            with self.subTest(words):
                answer = self.rigor("solve", self.problem("bad.json", **values))
                self.assertEqual(answer.code, 2, answer.out + answer.err)
                self.assertIn(words, answer.err)
                self.assertGreaterEqual(len(answer.err.strip().splitlines()), 2, "a remedy is missing")

    def test_a_misspelt_key_is_bad_input(self):
        self.write("typo.json", json.dumps({"W": [[1]], "b": [-1], "biass": [1], "blocks": [{"kind": "at_least"}]}))
        answer = self.rigor("solve", "typo.json")
        self.assertEqual(answer.code, 2)
        self.assertIn("biass", answer.err)
        self.assertIn("Known:", answer.err)

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

    def test_the_list_says_of_every_solver_what_it_can_and_cannot(self):
        table = self.rigor("solve", "--list")
        self.assertEqual(table.code, 0, table.err)
        listed = self.solvers()
        self.assertLessEqual({"auto", "newton", "bisection", "pgs"}, {solver["name"] for solver in listed})
        for solver in listed:
            self.assertEqual(list(solver), ["name", "laws", "blocks", "description", "cost", "fails"])
            for cell in solver.values():
                self.assertTrue(cell)
                self.assertIn(cell, table.out)

    def test_the_list_is_the_table_of_the_docs(self):
        text = (SOURCE / "docs/solvers.md").read_text()
        rows = [line for line in text.splitlines() if line.startswith("| `")]
        self.assertEqual(rows, ["| `" + "` | ".join([solver.pop("name"), " | ".join(solver.values())]) + " |" for solver in self.solvers()])

    def test_the_laws_of_the_list_are_those_that_are_solved(self):
        slide = {"W": [[1, 0.2, 0], [0.2, 1, 0], [0, 0, 1]], "b": [-1, 3, 4], "mu": [0.5]}
        for law in ("coulomb", "dissipation", "pyramid"):
            file = self.problem("slide.json", **slide, law=law)
            for solver in self.solvers():
                with self.subTest(law=law, solver=solver["name"]):
                    answer = self.rigor("solve", file, "--solver", solver["name"], "--json")
                    if law in solver["laws"].split(", "):
                        self.assertEqual(answer.code, 0, answer.err)
                        self.assertEqual((answer.json()["status"], answer.json()["law"]), ("solved", law))
                        self.assertEqual(answer.json()["law_gap"] > 1e-3, law != "coulomb")
                    else:
                        self.assertEqual(answer.code, 2)
                        self.assertIn(f'does not solve law "{law}"', answer.err)
                        for other in self.solvers_of(law):
                            self.assertIn(other, answer.err)

    def test_law_and_directions_of_the_command_line_take_the_place_of_the_files(self):
        # pushed between two corners of a square, where it holds 0.5·cos 45° = 0.354 of the normal impulse
        push = self.problem("push.json", W=IDENTITY, b=[-1, 0.3, 0.3], mu=[0.5])
        round_cone = self.rigor("solve", push, "--json").json()["impulses"]
        square = self.rigor("solve", push, "--law", "pyramid", "--directions", "4", "--json").json()["impulses"]
        many = self.rigor("solve", push, "--law", "pyramid", "--directions", "64", "--json").json()["impulses"]
        for found, wanted in zip(round_cone + square, [1, -0.3, -0.3, 1, -0.25, -0.25], strict=True):
            self.assertAlmostEqual(found, wanted, delta=1e-9)  # the judge lets pass 1e-10 of |b| near 1
        for found, wanted in zip(many, [1, -0.3, -0.3], strict=True):
            self.assertAlmostEqual(found, wanted, delta=1e-9)
        shown = self.rigor("solve", push, "--law", "pyramid", "--directions", "4")
        self.assertIn("law gap", shown.out)

    def test_bad_laws_are_refused_with_a_remedy(self):
        push = self.problem("push.json", W=IDENTITY, b=[-1, 0.3, 0.3], mu=[0.5])
        for arguments, words in [
            (["--law", "pyramd"], 'Did you mean "pyramid"?'),
            (["--solver", "newtn"], 'Did you mean "newton"?'),
            (["--solver", "golden"], 'does not solve law "coulomb"'),
            (["--law", "associated"], "No solver of rigor does"),
            (["--directions", "5"], "even number from 4 to 64"),
            (["--directions", "66"], "even number from 4 to 64"),
            (["--tol", "-1"], "above 0"),
        ]:
            with self.subTest(arguments=arguments):
                answer = self.rigor("solve", push, *arguments)
                self.assertEqual(answer.code, 2)
                self.assertIn(words, answer.err)

    def test_an_lcp_is_solved_with_the_keys_of_the_contract(self):
        answer = self.rigor("solve", self.problem("lcp.json", M=[[2, 1], [1, 2]], q=[-5, -6]), "--json")
        self.assertEqual(answer.code, 0, answer.err)
        solution = answer.json()
        self.assertEqual((solution["status"], solution["solver"]), ("solved", "lemke"))
        self.assertLessEqual({"stage", "iterations", "time_us", "residuals", "z", "w"}, set(solution))
        self.assertLessEqual({"natural_map", "plain_natural_map", "by_floor", "worst_row"}, set(solution["residuals"]))
        # the verdict lets pass 1e-9 of q, and M is far from singular
        for found, wanted in zip(solution["z"], [4 / 3, 7 / 3], strict=True):
            self.assertAlmostEqual(found, wanted, delta=1e-8)
        self.assertIn("solved by lemke", self.rigor("solve", "lcp.json").out)

    def test_an_lcp_takes_free_rows_and_bounds(self):
        identity = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
        file = self.problem("box.json", M=identity, q=[5, -5, 7, -2], free=[2], lo=[-1, -1, 0, None], hi=[1, 1, 0, None])
        answer = self.rigor("solve", file, "--json")
        self.assertEqual(answer.code, 0, answer.err)
        for found, wanted in zip(answer.json()["z"], [-1, 1, -7, 2], strict=True):
            self.assertAlmostEqual(found, wanted, delta=1e-8)

    def test_an_lcp_without_solution_comes_with_its_proof(self):
        answer = self.rigor("solve", self.problem("jam.json", M=[[1, -1], [-1, 1]], q=[-1, 0.5]), "--json")
        self.assertEqual((answer.code, answer.json()["status"]), (1, "no_solution"))
        certificate = answer.json()["certificate"]
        self.assertEqual(certificate[0], certificate[1])  # its size is a power of two in problems of rows that do not push each other
        self.assertTrue(0.5 <= certificate[0] <= 1)
        self.assertIn("No z solves this", self.rigor("solve", "jam.json").out)
        # the signs of z and w can be met, but not one of both zero in each row
        answer = self.rigor("solve", self.problem("open.json", M=[[-2, 1], [-2, 2]], q=[-1, -1]), "--json")
        self.assertEqual((answer.code, answer.json()["status"], answer.json()["stage"]), (1, "no_solution", "branches"))
        self.assertNotIn("certificate", answer.json())
        self.assertEqual(len(answer.json()["z"]), 2)
        for case in answer.json()["branches"]:
            self.assertEqual(len(case["certificate"]), 2)
            self.assertTrue(all(place in ("lower", "inside") for row, place in case["decided"]))
        self.assertIn("in each of", self.rigor("solve", "open.json").out)

    def test_a_bad_lcp_is_refused_with_file_key_and_remedy(self):
        one = {"M": [[1]], "q": [-1]}
        for values, words in [
            ({"M": [], "q": []}, "q: is empty"),
            ({"M": [[1]]}, "q: is missing"),
            ({"M": [[1, 2]], "q": [1]}, "M[0]: has 2 values, but M has 1 rows"),
            ({"M": [1, 2, 3], "q": [1, 1]}, "M: has 3 values, not 2 × 2"),
            ({"M": [["a"]], "q": [1]}, "M: holds something that is no finite number"),
            ({"M": [[1]], "q": [None]}, "q: holds something"),
            ({"M": [[1e200]], "q": [1]}, "M[0]"),
            ({**one, "free": [1]}, "free: names row 1 of 1"),
            ({**one, "free": [0.5]}, "free: holds 0.5"),
            ({**one, "lo": [1], "hi": [0]}, "lo[0]: 1 is above hi, 0"),
            ({**one, "lo": [0, 0]}, "lo: has 2 values, not 1"),
            ({**one, "bias": [1]}, "bias: is not known"),
            ({**one, "W": [[1]]}, "W: is not known"),
        ]:
            with self.subTest(words):
                answer = self.rigor("solve", self.problem("bad.json", **values))
                self.assertEqual(answer.code, 2, answer.out + answer.err)
                self.assertIn("bad.json", answer.err)
                self.assertIn(words, answer.err)
                self.assertGreaterEqual(len(answer.err.strip().splitlines()), 2, "a remedy is missing")
        self.problem("lcp.json", **one)
        for arguments, words in [
            (["--law", "pyramid"], "--law has no meaning"),
            (["--directions", "8"], "--directions has no meaning"),
            (["--solver", "newton"], "solved by lemke"),
            (["--tol", "0"], "above 0"),
        ]:
            with self.subTest(words):
                answer = self.rigor("solve", "lcp.json", *arguments)
                self.assertEqual(answer.code, 2, answer.out)
                self.assertIn(words, answer.err)


if __name__ == "__main__":
    unittest.main()
