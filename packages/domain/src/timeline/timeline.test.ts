import { expect, test } from 'vitest';
import { EXPECTED_STEP_KINDS, expectNext } from './index.ts';

test('what waits for people comes before what the system and the chain do', () => {
  const steps = expectNext(EXPECTED_STEP_KINDS.toReversed().map((kind) => ({ kind, at: null, count: 1 })));
  expect(steps.map(({ kind }) => kind)).toEqual(EXPECTED_STEP_KINDS);
  const people = steps.map(({ waits_for }) => !['system', 'chain'].includes(waits_for));
  expect(people.lastIndexOf(true)).toBeLessThan(people.indexOf(false));
});

test('of the same kind the earlier is first, and each says what happens if it does not come', () => {
  const [first, second] = expectNext([
    { kind: 'payment_due', at: '2026-02-01T00:00:00Z', count: 1 },
    { kind: 'payment_due', at: '2026-01-01T00:00:00Z', count: 1 },
  ]);
  expect(first).toEqual({
    kind: 'payment_due',
    at: '2026-01-01T00:00:00Z',
    count: 1,
    waits_for: 'trader',
    otherwise: 'becomes_overdue',
  });
  expect(second?.at).toBe('2026-02-01T00:00:00Z');
});
