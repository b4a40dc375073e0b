import { oneOf } from '../../../lib/url/search-params.ts';

/** The URL parameters of a pool: the pages of its lists, and the filter of its members. */
export interface PoolSearch {
  members?: string;
  transactions?: string;
  /** Only members with pending deposits. */
  pending?: 'only';
}

const PAGE = /^[1-9]\d{0,4}$/;
const page = (value: unknown) => (typeof value === 'string' && PAGE.test(value) ? value : undefined);

/** Ignores invalid parameters. */
export function readPoolSearch(raw: Record<string, unknown>): PoolSearch {
  return {
    members: page(raw.members),
    transactions: page(raw.transactions),
    pending: oneOf(['only'], raw.pending),
  };
}
