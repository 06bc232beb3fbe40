#!/usr/bin/env python3
"""Asks Pinocchio and MuJoCo about robots and random mechanisms and writes their answers to tests/peers.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install pin==4.1.0 mujoco==4.0.0 numpy
    /tmp/peers/bin/python scripts/make_peer_references.py

For development only: the tests read the files. Prints how well the two agree with each other, which is the noise that
a comparison with either must expect.
"""
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NEEDED = {"pin": "4.1.0", "mujoco": "4.0.0"}
TREES = 200
ROBOTS = ["anymal", "a1", "humanoid"]
STATES = 4  # of each robot


def check_versions():
    for package, wanted in NEEDED.items():
        try:
            found = version(package)
        except PackageNotFoundError:
            found = "no version"
        if found != wanted:
            sys.exit(f"make_peer_references.py: needs {package} {wanted}, found {found}\n"
                     "  The files state whose answers they hold. Install that version in a venv:"
                     f" pip install {package}=={wanted}")


check_versions()

import numpy as np  # noqa: E402  (after the check: its message must come before an import error)

from peers.tree import EXTRA, PAIRS, ROTATIONS, TRANSLATIONS, quaternion, random_state, random_tree  # noqa: E402
from peers.urdf import read_urdf  # noqa: E402
from peers.with_mujoco import MujocoModel, can_express  # noqa: E402
from peers.with_pinocchio import PinocchioDerivatives, PinocchioModel  # noqa: E402


class Deck:
    """Deals joint types so that each comes as often as the others."""

    def __init__(self, rng):
        self.rng, self.cards = rng, []

    def __call__(self):
        if not self.cards:
            self.cards = PAIRS + EXTRA
            self.rng.shuffle(self.cards)
        return tuple(self.cards.pop())


class File:
    """Arrays of all cases, one behind the other; sizes follow from bodies, nq and nv of each case."""

    def __init__(self):
        self.columns = {}

    def add(self, name, values, kind=np.float64):
        self.columns.setdefault(name, []).append(np.asarray(values, dtype=kind).ravel())

    def add_tree(self, tree):
        self.add("gravity", tree.gravity)
        for body in tree.bodies:
            self.add("body_parent", body.parent, np.int32)
            self.add("body_joints", len(body.joints), np.int32)
            I = body.inertia()
            self.add("body_mass", [body.mass, *body.com, I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])
            self.add("body_frame", [*body.X_JB.p, *quaternion(body.X_JB.R)])
            for joint in body.joints:
                self.add("joint_type", [TRANSLATIONS[joint.translation], ROTATIONS[joint.rotation]], np.int32)
                self.add("joint_axis", joint.axis)
                self.add("joint_frame", [*joint.X_PJ.p, *quaternion(joint.X_PJ.R)])
                self.add("joint_numbers", [joint.armature, joint.pitch, joint.stiffness])
                if joint.stiffness:
                    self.add("spring_reference", joint.spring_reference)

    def add_case(self, tree, state, watched, answers):
        self.add("case_bodies", len(tree.bodies), np.int32)
        self.add("case_nq", tree.nq, np.int32)
        self.add("case_nv", tree.nv, np.int32)
        self.add("case_mujoco", "mujoco" in answers, np.int32)
        self.add("watched", watched, np.int32)
        for name, values in zip(["q", "v", "tau"], state):
            self.add(name, values)
        for peer, found in answers.items():
            for name, values in found.items():
                values = values[np.tril_indices(tree.nv)] if name == "M" else values  # rows of the lower triangle
                self.add(f"{peer}_{name}", values)

    def save(self, path):
        arrays = {name: np.concatenate(parts) for name, parts in self.columns.items()}
        versions = "\n".join(f"{package} {number}" for package, number in NEEDED.items())
        np.savez_compressed(path, versions=np.frombuffer(versions.encode(), np.uint8), **arrays)
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB")


