import type { CallAnswer } from '@copydesk/contract';
import { onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import type { Answers, Sent } from './serve-calls.ts';
import { idOf, type Shown, showScreen } from './show-screen.tsx';
import { AT, BYBIT, traderOf } from './show-trader.ts';

type Listed = CallAnswer<typeof LIST>;
type Trader = Listed['data'][number];

export const LIST = 'GET /api/traders';
export const COMMUNITY = { id: idOf(2), name: 'Blue Harbor', is_archived: false, created_at: AT };
export const PROVIDER = {
  id: idOf(901),
  name: 'meridian',
  display_name: 'Meridian Capital',
  payment_split_percentage: 0.7,
  supported_exchanges: [],
  is_active: true,
  invoicing_enabled: true,
};
export const COUNTS = { inbox: 120, connected: 1050, delinquent: 7, none: 3 };
const ALL = Object.values(COUNTS).reduce((sum, count) => sum + count, 0);

export const referenceOf = (n: number) => `KAIT-${1000 + n}`;

/** A trader at this place of the list, counted from 0. */
const listedAt = (n: number, status: Trader['status']): Trader => ({
  ...traderOf({ status, exchanges: [BYBIT] }),
  id: idOf(1000 + n),
  reference_number: referenceOf(n),
  telegram_username: `trader_${n}`,
  aum: 20_000 - n,
});

export const meta = (total: number, changes: Partial<Listed['meta']> = {}): Listed['meta'] => ({
  total,
  counts: COUNTS,
  total_aum: '1234567.8',
  pool_capital: '0',
  unread_accounts: 0,
  filtered_aum: '1234567.8',
  totals_at: AT,
  next_cursor: null,
  ...changes,
});

/** The rows that a request asks for, of a list as long as the count of its tab. */
export function tradersFor(
  { query }: Pick<Sent, 'query'>,
  change: (n: number) => Partial<Trader> = () => ({}),
) {
  const tab = query.tab as keyof typeof COUNTS | undefined;
  const total = tab ? COUNTS[tab] : ALL;
  const status = tab === 'connected' || tab === 'delinquent' ? tab : 'pending';
  const first = Number(query.offset ?? 0);
  const rows = Math.max(0, Math.min(Number(query.limit ?? 50), total - first));
  const data = Array.from({ length: rows }, (_, row) => ({
    ...listedAt(first + row, status),
    ...change(first + row),
  }));
  return { success: true as const, data, meta: meta(total) };
}

/** A list of these traders and no others. */
export const onlyThese = (
  traders: readonly Partial<Trader>[],
  changes: Partial<Listed['meta']> = {},
): Listed => ({
  success: true,
  data: traders.map((trader, n) => ({ ...listedAt(n, 'connected'), ...trader })),
  meta: meta(traders.length, changes),
});

const ANSWERS: Answers = {
  [LIST]: (sent) => tradersFor(sent),
  'GET /api/communities': { success: true, data: [COMMUNITY], meta: { totals_at: null } },
  'GET /api/providers': { success: true, data: [PROVIDER] },
};

/** The Traders list, as a super admin sees it. */
export async function showTraders(search = '', { answers = {}, ...shown }: Shown = {}) {
  const screen = await showScreen(`/${search}`, { answers: { ...ANSWERS, ...answers }, ...shown });
  // The list remembers where it was left: the next test begins at its top.
  onTestFinished(async () => {
    document.querySelector('[role=grid]')?.parentElement?.scrollTo({ top: 0 });
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  });
  return screen;
}

const grid = page.getByRole('grid', { name: 'Traders' });
/** The parts of the Traders list by the names that a person reads or hears. */
export const traders = {
  grid,
  /** The row at an index of the whole list; only rows in view and the active one are in the page. */
  row: (index: number) => document.querySelector<HTMLElement>(`[role=grid] [aria-rowindex="${index + 2}"]`),
  /** Without the row of headers. */
  rows: () => [...document.querySelectorAll<HTMLElement>('[role=grid] tbody tr:not([aria-busy])')],
  first: grid.getByRole('row').nth(1),
  tab: (name: string) => page.getByRole('tab', { name }),
  column: (name: string) => grid.getByRole('columnheader', { name }),
  found: page.getByRole('status').filter({ hasText: /(traders? found|Loading traders data...)$/ }),
  searchBox: page.getByRole('searchbox', { name: 'Search by reference number' }),
  opener: page.getByRole('button', { name: 'Search by reference number' }),
  filter: (name: string) => page.getByRole('button', { name, exact: true }),
};
