#!/usr/bin/env python3
"""Writes scenes/gallery/*.toml and the meshes there: too long or too regular to be written by hand. The same every time.

    scripts/make_gallery.py           writes them
    scripts/make_gallery.py --check   exit 1 if a file in the tree is not what would be written
"""
import math
import random
import sys
from pathlib import Path

GALLERY = Path(__file__).resolve().parent.parent / "scenes" / "gallery"


def number(x):
    """Shortest decimal that reads back the same; TOML wants a digit after the point."""
    text = repr(round(float(x), 12) + 0.0)
    return text


def vector(values):
    return "[" + ", ".join(number(x) for x in values) + "]"


def about(axis, angle):
    """Unit quaternion w, x, y, z."""
    half = 0.5 * angle
    return [math.cos(half)] + [math.sin(half) * x for x in axis]


def product(a, b):
    return [a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]]


def any_turn(rng):
    q = [rng.gauss(0, 1) for _ in range(4)]
    length = math.sqrt(sum(x * x for x in q))
    return [x / length for x in q]


class Scene:
    def __init__(self, title, time, friction=0.6, ground=True, dt=0.001):
        self.lines = [f"# {line}" for line in title.split("\n")]
        self.lines += ["# Written by scripts/make_gallery.py.", "", "[simulation]", f"dt = {number(dt)}",
                       f"time = {number(time)}"]
        if ground:
            self.lines += ["", "[ground]", f"friction = {number(friction)}"]
        self.lines += ["", "[[material]]", 'name = "default"', f"friction = {number(friction)}"]

    def add(self, table, /, **keys):
        self.lines += ["", f"[[{table}]]"]
        for key, value in keys.items():
            if value is not None:
                self.lines.append(f"{key} = {value}")

    def body(self, name, shape, position, turn=None, **keys):
        self.add("body", name=f'"{name}"', shape=shape, position=vector(position),
                 quaternion_wxyz=None if turn is None else vector(turn), **keys)

    def text(self):
        return "\n".join(self.lines) + "\n"


def box(x, y, z):
    return f"{{box = {vector([x, y, z])}}}"


def sphere(r):
    return f"{{sphere = {number(r)}}}"


def cylinder(r, length):
    return f"{{cylinder = {{radius = {number(r)}, length = {number(length)}}}}}"


def capsule(r, length):
    return f"{{capsule = {{radius = {number(r)}, length = {number(length)}}}}}"


def hull(points):
    return "{hull = [" + ", ".join(vector(p) for p in points) + "]}"


def centred(points):
    """The same points about their mean: near enough to the centre of mass that nothing hangs outside."""
    mean = [sum(p[k] for p in points) / len(points) for k in range(3)]
    return [[p[k] - mean[k] for k in range(3)] for p in points]


def pebble(rng, size):
    """Twelve points on an ellipsoid, and their hull is a stone."""
    half = [size * (0.6 + 0.4 * rng.random()) for _ in range(3)]
    points = []
    for i in range(12):
        z = 1 - 2 * (i + 0.5) / 12
        angle = i * math.pi * (3 - math.sqrt(5)) + 0.3 * rng.random()
        r = math.sqrt(1 - z * z)
        points.append([half[0] * r * math.cos(angle), half[1] * r * math.sin(angle), half[2] * z])
    return hull(centred(points))


def pile(title, kinds, seed, count=(3, 3, 3)):
    """Bodies in a loose grid, turned at random, that fall into a heap between four walls."""
    rng = random.Random(seed)
    scene = Scene(title, 3.0)
    for k, (normal, point) in enumerate([([1, 0, 0], [-0.3, 0, 0]), ([-1, 0, 0], [0.3, 0, 0]), ([0, 1, 0], [0, -0.3, 0]),
                                         ([0, -1, 0], [0, 0.3, 0])]):
        scene.add("plane", name=f'"wall_{k + 1}"', normal=vector(normal), point=vector(point))
    number_of = 0
    for layer in range(count[2]):
        for row in range(count[1]):
            for column in range(count[0]):
                place = [0.19 * (column - 0.5 * (count[0] - 1)), 0.19 * (row - 0.5 * (count[1] - 1)), 0.15 + 0.2 * layer]
                number_of += 1
                kind, shape = kinds[number_of % len(kinds)]
                scene.body(f"{kind}_{number_of}", shape(rng), place, any_turn(rng), density=number(700))
    return scene


BOX = ("box", lambda rng: box(0.1, 0.08, 0.06))
CYLINDER = ("cylinder", lambda rng: cylinder(0.04, 0.09))
STONE = ("stone", lambda rng: pebble(rng, 0.06))
BALL = ("ball", lambda rng: sphere(0.045))
CAPSULE = ("capsule", lambda rng: capsule(0.03, 0.06))


