/** A seeded source of random values: the same seed gives the same world. */
export interface Random {
  /** In [0, 1) */
  next(): number;
  /** Whole number in [min, max] */
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  uuid(): string;
  hex(digits: number): string;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const hexOf = (byte: number) => HEX[byte & 255] as string;

/** mulberry32 (public domain): 32 bits of state, fast, good enough for a demo world. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const draw = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  const next = () => draw() / 4_294_967_296;
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const eight = () => {
    const bits = draw();
    return hexOf(bits >>> 24) + hexOf(bits >>> 16) + hexOf(bits >>> 8) + hexOf(bits);
  };
  const hex = (digits: number) => {
    let text = '';
    while (text.length < digits) text += eight();
    return text.slice(0, digits);
  };
  return {
    next,
    integer,
    hex,
    chance: (probability) => next() < probability,
    pick<T>(from: readonly T[]): T {
      return from[integer(0, from.length - 1)] as T;
    },
    uuid() {
      const b = eight();
      const c = eight();
      const d = eight();
      return `${b}-${c.slice(0, 4)}-4${c.slice(5)}-a${d.slice(1, 4)}-${d.slice(4)}${eight()}`;
    },
  };
}

/**
 * The seed for a name: FNV-1a over the text, then murmur3's finaliser, without which names that differ in their last
 * letter would have neighbouring seeds.
 */
export function seedOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return mixSeed(hash, 0);
}

/** One seed from two, as for the n-th of a thing. */
export function mixSeed(seed: number, nth: number): number {
  let mixed = (seed ^ Math.imul(nth + 1, 0x9e3779b1)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
