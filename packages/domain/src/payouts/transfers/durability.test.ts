import { expect, test } from 'vitest';
import { type Durability, durabilityProblem, isConfirmed, type Replication } from './durability.ts';

const LATER = new Date('2026-02-03T04:05:06Z');
const SYNCHRONOUS: Replication = {
  timeline: '00000003',
  flushed: 1_000n,
  confirmed: 1_000n,
  names: '"db2"',
  wanted: 1,
  connected: 1,
  isHidden: false,
  forgottenUntil: null,
};
const ALONE: Replication = { ...SYNCHRONOUS, confirmed: null, names: '', connected: 0 };

test.each<[name: string, Durability, Replication, problem: RegExp | null]>([
  ['a standby is connected', 'synchronous', SYNCHRONOUS, null],
  ['no commit waits', 'synchronous', ALONE, /synchronous_standby_names is empty/],
  ['its standby is gone', 'synchronous', { ...SYNCHRONOUS, connected: 0 }, /^0 of 1 synchronous standby is /],
  ['one of two is gone', 'synchronous', { ...SYNCHRONOUS, wanted: 2 }, /^1 of 2 synchronous standbys are /],
  [
    'nobody may see',
    'synchronous',
    { ...SYNCHRONOUS, connected: 0, isHidden: true },
    /GRANT pg_read_all_stats/,
  ],
  ['no standby, forgotten', 'synchronous', { ...ALONE, forgottenUntil: LATER }, null],
  ['one machine', 'single', ALONE, null],
  [
    'one machine that has standbys',
    'single',
    SYNCHRONOUS,
    /is single, but the database names standbys: "db2"/,
  ],
  ['the same, forgotten', 'single', { ...SYNCHRONOUS, forgottenUntil: LATER }, null],
  ['a service', 'managed', ALONE, null],
  ['a service that shows its standbys', 'managed', SYNCHRONOUS, null],
])('%s (%s)', (_, durability, found, problem) => {
  const said = durabilityProblem(durability, found);
  if (problem) expect(said).toMatch(problem);
  else expect(said).toBeNull();
});

test('standbys have what was committed once they are as far, on the same line of history', () => {
  const then = { ...SYNCHRONOUS, confirmed: 400n };
  expect(isConfirmed(then, then)).toBe(false);
  expect(isConfirmed(then, { ...then, flushed: 5_000n, confirmed: 999n })).toBe(false);
  expect(isConfirmed(then, { ...then, flushed: 5_000n, confirmed: 1_000n })).toBe(true);
  expect(isConfirmed(then, { ...then, confirmed: null })).toBe(false);
  expect(isConfirmed(then, { ...SYNCHRONOUS, timeline: '00000004', confirmed: 9_000n })).toBe(false);
});
