"""Answers of Pinocchio, in rigor's coordinates.

Pinocchio's free joint and planar joint measure linear velocity in the child's axes, rigor in the parent's. With
v_pin = B(q) v the answers change to BᵀMB, Bᵀ(bias + M Ḃv), JB, J̇v + JḂv, B⁻¹(a − Ḃv). Armature A resists rigor's v̇,
not Pinocchio's B v̇ + Ḃv: the difference A Ḃv is left out of the bias and added to the joint forces.
"""
from dataclasses import replace

import numpy as np
import pinocchio as pin

from peers.tree import Joint, Pose, Tree, rotation


def se3(X):
    return pin.SE3(X.R, X.p)


def make_joint(joint):
    """Pinocchio's joint, and the axes in which it stands in the joint frame."""
    kind, axis = (joint.translation, joint.rotation), joint.axis
    alone = {
        ("none", "axis"): lambda: pin.JointModelRevoluteUnaligned(axis),
        ("axis", "none"): lambda: pin.JointModelPrismaticUnaligned(axis),
        ("none", "all"): pin.JointModelSpherical,
        ("all", "none"): pin.JointModelTranslation,
        ("all", "all"): pin.JointModelFreeFlyer,
        ("none", "helix"): lambda: pin.JointModelHelicalUnaligned(axis, joint.pitch),
        ("none", "two axes"): lambda: pin.JointModelUniversal(axis, joint.axes()[:, 0]),
    }
    if kind in alone:
        return alone[kind](), np.eye(3)
    if kind == ("plane", "axis"):
        return pin.JointModelPlanar(), joint.axes()
    parts = {"axis": [pin.JointModelPZ], "plane": [pin.JointModelPX, pin.JointModelPY],
             "all": [pin.JointModelTranslation]}[joint.translation]
    parts = parts + {"none": [], "axis": [pin.JointModelRZ], "all": [pin.JointModelSpherical]}[joint.rotation]
    composite = pin.JointModelComposite()
    for part in parts:
        composite.addJoint(part())
    return composite, joint.axes()


class PinocchioModel:
    """Pinocchio's model of a tree, or of a URDF file that Pinocchio reads itself; `tree` gives the order of q and v."""

    def __init__(self, tree, urdf=None):
        self.tree = tree
        if urdf:
            self.model = pin.buildModelFromUrdf(str(urdf), pin.JointModelFreeFlyer())
            self.model.gravity.linear = tree.gravity
            self.model.armature = np.zeros(self.model.nv)
            ids = [self.model.getJointId(joint.name or "root_joint") for joint in tree.joints() if joint.nv]
            self.frames = [self.model.getFrameId(body.name) for body in tree.bodies]
        else:
            ids = self.build(tree)
        self.joints = list(zip([joint for joint in tree.joints() if joint.nv], ids))
        self.data = self.model.createData()

    def build(self, tree):
        model = self.model = pin.Model()
        model.gravity.linear = tree.gravity
        placed, ids, frames = {-1: (0, Pose())}, {}, {}  # body: (pinocchio's joint, pose of the body in its frame)
        for index in tree.depth_first():
            body = tree.bodies[index]
            at, X = placed[body.parent]
            for joint in body.joints:
                X = X * joint.X_PJ
                if joint.nv == 0:
                    continue
                pin_joint, axes = make_joint(joint)
                at = ids[joint.name] = model.addJoint(at, pin_joint, se3(X * Pose(R=axes)), joint.name)
                X = Pose(R=axes.T)
            X = X * body.X_JB
            placed[index] = (at, X)
            if body.mass:
                model.appendBodyToJoint(at, pin.Inertia(body.mass, body.com, body.inertia()), se3(X))
            frames[index] = model.addFrame(pin.Frame(body.name, at, se3(X), pin.FrameType.OP_FRAME))
        for joint in tree.joints():
            if joint.nv:
                at = model.joints[ids[joint.name]].idx_v
                model.armature[at:at + joint.nv] = joint.armature
        self.frames = [frames[index] for index in range(len(tree.bodies))]
        return [ids[joint.name] for joint in tree.joints() if joint.nv]

    def convert(self, q, v):
        """q and B of Pinocchio, and Ḃv."""
        q_pin, B, B_dot_v = np.zeros(self.model.nq), np.zeros((self.model.nv, len(v))), np.zeros(self.model.nv)
        at_q = at_v = 0
        for joint, index in self.joints:
            idx_q, idx_v = self.model.joints[index].idx_q, self.model.joints[index].idx_v
            qj, vj = q[at_q:at_q + joint.nq], v[at_v:at_v + joint.nv]
            block = np.eye(joint.nv)
            if (joint.translation, joint.rotation) == ("plane", "axis"):
                c, s = np.cos(qj[2]), np.sin(qj[2])
                q_pin[idx_q:idx_q + 4] = qj[0], qj[1], c, s
                block[:2, :2] = [[c, s], [-s, c]]
                local = block @ vj
                B_dot_v[idx_v:idx_v + 2] = vj[2] * local[1], -vj[2] * local[0]
            else:
                q_pin[idx_q:idx_q + joint.nq] = qj
                if joint.rotation == "all":
                    q_pin[idx_q + joint.nq - 4:idx_q + joint.nq] = qj[[-3, -2, -1, -4]]
                if joint.free:
                    R = rotation(qj[3:])
                    block[:3, :3] = R.T
                    B_dot_v[idx_v:idx_v + 3] = -np.cross(vj[3:], R.T @ vj[:3])
            B[idx_v:idx_v + joint.nv, at_v:at_v + joint.nv] = block
            at_q, at_v = at_q + joint.nq, at_v + joint.nv
        return q_pin, B, B_dot_v

    def kinetic_energy(self, q, v):
        """Armature by hand: Pinocchio 4.1.0 forgets that of RevoluteUnaligned and HelicalUnaligned here (not in M)."""
        armature = self.model.armature.copy()
        self.model.armature = np.zeros(self.model.nv)
        bodies = pin.computeKineticEnergy(self.model, self.data, q, v)
        self.model.armature = armature
        return bodies + 0.5 * armature @ v ** 2

    def answers(self, q, v, tau, watched):
        model, data = self.model, self.data
        q, B, B_dot_v = self.convert(q, v)
        armature_force = model.armature * B_dot_v
        v, tau = B @ v, np.linalg.solve(B.T, tau) + armature_force
        upper = np.triu(pin.crba(model, data, q))
        M = upper + np.triu(upper, 1).T
        bias = pin.nonLinearEffects(model, data, q, v)
        gravity = pin.computeGeneralizedGravity(model, data, q)
        acceleration = pin.aba(model, data, q, v, tau)
        out = {
            "M": B.T @ M @ B,
            "bias": B.T @ (bias + M @ B_dot_v - armature_force),
            "gravity": B.T @ gravity,
            "acceleration": np.linalg.solve(B, acceleration - B_dot_v),
            "kinetic": np.array([self.kinetic_energy(q, v)]),
            "potential": np.array([pin.computePotentialEnergy(model, data, q)]),
        }
        centroidal = pin.computeCentroidalMomentum(model, data, q, v)
        out["com"] = np.array(data.com[0])
        out["linear_momentum"] = np.array(centroidal.linear)
        out["angular_momentum"] = centroidal.angular + np.cross(out["com"], centroidal.linear)

        pin.computeJointJacobians(model, data, q)
        pin.forwardKinematics(model, data, q, v, np.zeros(model.nv))
        pin.updateFramePlacements(model, data)
        poses = [data.oMf[frame] for frame in self.frames]
        out["poses"] = np.array([np.concatenate([X.translation, X.rotation.ravel()]) for X in poses])
        aligned = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        jacobians, rates = [], []
        for body in watched:
            J = pin.getFrameJacobian(model, data, self.frames[body], aligned).reshape(6, model.nv)
            rate = pin.getFrameClassicalAcceleration(model, data, self.frames[body], aligned)
            jacobians.append(J @ B)
            rates.append(np.concatenate([rate.linear, rate.angular]) + J @ B_dot_v)
        out["jacobians"], out["jacobian_rates"] = np.array(jacobians), np.array(rates)
        return out


