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

/** mulberry32 (public domain): 32 bits of state, fast, good enough for a world that nobody bets on. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const hex = (digits: number) => {
    let text = '';
    while (text.length < digits)
      text += Math.floor(next() * 4_294_967_296)
        .toString(16)
        .padStart(8, '0');
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
      const h = hex(32);
      return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-a${h.slice(17, 20)}-${h.slice(20)}`;
    },
  };
}
