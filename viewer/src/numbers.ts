// Numbers as a person reads them.

// Two digits and a power of ten, without padding: 3.2e-13, 0.
export function shortNumber(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e5) return String(Number(value.toPrecision(4)));
  return value.toExponential(1).replace(".0e", "e").replace("e+", "e");
}

const kLengths: [number, string][] = [[1, "m"], [1e-3, "mm"], [1e-6, "µm"], [1e-9, "nm"], [1e-12, "pm"]];

// The largest unit in which `length` [m] is at least 1; smaller than a picometre stays in picometres.
export function lengthUnit(length: number): { metres: number; name: string } {
  const [metres, name] = kLengths.find(([unit]) => length >= unit) ?? kLengths[length > 0 ? 4 : 0]!;
  return { metres, name };
}

export function lengthText(length: number): string {
  const unit = lengthUnit(length > 1e-14 ? length : 1); // far below a picometre, powers of ten say more
  return `${shortNumber(Number((length / unit.metres).toPrecision(2)))} ${unit.name}`;
}

// The nearest of 1, 2, 5 times a power of ten.
export function roundNumber(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const digit = value / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

// 12345 as 12 345 with a thin space.
export function countText(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}
