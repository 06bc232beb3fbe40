"""rigor run and rigor demo: the contract's keys, files, snapshots, policies."""

import json
import signal
import time
import unittest
import zipfile
from pathlib import Path

from program import SCENE, ProgramTest, read_array

SCENES = Path(__file__).resolve().parents[2] / "scenes"
KEYS = {
    "scene", "stepper", "solver", "law", "integrator", "dt", "steps", "sim_time", "wall_time", "substeps", "smooth_steps",
    "us_per_step",
    "iterations", "passes", "residual", "floor_max", "penetration_max", "creep_max", "failed_steps", "contacts_max",
    "solver_stages", "energy", "warnings", "status", "accepted_by_floor", "position_rounding_max", "restitution_guard", "energy_gain_max",
    "first_failure", "loop_gap_max", "true_penetration_max", "ignored", "linear_algebra", "events",
    "directions", "tolerance", "law_gap",
}  # fmt: skip
PHASES = {"total", "kinematics", "free_motion", "collide", "assemble", "solve", "judge", "integrate"}


class Run(ProgramTest):
    def test_json_has_the_keys_of_the_contract(self):
        answer = self.rigor("run", "toy.toml", "--json")
        self.assertEqual(answer.code, 0, answer.err)
        run = answer.json()
        self.assertLessEqual(KEYS, set(run))
        self.assertEqual(set(run["us_per_step"]), PHASES)
        for key in ["iterations", "passes"]:
            self.assertEqual(set(run[key]), {"mean", "max"})
        self.assertEqual(set(run["residual"]), {"law", "equation", "step"})
        self.assertEqual(set(run["energy"]), {"start", "end"})
        self.assertEqual((run["stepper"], run["solver"], run["law"], run["dt"]), ("minimal", "auto", "coulomb", 0.001))
        self.assertEqual((run["steps"], run["sim_time"], run["failed_steps"]), (1000, 1.0, 0))

    def test_every_law_is_simulated_and_tells_how_far_it_is_from_coulombs(self):
        # turned by 0.3 rad, so that it slides between two corners
        self.write("turned.toml", SCENE + "quaternion_wxyz = [0.98877, 0, 0, 0.14944]\n")
        for law, solver in [("coulomb", "auto"), ("pyramid", "auto"), ("pyramid", "pgs"), ("dissipation", "bisection_hybrid")]:
            with self.subTest(law=law, solver=solver):
                answer = self.rigor("run", "turned.toml", "--law", law, "--solver", solver, "--directions", "6", "--time", "0.5", "--json")
                self.assertEqual(answer.code, 0, answer.err)
                run = answer.json()
                self.assertEqual((run["law"], run["solver"], run["directions"]), (law, solver, 6))
                self.assertLessEqual(run["residual"]["law"], 1e-10)
                self.assertEqual(run["law_gap"]["max"] > 1e-3, law != "coulomb")
                self.assertLessEqual(run["law_gap"]["mean"], run["law_gap"]["max"])

    def test_a_wider_tolerance_is_the_limit_that_steps_are_judged_by(self):
        fine = self.rigor("run", "toy.toml", "--solver", "pgs", "--time", "0.5", "--json").json()
        coarse = self.rigor("run", "toy.toml", "--solver", "pgs", "--tol", "1e-5", "--time", "0.5", "--json").json()
        self.assertEqual((fine["tolerance"], coarse["tolerance"]), (1e-10, 1e-5))
        self.assertLess(coarse["iterations"]["mean"], fine["iterations"]["mean"])
        self.assertGreater(coarse["residual"]["law"], 1e-10)
        self.assertLessEqual(coarse["residual"]["law"], 1e-5)
        self.assertIn("the limit is 1e-05", self.rigor("run", "toy.toml", "--tol", "1e-5", "--time", "0.1").out)

    def test_laws_that_cannot_be_are_refused(self):
        for arguments, words in [
            (["--law", "viscous"], "unknown law"),
            (["--law", "pyramid", "--directions", "9"], "even number from 4 to 64"),
            (["--solver", "quartic"], 'does not solve law "coulomb"'),
            (["--law", "dissipation", "--solver", "interior_point"], "bisection_hybrid"),
            (["--tol", "0"], "above 0"),
            (["--tol", "0.5"], "at most 0.01"),
        ]:
            with self.subTest(arguments=arguments):
                answer = self.rigor("run", "toy.toml", *arguments)
                self.assertEqual(answer.code, 2, answer.out)
                self.assertIn(words, answer.err)

    def test_the_toy_falls_and_the_numbers_say_so(self):
        run = self.rigor("run", "toy.toml", "--json", "--time", "3").json()
        self.assertLess(run["energy"]["end"], run["energy"]["start"])
        self.assertGreaterEqual(run["contacts_max"], 3)
        self.assertLessEqual(run["penetration_max"], 1e-11)  # the promise of the scheme
        self.assertLessEqual(run["creep_max"], 1e-12)  # 1e-10 of h·1 m/s² per step is the judge's limit
        for part in run["residual"].values():
            self.assertLessEqual(part, 1e-10)
        self.assertGreater(sum(run["solver_stages"].values()), 1000)
        self.assertGreater(run["us_per_step"]["total"], sum(run["us_per_step"].values()) / 2 - 1e-9)
        self.assertGreaterEqual(run["wall_time"] * 1e6, run["us_per_step"]["total"] * run["steps"])

    def test_true_distances_are_measured_where_asked_for(self):
        self.assertIsNone(self.rigor("run", "toy.toml", "--json").json()["true_penetration_max"])
        answer = self.rigor("run", "toy.toml", "--json", "--verify-geometry")
        self.assertEqual(answer.code, 0, answer.err)
        self.assertGreaterEqual(answer.json()["true_penetration_max"], 0.0)
        self.assertLessEqual(answer.json()["true_penetration_max"], 1e-11)  # the promise of the scheme
        self.assertIn("true penetration", self.rigor("run", "toy.toml", "--verify-geometry").out)

    def test_options_overrule_the_scene(self):
        run = self.rigor("run", "toy.toml", "--json", "--dt", "0.002", "--time", "0.5", "--solver", "newton").json()
        self.assertEqual((run["dt"], run["steps"], run["sim_time"], run["solver"]), (0.002, 250, 0.5, "newton"))

    def test_every_integrator_runs_and_says_how_many_steps_it_took_alone(self):
        start = self.rigor("run", "toy.toml", "--json").json()
        self.assertEqual(start["integrator"], "leapfrog")
        self.assertGreater(start["smooth_steps"], 50)  # it falls for 0.14 s
        self.assertLess(start["smooth_steps"], 500)
        run = self.rigor("run", "toy.toml", "--json", "--integrator", "rk4").json()
        self.assertEqual((run["integrator"], run["failed_steps"]), ("rk4", 0))
        self.assertAlmostEqual(run["smooth_steps"], start["smooth_steps"], delta=50)

    def test_an_unknown_integrator_is_refused_with_the_list(self):
        self.assertRefused(self.rigor("run", "toy.toml", "--integrator", "rk5"), "rk5", "rk4", "implicit_midpoint")

    def test_the_verdict_is_short_and_complete(self):
        answer = self.rigor("run", "toy.toml")
        self.assertEqual(answer.code, 0, answer.err)
        self.assertLessEqual(answer.out.count("\n"), 8)
        for word in ["simulated", "s per step of 1 ms", "worst residual", "penetration", "creep", "failed steps", "0 of 1000"]:
            self.assertIn(word, answer.out)

    def test_a_bare_model_gets_a_floor_and_says_what_was_chosen(self):
        answer = self.rigor("run", "toy.urdf", "--json", "--time", "0.5")
        self.assertEqual(answer.code, 0, answer.err)
        self.assertEqual(answer.json()["dt"], 0.001)
        self.assertGreater(answer.json()["contacts_max"], 0)
        self.assertEqual(answer.err.count("\n"), 2, answer.err)
        self.assertIn("0.8", answer.err)

    def test_limp_changes_what_a_bare_model_does(self):
        held = self.rigor("run", "toy.urdf", "--json", "--time", "0.5", "--base", "fixed").json()
        limp = self.rigor("run", "toy.urdf", "--json", "--time", "0.5", "--base", "fixed", "--limp").json()
        self.assertNotEqual(held["energy"]["end"], limp["energy"]["end"])

    def test_two_runs_give_the_same_numbers(self):
        first, second = (self.rigor("run", "toy.toml", "--json").json() for _ in range(2))
        for run in first, second:
            del run["wall_time"], run["us_per_step"]
        self.assertEqual(first, second)

    def run_box(self, ground, *options):
        self.write(
            "box.toml",
            f"[simulation]\ntime = 0.3\n[ground]\nnormal = [0.3, 0.1, 1]\n{ground}\n[[body]]\nshape = {{ box = [0.3, 0.2, 0.1] }}\n"
            "mass = 2\nposition = [0, 0, 0.15]\nvelocity = [1, 0.5, 0]\nangular_velocity = [1, 2, 3]\n",
        )
        return self.rigor("run", "box.toml", "--json", *options, timeout=60)

    def test_a_box_lands_on_friction_that_never_slips_however_it_is_written(self):
        for friction in "1e3", "1e4", "1e6", "1e9", "1e300":
            answer = self.run_box(f"friction = {friction}")
            self.assertEqual(answer.code, 0, answer.err)
            self.assertEqual("counts as 10000" in answer.err, float(friction) > 1e4, answer.err)
        for ground in "rolling = 1e6", "torsion = 1e300", "anisotropy = { direction = [1, 1, 0], ratio = 1e12 }":
            answer = self.run_box(ground)
            self.assertEqual(answer.code, 0, answer.err)
            self.assertIn("counts as 10000", answer.err)

    def test_hard_contacts_of_soft_materials_are_told_only_where_there_are_such(self):
        box = "[[body]]\nshape = {{ box = [0.1, 0.1, 0.1] }}\nmass = 1\nposition = [{}, 0, 0.05]\nmaterial = \"s\"\n"
        ball = "[[body]]\nshape = { sphere = 0.1 }\nmass = 1\nposition = [0, 0, 0.1]\nmaterial = \"s\"\n"
        soft = "[simulation]\ntime = 0.01\n[[material]]\nname = \"s\"\ncompliance = 1e-4\n[ground]\n" + ball + box.format(1)
        self.write("one.toml", soft)
        self.write("two.toml", soft + box.format(2))
        self.assertNotIn("are hard", self.rigor("run", "one.toml").err)
        self.assertIn("contacts of box and box are hard", self.rigor("run", "two.toml").err)

    def test_ctrl_c_within_a_long_step_is_answered_by_every_law(self):
        # the first step of this wall takes minutes by these laws
        for law, number in ("dissipation", signal.SIGINT), ("pyramid", signal.SIGTERM):
            process = self.start("run", SCENES / "gallery/brick_wall.toml", "--law", law, "--out", "wall.npz", "--json")
            time.sleep(4.0)
            process.send_signal(number)
            begin = time.monotonic()
            out, told = process.communicate(timeout=120)
            self.assertLess(time.monotonic() - begin, 10.0, told)  # 0.2 s; a loaded machine may need more
            self.assertEqual(process.returncode, 130, told)
            self.assertEqual(json.loads(out)["status"], "interrupted")

    def test_a_step_of_one_second_ends_honestly(self):
        answer = self.rigor("run", "toy.toml", "--json", "--dt", "1", "--time", "5")
        run = answer.json()
        self.assertIn(answer.code, [0, 1], answer.err)
        self.assertEqual(answer.code == 0, run["failed_steps"] == 0 and run["sim_time"] == 5.0)

    def test_a_violent_table_of_torques_ends_honestly(self):
        for torque in ["1e6", "1e12", "1e300"]:
            for policy in ["stop", "substep", "continue"]:
                with self.subTest(torque=torque, policy=policy):
                    self.write("torques.csv", f"time,shoulder\n0,{torque}\n")
                    answer = self.rigor(
                        "run", "toy.toml", "--json", "--torques", "torques.csv", "--on-failure", policy, timeout=300
                    )
                    run = answer.json()
                    self.assertEqual(answer.code, 0 if run["failed_steps"] == 0 else 1)
                    if answer.code == 1:
                        self.assertIn("not accepted", answer.err)
                        self.assertLess(run["sim_time"], 1.0)
                    if policy == "continue" and run["failed_steps"] > 0:
                        self.assertGreaterEqual(run["failed_steps"], 100)
                        self.assertEqual(answer.err.count("not accepted"), 1)
                    if policy != "continue":
                        self.assertLessEqual(run["failed_steps"], 1)


    def test_a_motion_that_squeezes_something_is_named(self):
        press = '[[body]]\nname = "press"\nshape = {box = [0.4, 0.4, 0.1]}\nmass = 1\n'
        press += "motion = [[0, 0, 0, 0.4, 1, 0, 0, 0], [1, 0, 0, -0.1, 1, 0, 0, 0]]\n"
        box = '[[body]]\nname = "box"\nshape = {box = [0.2, 0.2, 0.2]}\nmass = 1\nposition = [0, 0, 0.1]\n'
        self.write("press.toml", "[simulation]\ndt = 0.005\ntime = 1.0\n[ground]\n" + press + box)
        answer = self.rigor("run", "press.toml")
        self.assertEqual(answer.code, 1, answer.err)
        self.assertIn('A prescribed motion may force overlap: "press" moves as it is told', answer.err)
        self.assertIn('presses "box" against "ground"', answer.err)

    def write_press(self):
        press = '[[body]]\nname = "press"\nshape = {box = [0.4, 0.4, 0.1]}\nmass = 1\n'
        press += "motion = [[0, 0, 0, 0.4, 1, 0, 0, 0], [1, 0, 0, -0.1, 1, 0, 0, 0]]\n"
        ball = '[[body]]\nname = "ball"\nshape = {sphere = 0.1}\nmass = 1\nposition = [0, 0, 0.1]\n'
        self.write("press.toml", "[simulation]\ndt = 0.005\ntime = 1.0\n[ground]\n" + press + ball)

    def test_a_refused_step_saves_its_problem_and_the_snapshot_before_it(self):
        self.write_press()
        answer = self.rigor("run", "press.toml", "--json", "--out", "run.csv", "--out", "other.npz")
        self.assertEqual(answer.code, 1, answer.err)
        failure = answer.json()["first_failure"]
        self.assertEqual((failure["problem"], failure["snapshot"]), ("run.failed.npz", "run.failed.snap"))
        self.assertIn(f"Problem at which step {failure['step']} gave up written: run.failed.npz", answer.err)
        self.assertIn("rigor run press.toml --from run.failed.snap", answer.err)
        self.assertFalse((self.folder / "other.failed.npz").exists())  # beside the first file alone
        # the press and the floor against the ball: no motion, and that is proved
        solved = self.rigor("solve", "run.failed.npz", "--json")
        self.assertEqual(solved.code, 1)
        self.assertEqual(solved.json()["status"], "no_solution")
        self.assertEqual(len(solved.json()["certificate"]), 6)
        # from the snapshot the first step is refused again, in the same way
        again = self.rigor("run", "press.toml", "--json", "--from", "run.failed.snap", "--time", "0.05")
        self.assertEqual(again.code, 1)
        repeated = again.json()["first_failure"]
        self.assertEqual(repeated["step"], 0)
        for key in ["status", "residual", "certificate"]:
            self.assertEqual(repeated[key], failure[key], key)

    def test_a_refused_step_of_a_run_without_files_says_how_to_save_it(self):
        self.write_press()
        answer = self.rigor("run", "press.toml", "--json")
        failure = answer.json()["first_failure"]
        self.assertEqual((failure["problem"], failure["snapshot"]), (None, None))
        self.assertIn(f"With --out FILE the contact problem of step {failure['step']}", answer.err)
        self.assertEqual([file.name for file in self.folder.glob("*.failed.*")], [])

    def test_a_run_without_refused_steps_leaves_nothing_beside_its_files(self):
        answer = self.rigor("run", "toy.toml", "--time", "0.05", "--out", "good.npz")
        self.assertEqual(answer.code, 0, answer.err)
        self.assertEqual([file.name for file in self.folder.glob("*.failed.*")], [])

    def test_the_place_of_a_refused_step_is_not_given_to_another_file(self):
        answer = self.rigor("run", "toy.toml", "--out", "a.npz", "--save-snapshot", "a.failed.snap")
        self.assertRefused(answer, "a.failed.snap")
        self.assertRefused(self.rigor("run", "toy.toml", "--out", "a.npz", "--out", "a.failed.npz"), "a.failed.npz")

    def test_a_motion_along_something_is_not_blamed_for_what_something_else_does(self):
        box = '[[body]]\nname = "{}"\nshape = {{box = [0.2, 0.2, 0.2]}}\nmass = 1\nposition = [{}, 2, 0.2]\n'
        belt = '[[body]]\nname = "belt"\nshape = {box = [2, 0.4, 0.1]}\nmass = 1\n'
        belt += "motion = [[0, 0, 2, 0.05, 1, 0, 0, 0], [1, 0.3, 2, 0.05, 1, 0, 0, 0]]\n"
        bodies = belt + box.format("first", 0) + box.format("second", 0.2)  # which touch each other and the belt
        robot = '[[robot]]\nmodel = "toy.urdf"\n'
        self.write("belt.toml", "[simulation]\ndt = 0.005\ntime = 0.1\n[ground]\n" + robot + bodies)
        for torque in ["1e12", "1e300"]:
            self.write("torques.csv", f"time,shoulder\n0,{torque}\n")
            answer = self.rigor("run", "belt.toml", "--torques", "torques.csv")
            self.assertEqual(answer.code, 1, answer.err)
            self.assertIn("not accepted", answer.err)
            self.assertNotIn("prescribed motion", answer.err)

    def test_a_body_wholly_under_a_height_field_is_told_and_put_on_top(self):
        field = "{heightfield = {size = [2.0, 2.0], heights = [[0, 0, 0], [0, 0.1, 0], [0, 0, 0]]}}"
        ground = f'[[body]]\nname = "p"\nfixed = true\nshape = {field}\n'
        box = '[[body]]\nname = "a"\nshape = {box = [0.2, 0.2, 0.2]}\nmass = 1\nposition = [0.1, 0.05, -0.3]\n'
        self.write("under.toml", "[simulation]\ndt = 0.005\ntime = 0.1\n" + ground + box)
        answer = self.rigor("run", "under.toml", "--json")
        self.assertEqual(answer.code, 0, answer.err)
        self.assertIn('"p" and "a" overlap by 0.51 m at the start', answer.err)
        self.assertGreater(answer.json()["energy"]["start"], 9.81 * 0.1)  # 1 kg above the middle of the ground

    def test_gains_and_speeds_that_explode_end_honestly(self):
        gains = ["kp = 1e15\nkd = 0.0", "kp = 0.0\nkd = 1e15", "kp = 1e300\nkd = 1e300"]
        scenes = ['[[controller]]\nkind = "hold"\nrobot = "toy"\n' + pair for pair in gains]
        scenes += ["v = { shoulder = 1e9 }", "v = { shoulder = 1e200 }", "velocity = [0, 0, -1e150]"]
        for extra in scenes:
            with self.subTest(extra):
                self.write("wild.toml", (self.folder / "toy.toml").read_text() + extra + "\n")
                answer = self.rigor("run", "wild.toml", "--json", "--time", "0.2", timeout=300)
                if "e9" in extra or "e200" in extra or "e150" in extra:
                    self.assertRefused(answer, "faster than light")
                else:
                    self.assertEqual(answer.code, 0 if answer.json()["failed_steps"] == 0 else 1, answer.err)


