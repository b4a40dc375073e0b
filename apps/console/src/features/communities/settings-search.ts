import { RANGES, type Range } from '../../lib/range-days.ts';
import { oneOf } from '../../lib/search-params.ts';

/** What the URL of a community's settings carries: the range of its charts. */
export interface SettingsSearch {
  range?: Range;
}

/** What makes no sense is as if it were not there. */
export function readSettingsSearch(raw: Record<string, unknown>): SettingsSearch {
  return { range: oneOf(RANGES, raw.range) };
}
