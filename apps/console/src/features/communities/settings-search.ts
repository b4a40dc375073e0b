import { RANGES, type Range } from '../../lib/url/range-days.ts';
import { oneOf } from '../../lib/url/search-params.ts';

export const COMMUNITY_TABS = ['overview', 'traders', 'money', 'pool', 'bot', 'settings'] as const;
export type CommunityTab = (typeof COMMUNITY_TABS)[number];

/** The URL parameters of a community's page: its tab, the range of its charts, and the return from a payment page. */
export interface SettingsSearch {
  tab?: CommunityTab;
  range?: Range;
  checkout?: 'done';
}

/** Ignores invalid parameters. */
export function readSettingsSearch(raw: Record<string, unknown>): SettingsSearch {
  return {
    tab: oneOf(COMMUNITY_TABS, raw.tab),
    range: oneOf(RANGES, raw.range),
    checkout: oneOf(['done'] as const, raw.checkout),
  };
}

/** A person who comes back from a payment sees the subscription. */
export const tabOf = ({ tab, checkout }: SettingsSearch): CommunityTab =>
  tab ?? (checkout === 'done' ? 'settings' : 'overview');
