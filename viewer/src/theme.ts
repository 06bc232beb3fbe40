// Colours, for light and for dark. Contact and curve colours are chosen to stay apart for colour-blind eyes.
import type { Mode } from "./data";

export interface Theme {
  background: string;
  ground: string;
  line: string; // grid of the ground
  roots: string[]; // bodies that hang on the world, in turn
  links: string[]; // bodies further down, by depth in the tree of joints
  fixed: string; // shapes of the world
  bone: string;
  edge: string;
  collision: string; // the layer of collision shapes
  picked: string; // mixed into the colours of a picked body
  sky: number; // strength of the light from everywhere
  sun: number;
  modes: Record<Mode, string>;
  text: string;
  faint: string; // grid of the plots
  curves: string[];
  limit: string;
}

const kLight: Theme = {
  background: "#eef1f4",
  ground: "#e3e7eb",
  line: "#98a3af",
  roots: ["#eeb05f", "#7fb5a8", "#b79bc4", "#d98f83", "#8fb0d9"],
  links: ["#7d93ab", "#93a7bb", "#a9bac9", "#bfccd7"],
  fixed: "#c3c9cf",
  bone: "#76838f",
  edge: "#2b3540",
  collision: "#0ca678",
  picked: "#e0218a",
  sky: 1.9,
  sun: 1.8,
  modes: { open: "#8b939b", stick: "#0069b4", slip: "#d9480f" },
  text: "#59636e",
  faint: "#e1e5e9",
  curves: ["#d9480f", "#0069b4", "#2b3540", "#2f9e44", "#9c36b5", "#b08900", "#0c8599", "#c2255c"],
  limit: "#c92a2a",
};

const kDark: Theme = {
  background: "#14181d",
  ground: "#20262d",
  line: "#5d6a77",
  roots: ["#e0a04a", "#6aa396", "#a386b2", "#c67b70", "#7a9dc9"],
  links: ["#6f88a3", "#8199b1", "#93a8bc", "#a6b7c7"],
  fixed: "#4a545e",
  bone: "#8894a0",
  edge: "#0b0e11",
  collision: "#38d9a9",
  picked: "#ff5cad",
  sky: 1.5,
  sun: 1.7,
  modes: { open: "#9aa4ae", stick: "#4dabf7", slip: "#ff922b" },
  text: "#a3adb7",
  faint: "#2a3138",
  curves: ["#ff922b", "#4dabf7", "#dee2e6", "#69db7c", "#da77f2", "#ffd43b", "#3bc9db", "#faa2c1"],
  limit: "#ff8787",
};

const dark = window.matchMedia("(prefers-color-scheme: dark)");

export function currentTheme(): Theme {
  return dark.matches ? kDark : kLight;
}

export function onThemeChange(apply: () => void): void {
  dark.addEventListener("change", apply);
}
