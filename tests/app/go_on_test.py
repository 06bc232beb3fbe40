"""rigor run --from: what a run takes over from the one that saved the snapshot."""

import unittest

from program import ProgramTest, read_array


class GoOn(ProgramTest):
    def test_a_snapshot_goes_on_with_the_stepper_that_saved_it_unless_another_is_asked_for(self):
        for saved, scene in [("maximal", "minimal"), ("minimal", "maximal"), ("maximal", "maximal")]:
            self.write("top.toml", f'[simulation]\ntime = 0.02\nstepper = "{scene}"\n[[body]]\nname = "top"\n'
                       'shape = {box = [0.1, 0.2, 0.3]}\nmass = 1\nangular_velocity = [1, 9, 2]\n')
            whole = ["--stepper", saved, "--time", "0.04", "--save-snapshot", "end.npz"]
            self.assertEqual(self.rigor("run", "top.toml", *whole).code, 0)
            self.assertEqual(self.rigor("run", "top.toml", "--stepper", saved, "--save-snapshot", "half.npz").code, 0)
            on = self.rigor("run", "top.toml", "--from", "half.npz", "--json", "--save-snapshot", "again.npz")
            self.assertEqual(on.code, 0, on.err)
            self.assertEqual(on.json()["stepper"], saved)
            self.assertEqual(f"half.npz was saved by stepper {saved}: the run goes on with it" in on.err, saved != scene)
            for key in ["q", "v"]:
                self.assertEqual(*[read_array(self.folder / file, key) for file in ["again.npz", "end.npz"]], key)
            other = "minimal" if saved == "maximal" else "maximal"
            asked = self.rigor("run", "top.toml", "--from", "half.npz", "--stepper", other, "--json")
            self.assertEqual(asked.json()["stepper"], other)
            self.assertIn(f"half.npz was saved by stepper {saved}: the run goes on with {other}", asked.err)

    def test_other_options_of_the_run_that_saved_a_snapshot_are_told_where_they_differ(self):
        self.rigor("run", "toy.toml", "--time", "0.02", "--dt", "0.002", "--law", "pyramid", "--save-snapshot", "a.npz")
        on = self.rigor("run", "toy.toml", "--time", "0.02", "--from", "a.npz")
        self.assertIn("a.npz was saved by a run with --dt 0.002, --law pyramid, which this run does not take over", on.err)
        asked = self.rigor("run", "toy.toml", "--time", "0.02", "--from", "a.npz", "--dt", "0.001", "--law", "coulomb")
        self.assertNotIn("was saved by", asked.err)


if __name__ == "__main__":
    unittest.main()
