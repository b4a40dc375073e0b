/**
 * Parts of a whole for bars and their labels, in tenths of a percent by largest remainder: labels of parts that make up
 * the whole sum to 100 %. A tip is not part of the whole and has a share of its own. For display only: money is not
 * computed here.
 */
export function sharesOfWhole(parts: readonly string[], whole: string): { width: number; text: string }[] {
  const exact = parts.map((part) => (Number(whole) > 0 ? (Number(part) / Number(whole)) * 1_000 : 0));
  const tenths = exact.map(Math.floor);
  const missing = Math.round(sum(exact)) - sum(tenths);
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share - Math.floor(share) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of byRemainder.slice(0, missing)) tenths[index] = (tenths[index] ?? 0) + 1;
  return tenths.map((tenth, index) => ({
    width: Math.min(100, Math.max(0, (exact[index] ?? 0) / 10)),
    text: `${tenth / 10}%`,
  }));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