def brick_wall():
    scene = Scene("A wall of ten courses of ten bricks, each half a brick aside. It stands.", 2.0)
    for row in range(10):
        for column in range(10):
            scene.body(f"brick_{10 * row + column + 1}", box(0.2, 0.1, 0.1),
                       [0.2 * column + (0.1 if row % 2 else 0.0) - 0.95, 0, 0.05 + 0.1 * row], mass=number(1.0))
    return scene


def kapla_tower():
    scene = Scene("102 planks of 12 cm by 24 mm by 8 mm, laid in pairs crosswise. It stands.", 2.0, friction=0.5)
    for i in range(102):
        layer, side = i // 2, 0.048 if i % 2 else -0.048
        turned = layer % 2 == 1
        size = [0.024, 0.12, 0.008] if turned else [0.12, 0.024, 0.008]
        scene.body(f"plank_{i + 1}", box(*size), [side if turned else 0, 0 if turned else side, 0.004 + 0.008 * layer],
                   mass=number(0.02))
    return scene


def card_house(levels=3):
    length, depth, thick, tilt = 0.09, 0.06, 0.002, 0.35
    scene = Scene("A card house of three levels. It stands by friction alone.", 2.0)
    sine, cosine = math.sin(tilt), math.cos(tilt)
    rise = 0.5 * (length * cosine + thick * sine)
    reach = 0.5 * (length * sine + thick * cosine)
    pitch, floor, card = 4 * reach + 0.004, 0.0, 0
    for level in range(levels):
        pairs = levels - level
        for i in range(pairs):
            for side in (-1, 1):
                card += 1
                scene.body(f"card_{card}", box(thick, depth, length),
                           [pitch * (i - 0.5 * (pairs - 1)) + side * reach, 0, floor + rise],
                           about([0, 1, 0], -side * tilt), mass=number(0.005))
        for i in range(pairs - 1):
            card += 1
            scene.body(f"card_{card}", box(pitch - 0.002, depth, thick),
                       [pitch * (i - 0.5 * (pairs - 2)), 0, floor + 2 * rise + 0.5 * thick], mass=number(0.005))
        floor += 2 * rise + thick
    return scene


def arch(stones=25):
    inner, outer, half_depth = 0.9, 1.1, 0.2
    wedge = math.pi / stones
    half = 0.5 * wedge
    corners = [[r * math.cos(a) - 1.0, y, r * math.sin(a)] for y in (-half_depth, half_depth) for r in (inner, outer)
               for a in (-half, half)]
    scene = Scene("An arch of 25 stones without mortar. It stands because its line of thrust stays inside.", 2.0,
                  friction=0.7)
    for i in range(stones):
        angle = (i + 0.5) * wedge
        scene.body(f"stone_{i + 1}", hull(corners), [math.cos(angle), 0, math.sin(angle)], about([0, 1, 0], -angle),
                   density=number(2000))
    return scene


def dominoes(count=30):
    scene = Scene("Thirty dominoes in a curve. The first is pushed; each takes the next with it.", 4.0, friction=0.3)
    radius, step = 0.35, 0.02 / 0.35
    for i in range(count):
        angle = i * step * 1.2
        turn = about([0, 0, 1], angle)
        scene.body(f"domino_{i + 1}", box(0.024, 0.0075, 0.048),
                   [radius * math.cos(angle), radius * math.sin(angle), 0.024], turn, mass=number(0.01),
                   velocity=vector([0, 0.072, 0]) if i == 0 else None,  # about its lower edge
                   angular_velocity=vector([-3, 0, 0]) if i == 0 else None)
    return scene


def peg_in_hole():
    scene = Scene("A square peg of 20 mm falls into a square hole that is 10 µm wider on each side.", 1.0, friction=0.2)
    width, gap, wall = 0.02, 1e-5, 0.02
    inside, far = 0.5 * width + gap, 0.5 * width + gap + 0.5 * wall
    scene.lines += ["", "[[body]]", 'name = "block"', "fixed = true", "position = [0.0, 0.0, 0.02]"]
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        size = [wall, 2 * (inside + wall), 0.04] if x else [2 * inside, wall, 0.04]
        scene.add("body.shape", box=vector(size), position=vector([far * x, far * y, 0]))
    scene.body("peg", box(width, width, 0.05), [0, 0, 0.065], mass=number(0.15), velocity=vector([0, 0, -0.05]))
    return scene