class Files(ProgramTest):
    def test_the_recording_has_a_row_for_every_node(self):
        answer = self.rigor("run", "toy.toml", "--out", "toy.npz", "--time", "0.25")
        self.assertEqual(answer.code, 0, answer.err)
        self.assertIn("toy.npz", answer.err)
        self.assertIsNone(zipfile.ZipFile(self.folder / "toy.npz").testzip())
        shape, time = read_array(self.folder / "toy.npz", "time")
        self.assertEqual(shape, (251,))
        self.assertEqual(time, tuple(k * 0.001 for k in range(251)))
        self.assertEqual(read_array(self.folder / "toy.npz", "tau")[0], (250, 7))
        shape, q = read_array(self.folder / "toy.npz", "q")
        self.assertEqual(shape, (251, 8))
        self.assertEqual(q[2], 0.2)

    def test_the_table_and_the_page_are_written(self):
        for name in ["toy.csv", "toy.html"]:
            answer = self.rigor("run", "toy.toml", "--out", name, "--time", "0.05")
            self.assertEqual(answer.code, 0, answer.err)
            self.assertGreater((self.folder / name).stat().st_size, 1000)

    def test_the_problem_of_a_step_is_written_and_solved_elsewhere(self):
        for name in ["step.json", "step.npz"]:
            answer = self.rigor("run", "toy.toml", "--save-problem", "900", name)
            self.assertEqual(answer.code, 0, answer.err)
            self.assertIn(f"Problem written: {name}", answer.err)
            solved = self.rigor("solve", name, "--json").json()
            self.assertEqual(solved["status"], "solved")
            # it rests on corners and tip: they carry its weight for one step
            self.assertAlmostEqual(sum(solved["impulses"][0::3]), 2.5 * 9.81 * 0.001, delta=1e-6)

    def test_the_problem_of_a_step_with_a_bounce_is_that_of_the_bounce(self):
        (self.folder / "bounce.toml").write_text(
            "[simulation]\ntime = 0.002\n[ground]\nrestitution = 1\n"
            "[[body]]\nname = 'ball'\nshape = {sphere = 0.1}\nmass = 2\nposition = [0, 0, 0.1007]\nvelocity = [0, 0, -1]\n"
        )
        answer = self.rigor("run", "bounce.toml", "--save-problem", "0", "bounce.json")
        self.assertEqual(answer.code, 0, answer.err)
        solved = self.rigor("solve", "bounce.json", "--json").json()
        self.assertAlmostEqual(solved["impulses"][0], 2 * 2 * (1 + 0.7e-3 * 9.81), delta=1e-4)

    def test_of_several_problems_of_a_step_the_largest_is_written_and_told(self):
        # a dumbbell turns about the end that it stands on: until the other end strikes there is one contact, then there are two
        (self.folder / "dumbbell.toml").write_text(
            "[simulation]\ntime = 0.002\n[ground]\nfriction = 1\n"
            "[[body]]\nname = 'dumbbell'\nmass = 2\nposition = [0, 0, 0.10034999997]\nvelocity = [0, 0, -1]\n"
            "quaternion_wxyz = [0.99999993875, 0, -0.00034999999, 0]\nangular_velocity = [0, 2, 0]\n"
            "[[body.shape]]\nsphere = 0.1\nposition = [-0.5, 0, 0]\n[[body.shape]]\nsphere = 0.1\nposition = [0.5, 0, 0]\n"
        )
        answer = self.rigor("run", "dumbbell.toml", "--save-problem", "0", "dumbbell.json")
        self.assertEqual(answer.code, 0, answer.err)
        self.assertRegex(answer.err, r"step 0 solved \d problems, one per sub-step; the largest is number \d with 6 rows")

    def test_a_problem_that_is_not_there_is_told(self):
        answer = self.rigor("run", "toy.toml", "--save-problem", "5000", "late.json")
        self.assertEqual(answer.code, 1)
        self.assertIn("late.json not written: the run ended before step 5000", answer.err)
        answer = self.rigor("run", "toy.toml", "--save-problem", "3", "air.json")
        self.assertEqual(answer.code, 1)
        self.assertIn("air.json not written: no constraint was near in step 3", answer.err)
        self.assertFalse((self.folder / "air.json").exists())
        self.assertRefused(self.rigor("run", "toy.toml", "--save-problem", "-3", "a.json"), "--save-problem -3")
        self.assertRefused(self.rigor("run", "toy.toml", "--save-problem", "3"), "--save-problem")
        self.assertRefused(self.rigor("run", "toy.toml", "--save-problem", "3", "a.txt"), "a.txt", ".json")
        self.assertRefused(self.rigor("run", "toy.toml", "--save-problem", "3", "no/such/a.json"), "no/such/a.json")

    def test_a_snapshot_continues_with_the_same_bits(self):
        whole = ["--time", "0.4", "--save-snapshot", "whole.npz"]
        first = ["--time", "0.25", "--save-snapshot", "first.npz"]
        second = ["--time", "0.15", "--from", "first.npz", "--save-snapshot", "second.npz"]
        for arguments in whole, first, second:
            answer = self.rigor("run", "toy.toml", *arguments)
            self.assertEqual(answer.code, 0, answer.err)
        for name in ["q", "v"]:
            self.assertEqual(read_array(self.folder / "whole.npz", name), read_array(self.folder / "second.npz", name))

    def test_a_snapshot_of_another_model_is_refused(self):
        self.assertEqual(self.rigor("run", "toy.toml", "--time", "0.01", "--save-snapshot", "free.npz").code, 0)
        answer = self.rigor("run", "toy.urdf", "--base", "fixed", "--from", "free.npz")
        self.assertEqual(answer.code, 2, answer.err)
        self.assertIn("free.npz", answer.err)

    def test_recorded_torques_can_be_replayed(self):
        self.write("push.csv", "time,shoulder\n0,1.5\n0.1,-1.5\n")
        answer = self.rigor("run", "toy.toml", "--torques", "push.csv", "--out", "push.npz", "--time", "0.2")
        self.assertEqual(answer.code, 0, answer.err)
        shape, tau = read_array(self.folder / "push.npz", "tau")
        self.assertEqual(shape, (200, 7))
        self.assertEqual((tau[6], tau[99 * 7 + 6], tau[101 * 7 + 6]), (1.5, 1.5, -1.5))
        answer = self.rigor("run", "toy.toml", "--torques", "push.npz", "--out", "again.npz", "--time", "0.2")
        self.assertEqual(answer.code, 0, answer.err)
        self.assertEqual(read_array(self.folder / "again.npz", "q"), read_array(self.folder / "push.npz", "q"))