def split_joints(tree):
    """The same mechanism out of slides, hinges, balls and screws alone, massless bodies in between: same q and v."""
    x, y, z = np.eye(3)
    slides = {"none": [], "axis": [("axis", "none", z)], "plane": [("axis", "none", x), ("axis", "none", y)],
              "all": [("all", "none", z)]}
    turns = {"none": [], "axis": [("none", "axis", z)], "all": [("none", "all", z)], "helix": [("none", "helix", z)],
             "two axes": [("none", "axis", z), ("none", "axis", x)]}
    bodies = []
    for body in tree.bodies:
        joints = []
        for joint in body.joints:
            axes = Pose(R=joint.axes())
            joints.append(Joint(X_PJ=joint.X_PJ * axes))
            for part, (translation, turn, axis) in enumerate(slides[joint.translation] + turns[joint.rotation]):
                joints.append(Joint(translation, turn, axis, Pose(), joint.armature, joint.pitch,
                                    name=f"{joint.name}:{part}"))
            joints.append(Joint(X_PJ=axes.inverse()))
        bodies.append(replace(body, joints=joints))
    return Tree(bodies, tree.gravity)


class PinocchioDerivatives:
    """Analytic derivatives of inverse and forward dynamics with respect to q (in its tangent space) and v.

    Pinocchio 4.1.0 takes motion subspaces as constant in the child there, which is wrong for composite and universal
    joints, and its free joint has another tangent space. A model of split joints has neither trouble.
    """

    def __init__(self, tree):
        self.pinocchio = PinocchioModel(split_joints(tree))

    def answers(self, q, v, tau, acceleration):
        model, data = self.pinocchio.model, self.pinocchio.data
        q, B, _ = self.pinocchio.convert(q, v)  # B only brings v into another order
        tau_q, tau_v, _ = pin.computeRNEADerivatives(model, data, q, B @ v, B @ acceleration)
        out = {"rnea_dq": B.T @ tau_q @ B, "rnea_dv": B.T @ tau_v @ B}
        a_q, a_v, _ = pin.computeABADerivatives(model, data, q, B @ v, B @ tau)
        return out | {"aba_dq": B.T @ a_q @ B, "aba_dv": B.T @ a_v @ B}
