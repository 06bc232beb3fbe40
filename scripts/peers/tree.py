"""Mechanisms as plain numbers, in rigor's conventions (include/rigor/joint.h, model.h), and random ones of them.

A body's pose is X_WP · Π (X_PJ · motion) · X_JB over its joints. Quaternions are w, x, y, z. q and v hold the joints in
the order of the bodies, translation before rotation.
"""
from dataclasses import dataclass, field

import numpy as np

TRANSLATIONS = {"none": 0, "axis": 1, "plane": 2, "all": 3}
ROTATIONS = {"none": 0, "axis": 1, "all": 2, "helix": 3, "two axes": 4}
ROTATION_FREEDOMS = {"none": 0, "axis": 1, "all": 3, "helix": 1, "two axes": 2}


@dataclass
class Pose:
    p: np.ndarray = field(default_factory=lambda: np.zeros(3))
    R: np.ndarray = field(default_factory=lambda: np.eye(3))

    def __mul__(self, other):
        return Pose(self.p + self.R @ other.p, self.R @ other.R)

    def inverse(self):
        return Pose(-self.R.T @ self.p, self.R.T)


@dataclass
class Joint:
    translation: str = "none"
    rotation: str = "none"
    axis: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    X_PJ: Pose = field(default_factory=Pose)
    armature: float = 0.0
    pitch: float = 0.0
    stiffness: float = 0.0
    spring_reference: np.ndarray = field(default_factory=lambda: np.zeros(0))  # [nq] where there is a spring
    name: str = ""

    @property
    def free(self):
        return self.translation == "all" and self.rotation == "all"

    @property
    def nv(self):
        return TRANSLATIONS[self.translation] + ROTATION_FREEDOMS[self.rotation]

    @property
    def nq(self):
        return self.nv + (self.rotation == "all")

    def axes(self):
        """Columns e1, e2, axis: the directions that coordinates run along."""
        if self.translation in ("none", "all") and self.rotation in ("none", "all"):
            return np.eye(3)
        following = np.eye(3)[(np.argmax(np.abs(self.axis)) + 1) % 3]
        e1 = following - following.dot(self.axis) * self.axis
        e1 /= np.linalg.norm(e1)
        return np.column_stack([e1, np.cross(self.axis, e1), self.axis])


@dataclass
class Body:
    name: str
    parent: int  # index of a body, −1: world
    joints: list
    mass: float = 0.0
    com: np.ndarray = field(default_factory=lambda: np.zeros(3))
    moments: np.ndarray = field(default_factory=lambda: np.zeros(3))  # principal moments of inertia about com
    R_inertia: np.ndarray = field(default_factory=lambda: np.eye(3))  # and their axes, in the body
    X_JB: Pose = field(default_factory=Pose)

    def inertia(self):
        I = self.R_inertia @ np.diag(self.moments) @ self.R_inertia.T
        return 0.5 * (I + I.T)


@dataclass
class Tree:
    bodies: list
    gravity: np.ndarray

    @property
    def nv(self):
        return sum(joint.nv for joint in self.joints())

    @property
    def nq(self):
        return sum(joint.nq for joint in self.joints())

    def joints(self):
        return [joint for body in self.bodies for joint in body.joints]

    def depth_first(self, parent=-1):
        """Indices of bodies as the peers want them: a subtree is contiguous."""
        order = []
        for index, body in enumerate(self.bodies):
            if body.parent == parent:
                order += [index] + self.depth_first(index)
        return order


def quaternion(R):
    """w, x, y, z with w ≥ 0, from the largest component: no digits lost at any angle."""
    xx, yy, zz = np.diag(R)
    wx, wy, wz = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    xy, xz, yz = R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1]
    products = np.array([[1 + xx + yy + zz, wx, wy, wz], [wx, 1 + xx - yy - zz, xy, xz],
                         [wy, xy, 1 - xx + yy - zz, yz], [wz, xz, yz, 1 - xx - yy + zz]])  # 4·q·qᵀ
    q = products[np.argmax(np.diag(products))]
    return q / np.linalg.norm(q) * (1 if q[0] >= 0 else -1)


