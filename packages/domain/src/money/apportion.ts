/**
 * Splits an amount by weights with the largest remainder method: every part is rounded down, and the remaining units go
 * one by one to the largest remainders. Parts sum to the amount exactly. On a tie the earlier weight is served first.
 * @param units zero or more, in base units
 * @param weights zero or more each, above zero together
 */
export function apportion(units: bigint, weights: readonly bigint[]): bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  const parts: bigint[] = [];
  const remainders: bigint[] = [];
  let left = units;
  for (const weight of weights) {
    const exact = units * weight;
    const part = exact / total;
    parts.push(part);
    remainders.push(exact - part * total);
    left -= part;
  }
  const order = remainders.map((remainder, index) => ({ remainder, index }));
  // Sorting keeps the order of equal ones.
  order.sort((a, b) => Number(b.remainder - a.remainder));
  for (const { index } of order.slice(0, Number(left))) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts;
}
