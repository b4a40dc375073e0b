import type { Density } from './lists.ts';

/** How thousands and decimals are separated. Amounts that are typed have a point, whatever is chosen. */
export const NUMBER_FORMATS = ['comma_point', 'point_comma', 'space_comma', 'apostrophe_point'] as const;
export type NumberFormat = (typeof NUMBER_FORMATS)[number];

/** Nov 21, 2026; 21 Nov 2026; 2026-11-21. */
export const DATE_FORMATS = ['month_day', 'day_month', 'iso'] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];

/** The screen after signing in. A person who may not open it gets the traders. */
export const START_SCREENS = [
  'overview',
  'attention',
  'traders',
  'communities',
  'invoices',
  'payouts',
  'pools',
  // Of super admins.
  'dashboard',
] as const;
export type StartScreen = (typeof START_SCREENS)[number];

/** `system`: as the device has it. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** What a person chooses for itself: it changes how things are shown to that person, and nothing else. */
export interface PersonSettings {
  /** A name of the IANA database, or UTC. */
  time_zone: string;
  numbers: NumberFormat;
  dates: DateFormat;
  density: Density;
  start_screen: StartScreen;
  theme: Theme;
  /** Whether single keys do something outside of fields. */
  shortcuts: boolean;
}

export const PERSON_DEFAULTS: PersonSettings = {
  time_zone: 'UTC',
  numbers: 'comma_point',
  dates: 'month_day',
  density: 'comfortable',
  start_screen: 'traders',
  theme: 'system',
  shortcuts: true,
};

const LONGEST_ZONE = 64;

/**
 * The one name of a time zone, whatever case or earlier name it is given by; null: there is none. Offsets such as +02:00
 * are none, since they know no summer time.
 */
export function findTimeZone(name: string): string | null {
  if (name.length > LONGEST_ZONE) return null;
  const found = resolveZone(name);
  return found === 'UTC' || (found !== null && Intl.supportedValuesOf('timeZone').includes(found))
    ? found
    : null;
}

function resolveZone(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
