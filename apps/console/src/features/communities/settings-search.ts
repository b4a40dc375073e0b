import { RANGES, type Range } from '../../lib/range-days.ts';
import { oneOf } from '../../lib/search-params.ts';

/** The URL parameters of a community's settings: the range of its charts. */
export interface SettingsSearch {
  range?: Range;
}

/** Ignores invalid parameters. */
export function readSettingsSearch(raw: Record<string, unknown>): SettingsSearch {
  return { range: oneOf(RANGES, raw.range) };
}
