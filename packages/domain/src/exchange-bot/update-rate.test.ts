import { expect, test } from 'vitest';
import { countUpdate } from './update-rate.ts';

test('20 updates of a minute are answered, one is asked to wait, and the rest meet silence', () => {
  let counted = { from: 0, count: 0 };
  const verdicts = Array.from({ length: 24 }, (_, nth) => {
    const next = countUpdate(counted, 1_000_000 + nth * 100);
    counted = next;
    return next.verdict;
  });
  expect(verdicts.filter((verdict) => verdict === 'answer')).toHaveLength(20);
  expect(verdicts.slice(20)).toEqual(['ask_to_wait', 'silent', 'silent', 'silent']);
  expect(countUpdate(counted, 1_059_999).verdict).toBe('silent');
  expect(countUpdate(counted, 1_060_000)).toEqual({ from: 1_060_000, count: 1, verdict: 'answer' });
});

test('a time that goes back by less than a minute begins no other one', () => {
  const counted = { from: 1_000_900, count: 20 };
  expect(countUpdate(counted, 1_000_000)).toEqual({ from: 1_000_900, count: 21, verdict: 'ask_to_wait' });
  expect(countUpdate(counted, 900_000)).toMatchObject({ count: 1, verdict: 'answer' });
});
