// Areas on top of each other: what is gained above zero, what is lost below.

// Edges of the areas of n curves, from the lowest to the highest, 2n + 1 of them: those below zero in reverse order, zero,
// those above it. Where a curve is positive its area below zero has no height, and the other way round.
export function stackAreas(curves: number[][]): number[][] {
  const zero = curves.length > 0 ? curves[0]!.map(() => 0) : [];
  const pile = (part: (value: number) => number): number[][] => {
    let edge = zero;
    return curves.map((curve) => (edge = edge.map((from, i) => from + part(curve[i]!))));
  };
  const below = pile((value) => Math.min(value, 0));
  const above = pile((value) => Math.max(value, 0));
  return [...below.reverse(), zero, ...above];
}
