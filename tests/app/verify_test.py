"""rigor verify: good runs hold, damaged ones do not, and broken files are refused in plain words."""

import json
import resource
import struct
import unittest
import zipfile
from pathlib import Path

from program import ProgramTest, read_array

SCENES = sorted((Path(__file__).resolve().parents[2] / "scenes").glob("*.toml"))

KEYS = ["status", "steps", "substeps", "restarts", "first_bad", "worst", "measures", "ledger", "unchecked"]
WORST = ["gap", "overlap", "momentum", "cone", "complementarity", "energy_gain", "contact_work", "slip", "loop", "limit", "energy"]


def members(file):
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rewrite(file, contents, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, data in contents.items():
            archive.writestr(name, data)


def body_of(data):
    """Where the numbers of a .npy file begin."""
    return 10 + struct.unpack_from("<H", data, 8)[0]


class Recorded(ProgramTest):
    def record(self, name="run.npz", *options, time="0.4"):
        answer = self.rigor("run", "toy.toml", "--time", time, "--out", name, *options)
        self.assertEqual(answer.code, 0, answer.err)
        return self.folder / name

    def verify(self, file):
        return self.rigor("verify", file, "--json")

    def change(self, file, array, index, function):
        """Applies a function to one double."""
        contents = members(file)
        data = bytearray(contents[array + ".npy"])
        at = body_of(data) + 8 * index
        (value,) = struct.unpack_from("<d", data, at)
        struct.pack_into("<d", data, at, function(value))
        contents[array + ".npy"] = bytes(data)
        rewrite(file, contents)


class Verify(Recorded):
    def test_every_scene_of_the_project_holds(self):
        for scene in SCENES:
            with self.subTest(scene.stem):
                run = self.rigor("run", scene, "--time", "0.7", "--out", "scene.npz")
                self.assertEqual(run.code, 0, run.err)
                answer = self.verify("scene.npz")
                self.assertEqual(answer.code, 0, answer.out)
                found = answer.json()
                self.assertEqual(found["status"], "holds")
                self.assertGreater(found["steps"], 50)
                self.assertLess(found["worst"]["momentum"], 1e-10)

    def test_a_good_run_holds(self):
        self.record()
        answer = self.verify("run.npz")
        self.assertEqual(answer.code, 0, answer.out)
        found = answer.json()
        self.assertEqual(list(found), KEYS)
        self.assertEqual(list(found["worst"]), WORST)
        self.assertEqual(list(found["measures"]), WORST)
        for name, measure in found["measures"].items():
            if measure is None:
                self.assertIn(name, ["loop", "contact_work", "gap"])  # the toy has no loops and no round solids
                continue
            self.assertEqual(sorted(measure), ["holds", "limit", "value"])
            self.assertTrue(measure["holds"], name)
            self.assertLessEqual(measure["value"], measure["limit"], name)
            self.assertGreater(measure["limit"], 0, name)
        self.assertEqual(found["status"], "holds")
        self.assertEqual(found["steps"], 400)
        self.assertEqual(found["restarts"], 1)
        self.assertIsNone(found["first_bad"])
        self.assertIn("holds", self.rigor("verify", "run.npz").out)

    def test_the_ledger_says_who_changed_the_energy(self):
        self.record()
        answer = self.rigor("verify", "run.npz", "--json", "--out", "ledger.csv")
        self.assertEqual(answer.code, 0, answer.err)
        ledger = answer.json()["ledger"]
        self.assertEqual(list(ledger), ["steps", "energy", "springs", "work", "remainder", "worst_remainder"])
        self.assertEqual(ledger["steps"], 399)  # the kick at the last node is not recorded
        start, end = ledger["energy"]
        self.assertAlmostEqual(end - start, sum(ledger["work"].values()) + ledger["remainder"], 12)
        self.assertLess(ledger["work"]["impacts"], 0)  # the toy falls
        self.assertEqual(ledger["work"]["drives"], 0)

        rows = (self.folder / "ledger.csv").read_text().splitlines()
        names = rows[0].split(",")
        self.assertEqual(names, ["time", "energy", "springs", "change", *ledger["work"], "remainder"])
        self.assertEqual(len(rows), 400)
        columns = list(zip(*([float(x) for x in row.split(",")] for row in rows[1:])))
        for name, total in ledger["work"].items():
            self.assertAlmostEqual(sum(columns[names.index(name)]), total, 12)
        worst = ledger["worst_remainder"]
        self.assertEqual(columns[-1][worst["step"]], worst["value"])
        self.assertEqual(max(map(abs, columns[-1])), abs(worst["value"]))

        text = self.rigor("verify", "run.npz").out
        self.assertRegex(text, r"energy ledger of 399 steps")
        self.assertRegex(text, r"\n +impacts +-\d")
        self.assertRegex(text, r"\n +energy before the last step +\d")  # where the ledger ends, see docs/verify.md
        self.assertNotIn("drives", text.split("energy ledger")[1])

    def test_an_energy_gain_that_no_number_could_break_is_not_judged(self):
        spring = 'shape = { sphere = 0.1 }\nmass = 1\nposition = [0, 0, 1]\n[[spring]]\nbody_1 = "world"\nbody_2 = "ball"\n'
        self.write("stiff.toml", f'[[body]]\nname = "ball"\n{spring}length = 0.01\nstiffness = 1e9\n')
        self.rigor("run", "stiff.toml", "--time", "0.5", "--out", "stiff.npz")
        self.assertIsNone(self.verify("stiff.npz").json()["measures"]["energy_gain"])
        self.assertRegex(self.rigor("verify", "stiff.npz").out, r"\n +energy gain .* - +not judged: steps too long")

    def test_the_ledger_goes_into_a_csv_file_or_nowhere(self):
        self.record()
        answer = self.rigor("verify", "run.npz", "--out", "ledger.txt")
        self.assertEqual(answer.code, 2)
        self.assertIn(".csv", answer.err)

    def test_a_damaged_run_is_broken_and_names_the_step(self):
        file = self.record()
        self.change(file, "substep_v_end", 8 * 7 * 30, lambda v: v + 1e-6)
        answer = self.verify(file)
        self.assertEqual(answer.code, 1)
        bad = answer.json()["first_bad"]
        self.assertEqual(sorted(bad), ["limit", "step", "value", "what"])
        self.assertGreater(bad["value"], bad["limit"])
        self.assertGreater(bad["step"], 100)
        measure = answer.json()["measures"]["momentum"]
        self.assertFalse(measure["holds"])
        self.assertGreater(measure["value"], measure["limit"])
        text = self.rigor("verify", file)
        self.assertEqual(text.code, 1)
        self.assertRegex(text.out, r"momentum balance +\S+ +\S+ +broken")
        self.assertRegex(text.out, r"true overlap +\S+ +\S+ +holds")
        self.assertIn("broken", text.out)
        self.assertIn(bad["what"], text.out)

    def test_a_run_from_a_snapshot_holds_and_its_times_go_on(self):
        self.rigor("run", "toy.toml", "--time", "0.3", "--save-snapshot", "s.npz")
        file = self.record("later.npz", "--from", "s.npz")
        self.assertEqual(self.verify(file).code, 0)
        shape, time = read_array(file, "time")
        self.assertEqual(shape, (401,))
        self.assertEqual(time, tuple(k * 0.001 for k in range(300, 701)))

    def test_runs_of_other_integrators_say_what_is_not_judged(self):
        file = self.record("run.npz", "--integrator", "rk4")
        answer = self.verify(file)
        self.assertEqual(answer.code, 0, answer.out)
        self.assertIn("integrator", " ".join(answer.json()["unchecked"]))

    def test_recordings_of_version_1_are_judged_at_their_nodes(self):
        file = self.record(time="0.1")  # it does not touch the floor yet: one sub-step per step
        contents = members(file)
        header = contents["header.npy"]
        text = json.loads(header[body_of(header) :])
        text["version"] = 1
        encoded = json.dumps(text, separators=(",", ":"), ensure_ascii=False).encode()
        shape = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({len(encoded)},), }}"
        head = shape.ljust((64 - (10 + len(shape) + 1) % 64) % 64 + len(shape)) + "\n"
        contents["header.npy"] = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + encoded
        for name in list(contents):  # n rows instead of n + 1; the contacts of one sub-step are those of its step
            if name in ("time.npy", "q.npy", "v.npy", "energy.npy", "momentum.npy"):
                data = contents[name]
                begin = body_of(data)
                width = (len(data) - begin) // 101
                head = data[:begin].replace(b"(101", b"(100")
                contents[name] = head + data[begin : len(data) - width]
            elif name.startswith(("substep", "row_", "fresh", "contact_gap_end")):
                del contents[name]
            elif name == "contact_id.npy":  # one number for each of the contacts, of which there are none
                contents[name] = contents[name].replace(b"(0, 2), }", b"(0,), }  ")
        rewrite(file, contents)
        answer = self.verify(file)
        self.assertEqual(answer.code, 0, answer.out + answer.err)
        self.assertIn("version 1", answer.json()["unchecked"][0])


