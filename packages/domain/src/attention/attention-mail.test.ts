import { expect, test } from 'vitest';
import { isDigestDue, isMailedAtOnce, localHour, newItems } from './attention-mail.ts';

test('the hour is that of the time zone, in summer and winter, and at midnight', () => {
  expect(localHour(new Date('2026-07-01T22:30:00Z'), 'Europe/Berlin')).toEqual({
    day: '2026-07-02',
    hour: 0,
  });
  expect(localHour(new Date('2026-12-01T22:30:00Z'), 'Europe/Berlin')).toEqual({
    day: '2026-12-01',
    hour: 23,
  });
  expect(localHour(new Date('2026-12-01T00:10:00Z'), 'UTC')).toEqual({ day: '2026-12-01', hour: 0 });
  expect(localHour(new Date('2026-12-01T00:10:00Z'), 'Asia/Kolkata')).toEqual({ day: '2026-12-01', hour: 5 });
});

test.each([
  { name: 'before its hour', digestHour: 8, digestOn: null, hour: 7, due: false },
  { name: 'at its hour', digestHour: 8, digestOn: '2026-11-20', hour: 8, due: true },
  { name: 'again on the same day', digestHour: 8, digestOn: '2026-11-21', hour: 8, due: false },
  { name: 'some hours late', digestHour: 8, digestOn: null, hour: 11, due: true },
  { name: 'at noon', digestHour: 8, digestOn: null, hour: 12, due: false },
  { name: 'never', digestHour: null, digestOn: null, hour: 8, due: false },
  // Who moves to a zone in the west has had the digest of this day.
  {
    name: 'a day that is already over elsewhere',
    digestHour: 8,
    digestOn: '2026-11-22',
    hour: 8,
    due: false,
  },
])('a digest is due: $name', ({ digestHour, digestOn, hour, due }) => {
  expect(isDigestDue({ digestHour, digestOn }, { day: '2026-11-21', hour })).toBe(due);
});

test('what is mailed at once is what is urgent, and with it what a person approves', () => {
  const urgent = { group: 'system', urgency: 1 } as const;
  const approval = { group: 'approvals', urgency: 2 } as const;
  const other = { group: 'pools', urgency: 2 } as const;
  const of = (atOnce: 'nothing' | 'urgent' | 'approvals') =>
    [urgent, approval, other].map((item) => isMailedAtOnce(atOnce, item));
  expect(of('nothing')).toEqual([false, false, false]);
  expect(of('urgent')).toEqual([true, false, false]);
  expect(of('approvals')).toEqual([true, true, false]);
});

test('only what was not mailed is new', () => {
  expect(newItems(['a 1', 'b 1'], ['a 1'])).toEqual(['b 1']);
  expect(newItems(['a 2'], ['a 1'])).toEqual(['a 2']);
});
