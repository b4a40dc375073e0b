import { expect, test } from 'vitest';
import { ACCOUNTS_PER_DAY, decideReveal, mayReveal, REVEALS_PER_HOUR, type Reveal } from './revealing.ts';

const AT = new Date('2026-03-01T12:00:00Z');
const ago = (minutes: number) => new Date(AT.getTime() - minutes * 60_000);
const reveal = (accountId: string, minutes: number, over: Partial<Reveal> = {}): Reveal => ({
  accountId,
  at: ago(minutes),
  hasReason: false,
  burst: null,
  ...over,
});
const many = (count: number, minutes: number, from = 0) =>
  Array.from({ length: count }, (_, index) => reveal(`a${from + index}`, minutes));
const decide = (before: Reveal[], accountId = 'new', hasReason = false) =>
  decideReveal(before, { accountId, hasReason, at: AT });

test('ten accounts of an hour need no reason, and the eleventh does', () => {
  expect(decide([])).toEqual({ kind: 'counted', takesReason: false, burst: null, left: 9 });
  expect(decide(many(9, 59))).toMatchObject({ kind: 'counted', left: 0 });
  expect(decide(many(10, 59))).toEqual({ kind: 'reason_required' });
  expect(decide([...many(9, 59), reveal('old', 60)])).toMatchObject({ kind: 'counted', left: 0 });
});

test('one account counts once in ten minutes, even when none is left', () => {
  expect(decide([...many(9, 30), reveal('same', 9)], 'same')).toEqual({ kind: 'repeated', left: 0 });
  expect(decide([...many(9, 30), reveal('same', 10)], 'same')).toEqual({ kind: 'reason_required' });
  // Another account counts at any time.
  expect(decide([reveal('other', 1)], 'same')).toMatchObject({ kind: 'counted', left: 8 });
  expect(decide([reveal('same', 1)], 'same')).toEqual({ kind: 'repeated', left: 9 });
});

test('a reason opens ten more, and is not taken in advance', () => {
  expect(decide([], 'new', true)).toMatchObject({ takesReason: false, left: 9 });
  expect(decide(many(10, 50), 'new', true)).toEqual({
    kind: 'counted',
    takesReason: true,
    burst: null,
    left: 9,
  });
  const opened = [...many(10, 50), reveal('b', 40, { hasReason: true })];
  expect(decide([...opened, ...many(8, 30, 20)])).toMatchObject({ kind: 'counted', left: 0 });
  expect(decide([...opened, ...many(9, 30, 20)])).toEqual({ kind: 'reason_required' });
});

test('a second reason within the hour is a burst', () => {
  const first = (minutes: number) => [
    ...many(REVEALS_PER_HOUR, 50),
    reveal('b', minutes, { hasReason: true }),
    ...many(9, 30, 20),
  ];
  expect(decide(first(40), 'new', true)).toMatchObject({ takesReason: true, burst: 'reasons' });
  const longAgo = [reveal('b', 61, { hasReason: true }), ...many(10, 30, 20)];
  expect(decide(longAgo, 'new', true)).toMatchObject({ takesReason: true, burst: null });
});

test('many different accounts of a day are a burst once, however slowly', () => {
  const day = many(ACCOUNTS_PER_DAY, 23 * 60);
  expect(decide(day)).toMatchObject({ burst: 'accounts' });
  expect(decide(day, 'a3')).toMatchObject({ burst: null });
  expect(decide(many(ACCOUNTS_PER_DAY, 24 * 60))).toMatchObject({ burst: null });
  expect(decide([...day, reveal('b', 61, { burst: 'accounts' })])).toMatchObject({ burst: null });
});

test('secrets are shown to super admins, and to staff unless the platform or the provider refuses', () => {
  const may = (isSuper: boolean, isPlatformSuperOnly: boolean, isProviderSuperOnly: boolean) =>
    mayReveal({ isSuper, isPlatformSuperOnly, isProviderSuperOnly });
  expect([may(true, true, true), may(true, false, false)]).toEqual([true, true]);
  expect(may(false, false, false)).toBe(true);
  expect([may(false, true, false), may(false, false, true), may(false, true, true)]).toEqual([
    false,
    false,
    false,
  ]);
});