class BadFiles(Recorded):
    def setUp(self):
        super().setUp()
        self.file = self.record()

    def refused(self, *words):
        self.assertRefused(self.verify(self.file), "run.npz", *words)

    def test_files_cut_anywhere_are_refused(self):
        data = self.file.read_bytes()
        for length in [0, 1, 21, 22, 100, len(data) // 3, len(data) // 2, len(data) - 23, len(data) - 1]:
            with self.subTest(length):
                self.file.write_bytes(data[:length])
                self.refused()

    def test_files_of_another_kind_are_refused(self):
        self.file.write_bytes(b"not a zip file" * 100)
        self.refused()
        self.rigor("run", "toy.toml", "--time", "0.01", "--save-snapshot", "run.npz")
        self.refused("not a rigor recording")
        self.assertRefused(self.verify("toy.toml"), "toy.toml")
        self.assertRefused(self.verify("."), ".")

    def test_missing_and_misshapen_arrays_are_named(self):
        contents = members(self.file)
        for name in ["header", "time", "q", "substep_h", "contact_impulse", "row_id", "fresh"]:
            with self.subTest(name):
                rewrite(self.file, {k: v for k, v in contents.items() if k != name + ".npy"})
                self.refused(name)
        for name in ["time", "v", "substep_v", "tau"]:
            with self.subTest(name):
                data = contents[name + ".npy"]
                rewrite(self.file, {**contents, name + ".npy": data[:-8]})
                self.refused(name)

    def test_nan_is_refused(self):
        for name in ["time", "q", "substep_v_end", "contact_impulse"]:
            with self.subTest(name):
                self.record()
                self.change(self.file, name, 5, lambda v: float("nan"))
                self.refused(name, "finite")

    def test_an_unknown_version_is_refused(self):
        contents = members(self.file)
        for version in [b'"version":0', b'"version":9', b'"version":"']:
            with self.subTest(version):
                rewrite(self.file, {**contents, "header.npy": contents["header.npy"].replace(b'"version":8', version)})
                self.refused()

    def test_a_changed_model_is_refused_by_its_hash(self):
        contents = members(self.file)
        header = contents["header.npy"]
        changed = header.replace(b'"gravity":[0.0,0.0,-9.81]', b'"gravity":[0.0,0.0,-9.82]')
        self.assertNotEqual(changed, header)
        rewrite(self.file, {**contents, "header.npy": changed})
        self.assertRefused(self.verify(self.file), "hash")

    def test_arrays_larger_than_memory_are_refused(self):
        contents = members(self.file)
        count = 100_000_000
        shape = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({count},), }}".ljust(117) + "\n"
        huge = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(shape)) + shape.encode() + bytes(8 * count)
        rewrite(self.file, {**contents, "time.npy": huge}, zipfile.ZIP_DEFLATED)
        limit = 700 << 20
        answer = self.rigor(
            "verify", "run.npz", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        )
        self.assertRefused(answer, "run.npz", "memory")


if __name__ == "__main__":
    unittest.main()
