import { ACCOUNT_KIND_NAMES, type AccountKind } from '@copydesk/domain/ledger';
import { oneOf } from '../../lib/url/search-params.ts';

/** The parameters of the screen's URL. A missing month is all time, a missing account the first one. */
export interface StatementSearch {
  account?: AccountKind | undefined;
  asset?: 'BNB' | undefined;
  /** `2026-10`, of UTC. */
  month?: string | undefined;
  page?: string | undefined;
}

const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/;

export const readStatementSearch = (raw: Record<string, unknown>): StatementSearch => ({
  account: oneOf(ACCOUNT_KIND_NAMES, raw.account),
  asset: oneOf(['BNB'], raw.asset),
  month: typeof raw.month === 'string' && MONTH.test(raw.month) ? raw.month : undefined,
  page: typeof raw.page === 'string' && /^[1-9]\d{0,4}$/.test(raw.page) ? raw.page : undefined,
});

/** The moments of a month: its first, and the first after it. */
export function momentsOf(month: string | undefined): { from?: string; to?: string } {
  if (!month) return {};
  const [year = 0, number = 1] = month.split('-').map(Number);
  const first = (months: number) => new Date(Date.UTC(year, number - 1 + months)).toISOString();
  return { from: first(0), to: first(1) };
}

/** The months up to a time, latest first. */
export function monthsUntil(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7),
  );
}
