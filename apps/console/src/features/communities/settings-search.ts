import { RANGES, type Range } from '../../lib/url/range-days.ts';
import { oneOf } from '../../lib/url/search-params.ts';

/** The URL parameters of a community's settings: the range of its charts, and the return from a payment page. */
export interface SettingsSearch {
  range?: Range;
  checkout?: 'done';
}

/** Ignores invalid parameters. */
export function readSettingsSearch(raw: Record<string, unknown>): SettingsSearch {
  return { range: oneOf(RANGES, raw.range), checkout: oneOf(['done'] as const, raw.checkout) };
}