def grasp():
    scene = Scene("Two fingers on slides close on a block with constant forces, hold it, and lift it against its weight.",
                  2.0, friction=0.7)
    scene.body("palm", box(0.2, 0.06, 0.03), [0, 0, 0.25], mass=number(0.5))
    for name, side in (("left", -1), ("right", 1)):
        scene.body(name, box(0.015, 0.04, 0.12), [0.07 * side, 0, 0.17], mass=number(0.1))
    scene.body("block", box(0.06, 0.05, 0.08), [0, 0, 0.04], mass=number(0.3))
    scene.add("joint", name='"lift"', type='"slide"', parent='"world"', child='"palm"', axis="[0.0, 0.0, 1.0]",
              range="[-0.12, 0.3]", damping=number(20), q=number(-0.09))
    for name, side in (("left", -1), ("right", 1)):
        scene.add("joint", name=f'"{name}_slide"', type='"slide"', parent='"palm"', child=f'"{name}"',
                  axis=vector([-side, 0, 0]), range="[-0.03, 0.05]", damping=number(1))
    weight = 9.81 * 0.7
    lifted = weight + 9.81 * 0.3 + 2.0
    scene.add("controller", kind='"torques"',
              table=f"[[0.0, {number(weight)}, 12.0, 12.0], [0.5, {number(lifted)}, 12.0, 12.0]]")
    return scene


def stairs():
    scene = Scene("ANYmal stands on a stair and a ramp, held by its motors, and settles.", 2.0, friction=0.8)
    for i in range(4):
        scene.body(f"step_{i + 1}", box(0.4, 2.0, 0.08 * (i + 1)), [0.3 + 0.4 * i, 0, 0.04 * (i + 1)], fixed="true")
    scene.body("ramp", box(1.6, 2.0, 0.1), [-0.6, 0, 0.01], about([0, 1, 0], 0.12), fixed="true")
    scene.lines += ["", "[[robot]]", 'model = "../anymal.urdf"', "position = [0.1, 0.0, 0.75]",
                    "q = { LF_HFE = 0.4, LF_KFE = -0.8, RF_HFE = 0.4, RF_KFE = -0.8, LH_HFE = -0.4, LH_KFE = 0.8, "
                    "RH_HFE = -0.4, RH_KFE = 0.8 }", "", "[[controller]]", 'kind = "hold"', "kp = 300.0", "kd = 15.0"]
    return scene


def funnel(count=1000):
    rng = random.Random(4)
    scene = Scene("A thousand balls pour through a funnel of eight planks into a box.", 3.0, friction=0.3, dt=0.002)
    slope, mouth, length = math.radians(50), 0.07, 0.7
    for i in range(8):
        around = about([0, 0, 1], i * math.pi / 4)
        turn = product(around, about([0, 1, 0], -slope))
        along = mouth + 0.5 * length * math.cos(slope) + 0.01 * math.sin(slope)
        angle = i * math.pi / 4
        height = 0.6 + 0.5 * length * math.sin(slope) - 0.01 * math.cos(slope)
        scene.body(f"plank_{i + 1}", box(length, 0.6, 0.02), [along * math.cos(angle), along * math.sin(angle), height],
                   turn, fixed="true")
    for i, (x, y) in enumerate(((1, 0), (-1, 0), (0, 1), (0, -1))):
        scene.body(f"side_{i + 1}", box(0.02 if x else 0.64, 0.64 if x else 0.02, 0.3), [0.31 * x, 0.31 * y, 0.15],
                   fixed="true")
    placed, layer = 0, 0
    while placed < count:
        height = 1.0 + 0.045 * layer
        for row in range(10):
            for column in range(10):
                if placed < count:
                    placed += 1
                    x, y = (0.045 * (k - 4.5) + 0.004 * (rng.random() - 0.5) for k in (column, row))
                    scene.body(f"ball_{placed}", sphere(0.02), [x, y, height], mass=number(0.03))
        layer += 1
    return scene


