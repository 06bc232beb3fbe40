"""The command line itself: help, exit codes, and every kind of bad input."""

import unittest

from program import ProgramTest, SCENE

COMMANDS = ["demo", "info", "eval", "run", "solve", "reproduce", "verify", "collide", "check", "gait", "inverse"]


class Help(ProgramTest):
    def test_every_command_shows_an_example_of_itself(self):
        for command in COMMANDS:
            answer = self.rigor(command, "--help")
            self.assertEqual(answer.code, 0)
            self.assertIn(f"Example:\n  rigor {command}", answer.out)
            self.assertIn("--json", answer.out)
            self.assertEqual(answer.err, "")

    def test_the_program_lists_its_commands(self):
        answer = self.rigor("--help")
        self.assertEqual(answer.code, 0)
        for command in COMMANDS:
            self.assertIn(f"\n  {command} ", answer.out)

    def test_the_version_is_one_line(self):
        answer = self.rigor("--version")
        self.assertEqual(answer.code, 0)
        self.assertRegex(answer.out, r"^rigor \d+\.\d+\.\d+\n$")


class Usage(ProgramTest):
    def test_a_command_is_needed(self):
        self.assertRefused(self.rigor(), "no command", "demo, info, eval, run, compare, solve, reproduce, verify, collide, check, gait")
        self.assertRefused(self.rigor("fly"), "fly", "demo, info, eval, run, compare, solve, reproduce, verify, collide, check, gait")

    def test_unknown_options_and_extra_files_are_named(self):
        self.assertRefused(self.rigor("run", "toy.toml", "--tim", "3"), "--tim", "rigor run --help")
        self.assertRefused(self.rigor("info", "toy.urdf", "other.urdf"), "other.urdf")
        self.assertRefused(self.rigor("run", "toy.toml", "--base", "flying"), "flying", "fixed")
        self.assertRefused(self.rigor("run", "toy.toml", "--on-failure", "cry"), "cry", "substep")

    def test_what_is_missing_is_named(self):
        self.assertRefused(self.rigor("run"), "scene")
        self.assertRefused(self.rigor("info"), "model")
        self.assertRefused(self.rigor("solve"), "PROBLEM", "--list")

    def test_missing_files_are_named(self):
        for arguments in [
            ["info", "nowhere.urdf"],
            ["run", "nowhere.toml"],
            ["run", "nowhere.urdf"],
            ["solve", "nowhere.json"],
            ["solve", "nowhere.npz"],
            ["run", "toy.toml", "--from", "nowhere.npz"],
            ["verify", "nowhere.npz"],
            ["run", "toy.toml", "--torques", "nowhere.csv"],
            ["run", "toy.toml", "--torques", "nowhere.npz"],
        ]:
            with self.subTest(arguments):
                self.assertRefused(self.rigor(*arguments), "nowhere.")

    def test_a_package_path_that_is_no_folder_is_named(self):
        for command in ["info", "eval", "run"]:
            for model in ["toy.urdf", "toy.toml"]:
                for path in ["no/such/folder", "toy.urdf"]:
                    with self.subTest(command=command, model=model, path=path):
                        answer = self.rigor(command, model, "--package-path", ".", "--package-path", path)
                        self.assertRefused(answer, f"{path}: there is no such folder", "--package-path")
        self.assertEqual(self.rigor("info", "toy.urdf", "--package-path", ".").code, 0)

    def test_a_folder_is_not_a_file(self):
        (self.folder / "folder.urdf").mkdir()
        (self.folder / "folder.npz").mkdir()
        self.assertRefused(self.rigor("info", "folder.urdf"), "folder.urdf")
        self.assertRefused(self.rigor("run", "toy.toml", "--out", "folder.npz"), "folder.npz")

    def test_numbers_must_be_finite_and_positive(self):
        for option in ["--dt", "--time"]:
            for value in ["0", "-0.001", "nan", "inf", "-inf", "1e999", "fast", "0,001", ""]:
                with self.subTest(option=option, value=value):
                    self.assertRefused(self.rigor("run", "toy.toml", f"{option}={value}"), option)
        self.write("one.json", '{"W": [[1,0,0],[0,1,0],[0,0,1]], "b": [-1,0,0], "mu": [0.5]}')
        for value in ["0", "-1", "nan"]:
            self.assertRefused(self.rigor("solve", "one.json", f"--tol={value}"), "--tol")

    def test_endless_runs_are_refused(self):
        self.assertRefused(self.rigor("run", "toy.toml", "--time", "1e300"), "steps")
        self.assertRefused(self.rigor("run", "toy.toml", "--dt", "1e-300"), "steps")

    def test_mistyped_choices_suggest_the_nearest_one(self):
        self.assertRefused(self.rigor("run", "toy.toml", "--stepper", "maximl"), 'Did you mean "maximal"?', "Known: minimal, maximal")
        self.assertRefused(self.rigor("run", "toy.toml", "--integrator", "rk5"), 'Did you mean "rk4"?')

    def test_a_choice_of_the_command_line_is_taken_before_the_scene_is_checked(self):
        self.write("first.toml", SCENE.replace("[simulation]", '[simulation]\nstart = "first_order"'))
        alone = self.rigor("run", "first.toml", "--time", "0.01")
        self.assertRefused(alone, "first.toml:2: [simulation]: start:", 'not for stepper "minimal"')
        self.assertEqual(self.rigor("run", "first.toml", "--time", "0.01", "--stepper", "maximal").code, 0)

    def test_unknown_choices_list_the_known_ones(self):
        self.assertRefused(self.rigor("run", "toy.toml", "--solver", "magic"), "magic", "auto", "newton", "bisection")
        self.assertRefused(self.rigor("run", "toy.toml", "--stepper", "events"), "events", "minimal")
        self.assertRefused(self.rigor("run", "toy.toml", "--law", "viscous"), "viscous", "coulomb", "pyramid")
        self.assertRefused(self.rigor("solve", "one.json", "--solver", "magic"), "magic", "auto")

    def test_outputs_are_checked_before_the_run(self):
        self.assertRefused(self.rigor("run", "toy.toml", "--out", "film.gif"), "film.gif", ".npz", ".html")
        self.assertRefused(self.rigor("run", "toy.toml", "--out", "no/such/folder/a.npz"), "no/such/folder/a.npz")
        self.assertRefused(self.rigor("run", "toy.toml", "--save-snapshot", "no/such/a.npz"), "no/such/a.npz")
        self.assertRefused(self.rigor("run", "nowhere.toml", "--out", "never.npz"), "nowhere.toml")
        self.assertFalse((self.folder / "never.npz").exists())