def rotation(q):
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def random_quaternion(rng):
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def random_pose(rng):
    return Pose(rng.uniform(-0.5, 0.5, 3), rotation(random_quaternion(rng)))


def random_coordinates(rng, joint):
    """Angles within ±2 rad, lengths within ±2 m, any quaternion."""
    if joint.rotation == "all":
        return np.concatenate([rng.uniform(-2.0, 2.0, joint.nq - 4), random_quaternion(rng)])
    return rng.uniform(-2.0, 2.0, joint.nq)


# what may stand between two bodies: all pairs but fixed and free
PAIRS = [(t, r) for t in TRANSLATIONS for r in ("none", "axis", "all") if (t, r) not in [("none",) * 2, ("all",) * 2]]
EXTRA = [("none", "helix"), ("none", "two axes")]


def random_joint(rng, kind):
    axis = rng.normal(size=3)
    if rng.integers(3) == 0:  # the special cases of joint axes: ±x, ±y, ±z
        axis = rng.choice([-1.0, 1.0]) * np.eye(3)[rng.integers(3)]
    joint = Joint(*kind, axis / np.linalg.norm(axis), random_pose(rng))
    if joint.free:  # q is its pose in the world
        joint.X_PJ = Pose()
    joint.armature = rng.uniform(0.0, 0.5) * rng.integers(2)
    joint.pitch = rng.uniform(-0.3, 0.3) if kind[1] == "helix" else 0.0
    if rng.integers(2) == 0:
        joint.stiffness, joint.spring_reference = rng.uniform(1.0, 50.0), random_coordinates(rng, joint)
    return joint


def random_body(rng, name, parent, joints):
    mass = rng.uniform(0.5, 5.0)
    squares = mass * rng.uniform(0.02, 0.2, 3) ** 2  # second moments of a real body: the triangle inequality holds
    moments = squares.sum() - squares
    body = Body(name, parent, joints, mass, rng.uniform(-0.2, 0.2, 3), moments, rotation(random_quaternion(rng)))
    if rng.integers(2) == 0:
        body.X_JB = random_pose(rng)
    return body


def random_tree(rng, kinds):
    """One to three roots, three bodies at most below each. `kinds` deals out joint types."""
    bodies, name = [], lambda: f"b{len(bodies)}"
    for _ in range(rng.choice([1, 1, 2, 2, 3])):
        mount = -1
        if rng.integers(3) == 0:  # a frame fixed to the world carries the tree
            bodies.append(Body(name(), -1, [Joint("none", "none", X_PJ=random_pose(rng))]))
            mount = len(bodies) - 1
        free = rng.integers(2) == 0
        root = random_joint(rng, ("all", "all") if free else kinds())
        bodies.append(random_body(rng, name(), -1 if free else mount, [root]))
        members = [len(bodies) - 1]
        for _ in range(rng.integers(0, 4)):
            parent = int(rng.choice(members))
            if rng.integers(6) == 0:
                joints = [Joint("none", "none", X_PJ=random_pose(rng))]
            else:
                joints = [random_joint(rng, kinds()) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
                for joint in joints[1:]:  # freedoms that repeat each other have only their armature for inertia
                    joint.armature = rng.uniform(0.1, 0.5)
            bodies.append(random_body(rng, name(), parent, joints))
            members.append(len(bodies) - 1)
    for index, joint in enumerate(Tree(bodies, None).joints()):
        joint.name = f"j{index}"
    return Tree(bodies, rng.uniform(-10.0, 10.0, 3))


def random_state(rng, tree):
    """q, v and joint forces tau."""
    q = np.concatenate([random_coordinates(rng, joint) for joint in tree.joints()])
    return q, rng.uniform(-2.0, 2.0, tree.nv), rng.uniform(-20.0, 20.0, tree.nv)