def wrecking_ball(links=8):
    scene = Scene("A ball of 30 kg on a chain swings into a wall of bricks.", 2.5)
    top, size = [0.0, 0.0, 1.5], 0.12
    tilt = 1.1
    down = [-math.sin(tilt), 0, -math.cos(tilt)]
    turn = about([0, 1, 0], tilt)
    for i in range(links):
        middle = [top[k] + (i + 0.5) * size * down[k] for k in range(3)]
        scene.body(f"link_{i + 1}", capsule(0.015, size - 0.05), middle, turn, mass=number(0.3))
    ball = [top[k] + (links * size + 0.15) * down[k] for k in range(3)]
    scene.body("ball", sphere(0.15), ball, turn, mass=number(30))
    for i in range(links):
        scene.add("joint", name=f'"chain_{i + 1}"', type='"universal"' if i else '"ball"',
                  parent='"world"' if i == 0 else f'"link_{i}"', child=f'"link_{i + 1}"',
                  point=vector([0, 0, 0.5 * size]), axis=None if i == 0 else vector([1, 0, 0] if i % 2 else [0, 1, 0]),
                  damping=number(0.01))
    scene.add("joint", name='"hook"', type='"ball"', parent=f'"link_{links}"', child='"ball"',
              point=vector([0, 0, 0.15]), damping=number(0.01))
    for row in range(8):
        for column in range(4):
            scene.body(f"brick_{4 * row + column + 1}", box(0.1, 0.2, 0.1),
                       [0.25, 0.2 * column + (0.1 if row % 2 else 0.0) - 0.35, 0.05 + 0.1 * row], mass=number(1.5))
    return scene


def turntable():
    scene = Scene("A turntable spins up; boxes farther out than the friction allows slide off.", 4.0, friction=0.5)
    rows = []
    for i in range(21):
        t = 0.2 * i
        angle = 1.0 * t * t if t < 2 else 1.0 * 4 + 4.0 * (t - 2)
        rows.append([t, 0, 0, 0.1] + about([0, 0, 1], angle))
    scene.add("body", name='"table"', shape=box(1.5, 1.5, 0.04), motion="[" + ", ".join(vector(r) for r in rows) + "]")
    for i in range(6):
        radius, angle = 0.1 + 0.1 * i, 1.1 * i
        scene.body(f"box_{i + 1}", box(0.08, 0.08, 0.08), [radius * math.cos(angle), radius * math.sin(angle), 0.16],
                   about([0, 0, 1], angle), mass=number(0.5))
    return scene


def pusher():
    scene = Scene("A wall pushes a row of boxes along, then stops.", 3.0, friction=0.4)
    rows = [[0, -0.5, 0, 0.1, 1, 0, 0, 0], [1.5, 0.0, 0, 0.1, 1, 0, 0, 0], [3, 0.0, 0, 0.1, 1, 0, 0, 0]]
    scene.add("body", name='"pusher"', shape=box(0.05, 0.4, 0.18), motion="[" + ", ".join(vector(r) for r in rows) + "]")
    for i in range(5):
        scene.body(f"box_{i + 1}", box(0.1, 0.1, 0.1), [-0.37 + 0.12 * i, 0.02 * (i % 2), 0.05], mass=number(1))
    return scene


