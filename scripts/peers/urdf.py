"""Our own reading of a URDF file into a Tree with a free base; only what the files in scenes/ use."""
import xml.etree.ElementTree as ElementTree

import numpy as np

from peers.tree import Body, Joint, Pose, Tree


def numbers(element, key, default):
    return np.array([float(x) for x in element.get(key).split()]) if element is not None else np.array(default)


def read_urdf(path):
    """Bodies in the order of the file, which has parents before children."""
    robot = ElementTree.parse(path).getroot()
    links = {link.get("name"): link for link in robot.findall("link")}
    above = {joint.find("child").get("link"): joint for joint in robot.findall("joint")}
    index, bodies = {}, []
    for name, link in links.items():
        joint, parent = Joint("all", "all"), -1
        if name in above:
            element = above[name]
            kind = {"revolute": "axis", "fixed": "none"}[element.get("type")]
            axis = numbers(element.find("axis"), "xyz", [0.0, 0.0, 1.0])
            X = Pose(numbers(element.find("origin"), "xyz", [0.0, 0.0, 0.0]))
            joint = Joint("none", kind, axis, X, name=element.get("name"))
            parent = index[element.find("parent").get("link")]
        body = Body(name, parent, [joint])
        inertial = link.find("inertial")
        body.mass = float(inertial.find("mass").get("value"))
        body.com = numbers(inertial.find("origin"), "xyz", [0.0, 0.0, 0.0])
        xx, yy, zz, xy, xz, yz = (float(inertial.find("inertia").get("i" + key)) for key in "xx yy zz xy xz yz".split())
        body.moments, axes = np.linalg.eigh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
        body.R_inertia = axes * np.linalg.det(axes)
        index[name] = len(bodies)
        bodies.append(body)
    return Tree(bodies, np.array([0.0, 0.0, -9.81]))