class Demo(ProgramTest):
    def test_the_demo_writes_one_page_and_a_verdict(self):
        answer = self.rigor("demo", "--time", "0.2")
        self.assertEqual(answer.code, 0, answer.err)
        self.assertIn("0 of 200", answer.out)
        self.assertIn("rigor_demo.html", answer.err)
        self.assertGreater((self.folder / "rigor_demo.html").stat().st_size, 1000)

    def test_the_demo_lies_still_in_the_end(self):
        answer = self.rigor("demo", "--json", "--out", "fall.html")
        self.assertEqual(answer.code, 0, answer.err)
        run = answer.json()
        self.assertLessEqual(KEYS, set(run))
        self.assertEqual((run["steps"], run["sim_time"], run["failed_steps"]), (5000, 5.0, 0))
        self.assertLessEqual(run["penetration_max"], 1e-11)
        self.assertLessEqual(run["creep_max"], 1e-12)
        self.assertGreaterEqual(run["contacts_max"], 4)
        # from 1.5 m above the floor on top of the steps to a belly on the floor
        self.assertLess(run["energy"]["end"], 0.2 * run["energy"]["start"])

    def test_a_missing_scene_folder_is_named(self):
        answer = self.rigor("demo", environment={"RIGOR_SCENES": "nowhere"})
        self.assertRefused(answer, "nowhere/anymal_steps.toml", "RIGOR_SCENES")


if __name__ == "__main__":
    unittest.main()
