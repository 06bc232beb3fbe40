"""Answers of MuJoCo. Its qpos and qvel are rigor's q and v; only the order of the bodies may differ.

A rigor joint becomes slides and hinges, or a ball, of one MuJoCo body. The frame of that body is the frame that the
last joint moves, in the axes along which coordinates run; where rigor's body frame differs, masses and children are
moved instead. MuJoCo cannot express a helical joint, a joint after a ball, or more than six
freedoms in one body.
"""
import mujoco
import numpy as np

from peers.tree import Pose, quaternion

HEAD = """<mujoco>
  <compiler angle="radian" autolimits="false" balanceinertia="false" boundmass="0" boundinertia="0" fusestatic="false"
            inertiafromgeom="false"/>
  <option gravity="{gravity}"><flag energy="enable" contact="disable" constraint="disable"/></option>
  <worldbody>
"""


def text(numbers):
    return " ".join(repr(float(number)) for number in numbers)


def can_express(tree):
    for body in tree.bodies:
        if sum(joint.nv for joint in body.joints) > 6:
            return False
        for place, joint in enumerate(body.joints):
            if joint.rotation == "helix" or (joint.rotation == "all" and place + 1 < len(body.joints)):
                return False
    return True


def primitives(joint):
    """MuJoCo's joints for one of ours: (type, axis in the joint's axes) in the order of v."""
    if joint.free:
        return [("free", None)]
    x, y, z = np.eye(3)
    slides = {"none": [], "axis": [z], "plane": [x, y], "all": [x, y, z]}[joint.translation]
    turns = {"none": [], "axis": [("hinge", z)], "all": [("ball", z)], "two axes": [("hinge", z), ("hinge", x)]}
    return [("slide", axis) for axis in slides] + turns[joint.rotation]


def write_body(tree, index, parent_frame, out):
    """`parent_frame`: pose of rigor's parent body in MuJoCo's parent body."""
    body = tree.bodies[index]
    X, frames = Pose(), []
    for joint in body.joints:
        X = X * joint.X_PJ
        frames.append(X * Pose(R=joint.axes()))
    last = frames[-1]
    X_MB = last.inverse() * X * body.X_JB  # rigor's body in MuJoCo's
    X_PM = parent_frame * last
    out.append(f'<body name="{body.name}" pos="{text(X_PM.p)}" quat="{text(quaternion(X_PM.R))}">')
    if body.mass:
        com, R = X_MB.p + X_MB.R @ body.com, X_MB.R @ body.R_inertia
        out.append(f'<inertial pos="{text(com)}" mass="{text([body.mass])}" quat="{text(quaternion(R))}" '
                   f'diaginertia="{text(body.moments)}"/>')
    for joint, frame in zip(body.joints, frames):
        local = last.inverse() * frame
        for part, (kind, axis) in enumerate(primitives(joint)):
            place = "" if axis is None else f'pos="{text(local.p)}" axis="{text(local.R @ axis)}" '
            out.append(f'<joint name="{joint.name}:{part}" type="{kind}" {place}armature="{text([joint.armature])}"/>')
    out.append(f'<site name="{body.name}" pos="{text(X_MB.p)}" quat="{text(quaternion(X_MB.R))}"/>')
    for child, other in enumerate(tree.bodies):
        if other.parent == index:
            write_body(tree, child, X_MB, out)
    out.append("</body>")


class MujocoModel:
    def __init__(self, tree):
        self.tree = tree
        out = [HEAD.format(gravity=text(tree.gravity))]
        for index, body in enumerate(tree.bodies):
            if body.parent == -1:
                write_body(tree, index, Pose(), out)
        self.model = mujoco.MjModel.from_xml_string("\n".join(out + ["</worldbody></mujoco>"]))
        self.data = mujoco.MjData(self.model)
        self.q_order, self.v_order = [], []  # entry of MuJoCo's arrays for each of ours
        for joint in tree.joints():
            for part, (kind, _) in enumerate(primitives(joint)):
                found = self.model.joint(f"{joint.name}:{part}")
                nq, nv = {"free": (7, 6), "ball": (4, 3)}.get(kind, (1, 1))
                self.q_order += range(found.qposadr[0], found.qposadr[0] + nq)
                self.v_order += range(found.dofadr[0], found.dofadr[0] + nv)

    def answers(self, q, v, tau, watched):
        model, data, order = self.model, self.data, self.v_order
        mujoco.mj_resetData(model, data)
        data.qpos[self.q_order] = q
        mujoco.mj_forward(model, data)
        gravity = data.qfrc_bias[order]
        data.qvel[order] = v
        data.qfrc_applied[order] = tau
        mujoco.mj_forward(model, data)
        mujoco.mj_subtreeVel(model, data)
        M = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, M)
        mass = sum(body.mass for body in self.tree.bodies)
        out = {
            "M": M[np.ix_(order, order)],
            "bias": data.qfrc_bias[order],
            "gravity": gravity,
            "acceleration": data.qacc[order],
            "kinetic": data.energy[1:2].copy(),
            "potential": data.energy[0:1].copy(),
            "com": data.subtree_com[0].copy(),
            "linear_momentum": mass * data.subtree_linvel[0],
        }
        out["angular_momentum"] = data.subtree_angmom[0] + np.cross(out["com"], out["linear_momentum"])
        sites = [data.site(body.name) for body in self.tree.bodies]
        out["poses"] = np.array([np.concatenate([site.xpos, site.xmat]) for site in sites])
        jacobians, rates = [], []
        for body in watched:
            at, index = sites[body].xpos, model.body(self.tree.bodies[body].name).id
            J, J_dot = np.zeros((6, model.nv)), np.zeros((6, model.nv))
            mujoco.mj_jac(model, data, J[:3], J[3:], at, index)
            mujoco.mj_jacDot(model, data, J_dot[:3], J_dot[3:], at, index)
            jacobians.append(J[:, order])
            rates.append(J_dot @ data.qvel)
        out["jacobians"], out["jacobian_rates"] = np.array(jacobians), np.array(rates)
        return out

    def springs(self):
        """Forces and energy of the springs at the state of the last answers."""
        model, data = self.model, self.data
        at = 0
        for joint in self.tree.joints():
            if joint.stiffness:
                model.qpos_spring[self.q_order[at:at + joint.nq]] = joint.spring_reference
                for part in range(len(primitives(joint))):
                    model.joint(f"{joint.name}:{part}").stiffness[:] = joint.stiffness
            at += joint.nq
        model.opt.gravity[:] = 0.0
        mujoco.mj_forward(model, data)
        found = {"spring_force": data.qfrc_spring[self.v_order], "spring_energy": data.energy[0:1].copy()}
        model.jnt_stiffness[:] = 0.0
        model.opt.gravity[:] = self.tree.gravity
        return found