class BadFiles(ProgramTest):
    def test_garbage_is_named_not_swallowed(self):
        garbage = ["", "\0\1\2", "<robot", "{", "[[[", "x" * 10000, "<robot name='a'><link/></robot>"]
        for ending, command in [("urdf", "info"), ("urdf", "run"), ("toml", "run"), ("json", "solve"), ("npz", "solve")]:
            for text in garbage:
                with self.subTest(ending=ending, command=command, text=text[:20]):
                    self.write(f"bad.{ending}", text)
                    answer = self.rigor(command, f"bad.{ending}")
                    self.assertRefused(answer, f"bad.{ending}")

    def test_unknown_scene_keys_are_named_with_their_line(self):
        self.write("bad.toml", "[simulation]\ntime = 1.0\ndtt = 0.001\n")
        self.assertRefused(self.rigor("run", "bad.toml"), "bad.toml:3", "dtt", "dt")

    def test_scene_numbers_out_of_range_are_refused(self):
        for line in ["dt = 0.0", "dt = -1.0", "dt = nan", "time = inf", 'solver = "magic"', 'stepper = "events"', "step_accuracy = 1e-6", "step_accuracy = -1"]:
            with self.subTest(line):
                self.write("bad.toml", f'[simulation]\n{line}\n[[robot]]\nmodel = "toy.urdf"\n')
                self.assertRefused(self.rigor("run", "bad.toml"), "bad.toml:2")

    def test_torque_tables_are_checked_line_by_line(self):
        for text, word in [
            ("", "time"),
            ("time,shoulder\n", "empty"),
            ("time,elbow\n0,1\n", "torques.csv:1"),
            ("time,shoulder\n0,1,2\n", "torques.csv:2"),
            ("time,shoulder\n0,1\n1,nan\n", "torques.csv:3"),
            ("time,shoulder\n0,1\n0,2\n", "time 0"),
        ]:
            with self.subTest(text):
                self.write("torques.csv", text)
                self.assertRefused(self.rigor("run", "toy.toml", "--torques", "torques.csv"), word)


if __name__ == "__main__":
    unittest.main()
