import type { Persona } from '@copydesk/contract/people';
import { type LoadResult, load } from './load.ts';
import { type RunningApi, signIn } from './product.ts';
import type { Report } from './report.ts';

const CLIENTS = 2;
const SECONDS = 3;
/** Short turns: another load on the machine then meets both sizes alike. */
const TURNS = 3;

/** A running API over a database of one size, and the paths to measure, by their names in the report. */
export interface Side {
  api: RunningApi;
  paths: Record<string, string>;
  /** Who asks; a super admin when omitted. */
  as?: Persona;
}

/** Measures the same pages over a small and a large database in turns, and reports how much the large one costs more. */
export async function reportInTurns(
  { small, large }: { small: Side; large: Side },
  report: Report,
  wanted: string,
): Promise<void> {
  for (const what of Object.keys(small.paths)) {
    const { cold, results } = await measure([small, large], what);
    const [first = [], second = []] = results;
    const [fast, slow] = [middle(first, 'p50Ms'), middle(second, 'p50Ms')];
    const failures = [...first, ...second].reduce((sum, result) => sum + result.failures, 0);
    report.row(
      what,
      failures > 0
        ? 'FAILED'
        : `first ${cold.map((ms) => ms.toFixed(0)).join(' and ')} ms; p50 ${fast.toFixed(1)} and ${slow.toFixed(1)}, p95 ${middle(first, 'p95Ms').toFixed(1)} and ${middle(second, 'p95Ms').toFixed(1)} ms: ${(slow / fast).toFixed(1)} times`,
      wanted,
    );
  }
}

/** `cold`: the first answer of each side, before its counts are cached, in ms. */
async function measure(
  sides: readonly Side[],
  what: string,
): Promise<{ cold: number[]; results: LoadResult[][] }> {
  const results: LoadResult[][] = sides.map(() => []);
  // Each time: a token lives for five minutes, less than it may take to load the data.
  const tokens = await Promise.all(sides.map(({ api, as = 'super' }) => signIn(api.url, as)));
  const cold: number[] = [];
  for (const [index, { api, paths }] of sides.entries()) {
    const startedAt = performance.now();
    const answer = await fetch(`${api.url}${paths[what]}`, {
      headers: { authorization: `Bearer ${tokens[index]}` },
    });
    await answer.text();
    cold.push(performance.now() - startedAt);
  }
  for (let turn = 0; turn < TURNS; turn++)
    for (const [index, { api, paths }] of sides.entries())
      results[index]?.push(
        await load({
          url: api.url,
          paths: [paths[what] ?? ''],
          token: tokens[index] ?? '',
          clients: CLIENTS,
          seconds: SECONDS / TURNS,
        }),
      );
  return { cold, results };
}

const middle = (results: readonly LoadResult[], figure: 'p50Ms' | 'p95Ms') =>
  results.map((result) => result[figure]).sort((a, b) => a - b)[Math.floor(results.length / 2)] ?? 0;
