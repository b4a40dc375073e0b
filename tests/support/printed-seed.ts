/**
 * A seed for random cases, new in each run and printed, so that a run can be repeated.
 * @param name of the variable that sets it, as in `KILL_SEED=123 npx vitest ...`
 */
export function printedSeed(name: string): number {
  const seed = Number(process.env[name] ?? Date.now() % 1_000_000);
  console.log(`${name}=${seed}`);
  return seed;
}
