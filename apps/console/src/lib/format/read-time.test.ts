import { PERSON_DEFAULTS, type PersonSettings } from '@copydesk/domain/person';
import { afterEach, describe, expect, test, vi } from 'vitest';

vi.stubEnv('TZ', 'America/New_York');
// Another test of this process may have read it in another zone.
vi.resetModules();
const { formatDate, fullTime, momentWords, readTime, shortDay } = await import('./read-time.ts');
const { clockTime, formatDay, minuteWords, zoneName } = await import('./zone-time.ts');
const { personSettings } = await import('../person-settings.ts');
const now = new Date('2026-11-21T02:00:00Z');

test.each([
  ['2026-11-21T01:59:05.123Z', 'today 01:59'],
  // Another day in UTC, the same in New York.
  ['2026-11-20T23:30:00Z', 'Nov 20, 23:30'],
  ['2025-12-31T23:00:00Z', 'Dec 31, 2025, 23:00'],
])('%s is %s: date and time are of one zone', (iso, text) => {
  expect(readTime(iso, now)).toBe(text);
});

test('every form of a sentence says its zone', () => {
  expect(clockTime('2026-11-21T00:05:09Z')).toBe('00:05:09 UTC');
  expect(minuteWords('2026-11-21T00:05:09Z')).toBe('00:05 UTC');
  expect(momentWords('2026-11-23T14:05:00Z')).toBe('Nov 23, 14:05 UTC');
});

test('the full form includes the local time', () => {
  expect(fullTime('2026-11-21T11:59:05Z')).toBe('Nov 21, 2026, 11:59:05 UTC (Nov 21, 06:59 EST)');
});

describe('for a person with settings', () => {
  const choose = (change: Partial<PersonSettings>) => personSettings.set({ ...PERSON_DEFAULTS, ...change });
  afterEach(() => personSettings.set(PERSON_DEFAULTS));

  test.each([
    // Fourteen hours ahead: the day after in UTC.
    ['Pacific/Kiritimati', '00:05:09 GMT+14', 'Nov 22, 2026', 'Nov 22, 00:05 GMT+14'],
    // Three and a half behind.
    ['America/St_Johns', '06:35:09 GMT-3:30', 'Nov 21, 2026', 'Nov 21, 06:35 GMT-3:30'],
    ['Europe/Berlin', '11:05:09 CET', 'Nov 21, 2026', 'Nov 21, 11:05 CET'],
  ])('times are of %s, and say so', (time_zone, clock, date, moment) => {
    choose({ time_zone });
    expect(clockTime('2026-11-21T10:05:09Z')).toBe(clock);
    expect(formatDate('2026-11-21T10:05:09Z')).toBe(date);
    expect(momentWords('2026-11-21T10:05:09Z')).toBe(moment);
    expect(zoneName('2026-11-21T10:05:09Z')).toBe(clock.slice(9));
  });

  test('a day has the name that its zone has then, on both sides of a change of clocks', () => {
    choose({ time_zone: 'Europe/Berlin' });
    // The clocks go from 02:00 to 03:00, and in autumn through the hour from 02:00 twice.
    expect(clockTime('2026-03-29T00:59:59Z')).toBe('01:59:59 CET');
    expect(clockTime('2026-03-29T01:00:00Z')).toBe('03:00:00 CEST');
    expect(minuteWords('2026-10-25T00:30:00Z')).toBe('02:30 CEST');
    expect(minuteWords('2026-10-25T01:30:00Z')).toBe('02:30 CET');
  });

  test('today is the day of the person', () => {
    const read = '2026-11-20T23:30:00Z';
    expect(readTime(read, now)).toBe('Nov 20, 23:30');
    choose({ time_zone: 'Europe/Berlin' });
    expect(readTime(read, now)).toBe('today 00:30');
    choose({ time_zone: 'America/St_Johns' });
    expect(readTime(read, now)).toBe('today 20:00');
  });

  test('so is the year', () => {
    choose({ time_zone: 'Pacific/Kiritimati' });
    expect(readTime('2025-12-31T12:00:00Z', now)).toBe('Jan 1, 02:00');
    expect(readTime('2025-12-31T09:00:00Z', now)).toBe('Dec 31, 2025, 23:00');
  });

  test.each(['Pacific/Kiritimati', 'America/St_Johns'])(
    'a plain day is never converted, as in %s',
    (zone) => {
      choose({ time_zone: zone });
      expect(formatDate('2026-11-21')).toBe('Nov 21, 2026');
      expect(shortDay('2026-11-21')).toBe('Nov 21');
      // The end of a day of UTC, such as a due date.
      expect(formatDay('2026-11-21T23:59:59Z')).toBe('Nov 21, 2026');
      expect(formatDay('2026-11-21T00:00:00Z')).toBe('Nov 21, 2026');
    },
  );

  test.each([
    ['month_day', 'Nov 3, 2026', 'Nov 3', 'Nov 3, 14:05 UTC'],
    ['day_month', '3 Nov 2026', '3 Nov', '3 Nov, 14:05 UTC'],
    ['iso', '2026-11-03', '2026-11-03', '2026-11-03, 14:05 UTC'],
  ] as const)('dates are written as %s', (dates, full, short, moment) => {
    choose({ dates });
    const at = '2026-11-03T14:05:00Z';
    expect([formatDate(at), formatDay(at), formatDate('2026-11-03')]).toEqual([full, full, full]);
    expect([shortDay(at), momentWords(at)]).toEqual([short, moment]);
    expect(readTime(at, now)).toBe(moment.replace(' UTC', ''));
  });

  test('every month of ISO 8601', () => {
    choose({ dates: 'iso' });
    const days = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 9)).toISOString());
    expect(days.map(formatDate)).toEqual(days.map((day) => day.slice(0, 10)));
  });

  test('the full form includes UTC, unless it is the same', () => {
    choose({ time_zone: 'Europe/Berlin' });
    expect(fullTime('2026-11-21T23:59:05Z')).toBe('Nov 22, 2026, 00:59:05 CET (Nov 21, 23:59 UTC)');
    choose({ time_zone: 'Europe/London' });
    expect(fullTime('2026-11-21T23:59:05Z')).toBe('Nov 21, 2026, 23:59:05 GMT');
  });

  test('a zone that the browser does not know is UTC, and says so', () => {
    choose({ time_zone: 'Mars/Olympus' });
    expect(minuteWords('2026-11-21T14:05:00Z')).toBe('14:05 UTC');
  });

  test('nothing is a date where there is none', () => {
    expect([formatDate(null), formatDate(undefined), formatDate('')]).toEqual(['N/A', 'N/A', 'N/A']);
  });
});
