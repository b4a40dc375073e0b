import { oneOf } from '../../../lib/url/search-params.ts';

/** The URL parameters of the Super Admin Dashboard. */
export interface DashboardSearch {
  /** Whether archived communities are listed. */
  archived?: 'shown';
}

/** Ignores invalid parameters. */
export function readDashboardSearch(raw: Record<string, unknown>): DashboardSearch {
  return { archived: oneOf(['shown'], raw.archived) };
}