def scale(name, found, v):
    """What a difference is measured against; the tests use the same (tests/peers/agreement.h)."""
    largest = {key: np.abs(values).max() for key, values in found.items()}
    return {
        "bias": max(largest["bias"], largest["gravity"]),
        "potential": max(largest["potential"], largest["gravity"]),
        "com": max(largest["com"], largest["poses"]),
        "linear_momentum": max(largest["linear_momentum"], largest["angular_momentum"]),
        "angular_momentum": max(largest["linear_momentum"], largest["angular_momentum"]),
        "jacobian_rates": largest["jacobians"] * np.abs(v).max() ** 2,
        "rnea_dq": max(largest.get("rnea_dq", 0), largest["bias"], largest["gravity"]),
        "rnea_dv": max(largest.get("rnea_dv", 0), largest["bias"], largest["gravity"]),
        "aba_dq": max(largest.get("aba_dq", 0), largest["acceleration"]),
        "aba_dv": max(largest.get("aba_dv", 0), largest["acceleration"]),
    }.get(name) or largest[name]


def report(title, noise):
    print(f"{title}: Pinocchio against MuJoCo")
    for name, worst in noise.items():
        print(f"  {name:18} {worst:.1e}")


def compare(answers, v, noise):
    if "mujoco" in answers:
        a, b = answers["pinocchio"], answers["mujoco"]
        for name in [name for name in a if name in b]:
            noise[name] = max(noise.get(name, 0.0), np.abs(a[name] - b[name]).max() / scale(name, a, v))


def add_derivatives(model, state, own, keep_forward):
    """∂a = −M⁻¹∂τ is two ways to the same numbers; the bound is what cond(M)² leaves of the digits in random trees."""
    found = own | model.answers(*state, own["acceleration"])
    for key in ("dq", "dv"):
        through_mass = -np.linalg.solve(own["M"], found[f"rnea_{key}"])
        assert np.abs(through_mass - found[f"aba_{key}"]).max() <= 1e-10 * scale(f"aba_{key}", found, state[1])
        own[f"rnea_{key}"] = found[f"rnea_{key}"]
        if keep_forward:
            own[f"aba_{key}"] = found[f"aba_{key}"]


def draw_tree(rng, deck, for_both):
    """A tree of at most 20 freedoms at a state where the peers keep twelve digits of the acceleration."""
    while True:
        tree = random_tree(rng, deck)
        if tree.nv > 20 or (for_both and not can_express(tree)):
            continue
        state, watched = random_state(rng, tree), [int(rng.integers(len(tree.bodies))), len(tree.bodies) - 1]
        found = PinocchioModel(tree).answers(*state, watched)
        if np.linalg.cond(found["M"]) <= 3000:
            return tree, state, watched, found


def make_random_trees():
    rng = np.random.default_rng(20260)
    deck, file, noise = Deck(rng), File(), {}
    for number in range(TREES):
        tree, state, watched, found = draw_tree(rng, deck, for_both=number % 2 == 0)
        add_derivatives(PinocchioDerivatives(tree), state, found, keep_forward=False)
        answers = {"pinocchio": found}
        if can_express(tree):
            mujoco = MujocoModel(tree)
            answers["mujoco"] = mujoco.answers(*state, watched) | mujoco.springs()
        file.add_tree(tree)
        file.add_case(tree, state, watched, answers)
        compare(answers, state[1], noise)
    report(f"{TREES} random trees", noise)
    file.save(ROOT / "tests" / "peers" / "random_trees.npz")


def make_robots():
    rng = np.random.default_rng(20261)
    for name in ROBOTS:
        path = ROOT / "scenes" / f"{name}.urdf"
        tree, file, noise = read_urdf(path), File(), {}
        peers = {"pinocchio": PinocchioModel(tree, path), "mujoco": MujocoModel(tree)}
        derivatives = PinocchioDerivatives(tree)
        for _ in range(STATES):
            state, watched = random_state(rng, tree), [0, len(tree.bodies) - 1]
            answers = {peer: model.answers(*state, watched) for peer, model in peers.items()}
            add_derivatives(derivatives, state, answers["pinocchio"], keep_forward=True)
            file.add_case(tree, state, watched, answers)
            compare(answers, state[1], noise)
        report(name, noise)
        file.save(ROOT / "tests" / "peers" / f"{name}.npz")


if __name__ == "__main__":
    make_random_trees()
    make_robots()