def terrain(points=25, half=2.0):
    scene = Scene("Solids of every kind fall on hills and come to rest. The ground is a height field of 1152 triangles.", 4.0,
                  friction=0.8, ground=False, dt=0.002)
    across = [half * (2 * i / (points - 1) - 1) for i in range(points)]
    rows = [[0.06 * (math.sin(4 * x) * math.cos(3.5 * y) + math.cos(3 * x)) + 0.1 * (x * x + y * y) for x in across]
            for y in across]
    scene.lines += ["", "[[body]]", 'name = "ground"', "fixed = true", "", "[body.shape.heightfield]",
                    f"size = {vector([2 * half, 2 * half])}", "heights = ["]
    scene.lines += ["  [" + ", ".join(number(round(z, 4)) for z in row) + "]," for row in rows] + ["]"]
    rng = random.Random(7)
    for i in range(12):
        name, make = [BOX, CYLINDER, STONE, BALL, CAPSULE][i % 5]
        scene.body(f"{name}_{i + 1}", make(rng), [-0.9 + 0.6 * (i % 4), -0.6 + 0.6 * (i // 4), 0.6], any_turn(rng),
                   density=number(800))
    return scene


def triangle_stairs():
    scene = Scene("ANYmal comes to stand on stairs that are one mesh of triangles, held by its motors.", 2.0, friction=0.8)
    scene.body("stairs", '{ triangles = "stairs.obj" }', [0.1, 0, 0], fixed="true")
    scene.lines += ["", "[[robot]]", 'model = "../anymal.urdf"', "position = [0.1, 0.0, 0.75]",
                    "q = { LF_HFE = 0.4, LF_KFE = -0.8, RF_HFE = 0.4, RF_KFE = -0.8, LH_HFE = -0.4, LH_KFE = 0.8, "
                    "RH_HFE = -0.4, RH_KFE = 0.8 }", "", "[[controller]]", 'kind = "hold"', "kp = 300.0", "kd = 15.0"]
    return scene


def bowl():
    scene = Scene("A ball rolls to and fro in a bowl of 8000 triangles.\nWhere two of them meet at an angle it strikes the next one: "
                  "the finer the bowl, the less it loses.", 6.0, friction=0.5, ground=False, dt=0.002)
    scene.body("bowl", '{ triangles = "bowl.obj" }', [0, 0, 0], fixed="true")
    scene.body("ball", sphere(0.05), [0.4, 0.03, 0.23], density=number(1000))
    return scene


def stairs_mesh(steps=4, tread=0.4, rise=0.08, half=1.0):
    """A closed stair: an outline in x and z with corners under every edge, drawn out along y."""
    below = [(tread * i, 0.0) for i in range(steps + 1)]
    outer = [(tread * (i + 1), rise * (i + 1)) for i in range(steps)]
    inner = [(tread * i, rise * (i + 1)) for i in range(steps)]
    outline = below + [corner for i in reversed(range(steps)) for corner in (outer[i], inner[i])]
    corners = [(x, y, z) for y in (-half, half) for x, z in outline]
    at, count = {corner: k for k, corner in enumerate(outline)}, len(outline)
    faces = []
    for a in range(count):
        b = (a + 1) % count
        faces += [(a, a + count, b + count), (a, b + count, b)]
    for i in range(steps):
        around = [below[i + 1], outer[i], inner[i]] + ([outer[i - 1]] if i > 0 else []) + [below[i]]
        for second, third in zip(around[1:], around[2:]):
            triangle = [at[around[0]], at[second], at[third]]
            faces += [tuple(triangle), tuple(k + count for k in reversed(triangle))]
    return corners, faces


def bowl_mesh(rings=63, spokes=64, curvature=0.6):
    """Half a ball of the given radius of curvature, open at the top, up to a horizontal radius below it."""
    corners, faces = [(0.0, 0.0, 0.0)], []
    for ring in range(1, rings + 1):
        angle = ring / rings * math.asin(0.9)
        for spoke in range(spokes):
            turn = 2 * math.pi * spoke / spokes
            corners.append((curvature * math.sin(angle) * math.cos(turn), curvature * math.sin(angle) * math.sin(turn),
                            curvature * (1 - math.cos(angle))))
    for spoke in range(spokes):
        beside = (spoke + 1) % spokes
        faces.append((0, 1 + spoke, 1 + beside))
        for ring in range(rings - 1):
            a, b = 1 + ring * spokes + spoke, 1 + ring * spokes + beside
            faces += [(a, a + spokes, b + spokes), (a, b + spokes, b)]
    return corners, faces


def obj(mesh):
    corners, faces = mesh
    lines = ["# Written by scripts/make_gallery.py."]
    lines += ["v " + " ".join(number(round(x, 9)) for x in corner) for corner in corners]
    lines += ["f " + " ".join(str(k + 1) for k in face) for face in faces]
    return "\n".join(lines) + "\n"


MESHES = {"stairs.obj": stairs_mesh, "bowl.obj": bowl_mesh}

SCENES = {
    "pile_boxes": lambda: pile("Boxes fall into a heap and come to rest.", [BOX], 1),
    "pile_cylinders": lambda: pile("Cylinders fall into a heap and come to rest.", [CYLINDER], 2),
    "pile_hulls": lambda: pile("Stones, each the hull of twelve points, fall into a heap and come to rest.", [STONE], 3),
    "pile_mixed": lambda: pile("Boxes, cylinders, stones, balls and capsules fall into a heap.",
                               [BOX, CYLINDER, STONE, BALL, CAPSULE], 5),
    "brick_wall": brick_wall,
    "kapla_tower": kapla_tower,
    "card_house": card_house,
    "arch": arch,
    "dominoes": dominoes,
    "peg_in_hole": peg_in_hole,
    "grasp": grasp,
    "stairs": stairs,
    "funnel": funnel,
    "wrecking_ball": wrecking_ball,
    "turntable": turntable,
    "pusher": pusher,
    "terrain": terrain,
    "triangle_stairs": triangle_stairs,
    "bowl": bowl,
}


def main():
    check = sys.argv[1:] == ["--check"]
    GALLERY.mkdir(exist_ok=True)
    stale = []
    files = {f"{name}.toml": make().text() for name, make in SCENES.items()}
    files |= {name: obj(make()) for name, make in MESHES.items()}
    for name, text in files.items():
        file = GALLERY / name
        if check and (not file.exists() or file.read_text() != text):
            stale.append(file.name)
        if not check:
            file.write_text(text)
    unknown = sorted(f.name for f in GALLERY.iterdir() if f.name not in files)
    if stale or unknown:
        sys.exit(f"not what scripts/make_gallery.py writes: {', '.join(stale + unknown)}")


if __name__ == "__main__":
    main()
