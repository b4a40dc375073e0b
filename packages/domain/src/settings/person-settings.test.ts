import { expect, test } from 'vitest';
import { findTimeZone, PERSON_DEFAULTS } from './person-settings.ts';

test.each([
  ['UTC', 'UTC'],
  ['utc', 'UTC'],
  ['Etc/UTC', 'UTC'],
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['Pacific/Kiritimati', 'Pacific/Kiritimati'],
  ['US/Eastern', 'America/New_York'],
])('%s is the time zone %s', (typed, zone) => {
  expect(findTimeZone(typed)).toBe(zone);
});

test('two names of one zone are one zone', () => {
  expect(findTimeZone('Asia/Kolkata')).not.toBeNull();
  expect(findTimeZone('Asia/Kolkata')).toBe(findTimeZone('Asia/Calcutta'));
});

test.each(['', 'Mars/Olympus', '+02:00', '-05', 'Etc/GMT+5', 'Europe/Berlin ', `${'x'.repeat(64)}/Zone`])(
  '%j is no time zone',
  (typed) => {
    expect(findTimeZone(typed)).toBeNull();
  },
);

test('the time zone of the defaults is one', () => {
  expect(findTimeZone(PERSON_DEFAULTS.time_zone)).toBe(PERSON_DEFAULTS.time_zone);
});
