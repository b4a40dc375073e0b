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
