import type { CallAnswer } from '@copydesk/contract';
import { shortId } from '@copydesk/domain/money';
import { page } from 'vitest/browser';
import type { Answers, Sent } from './serve-calls.ts';
import { idOf, type Shown, showScreen } from './show-screen.tsx';

export type Groups = CallAnswer<typeof GROUPS>;
export type Group = Groups['data'][number];
export type Invoice = CallAnswer<typeof INVOICES_OF>['data'][number];

export const GROUPS = 'GET /api/invoices/admin/groups';
export const INVOICES_OF = 'GET /api/invoices/admin/all';
export const AT = '2026-01-02T10:00:00.000Z';
const COUNTS = { all: 30, unpaid: 12, paid: 15, archived: 3 };
const PER_GROUP = 3;
const NONE = { success: true as const, data: [], meta: { total: 0 } };

const traderOf = (n: number, reference_number: string | null = `KAIT-${1000 + n}`): Invoice['trader'] => ({
  id: idOf(2000 + n),
  name: null,
  telegram_username: `trader_${n}`,
  reference_number,
});

/** An invoice of 100 USDT that nothing was paid of; the first digits of its number are those of its group. */
export const invoiceOf = (n: number, changes: Partial<Invoice> = {}): Invoice => ({
  id: idOf(5000 + n),
  trader_id: idOf(2000 + Math.floor(n / 10)),
  amount: '100.5',
  asked_amount: '100.5',
  paid_amount: '0',
  on_chain_amount: '0',
  off_platform_amount: '0',
  provider_share: '70',
  payment_address: `0x${'ab'.repeat(20)}`,
  is_paid: false,
  is_archived: false,
  is_overdue: true,
  is_awaiting_approval: false,
  status: 'pending',
  invoice_type: 'regular',
  community_id: idOf(2),
  exchange: 'bybit',
  trader: traderOf(Math.floor(n / 10)),
  provider: { id: idOf(900), name: 'Meridian Capital' },
  due_at: AT,
  created_at: AT,
  updated_at: AT,
  ...changes,
});

export type InvoiceDetail = CallAnswer<'GET /api/invoices/{id}'>['data'];
type Position = CallAnswer<'GET /api/invoices/{id}/positions'>['data'][number];
type Messages = CallAnswer<'GET /api/messages'>;

/** What its page and its panel show: 30 % of 335 USD that two positions made. */
export const invoiceDetailOf = (changes: Partial<InvoiceDetail> = {}): InvoiceDetail => ({
  ...invoiceOf(0),
  community_name: 'Blue Harbor',
  commission_rate: '0.3',
  settled_by: null,
  is_of_pool: false,
  paid_at: null,
  off_platform: [],
  unpaid_refusal: null,
  recall_refusal: null,
  basis: {
    ...{ kind: 'positions', positions: 12, before_fees: 0, profit: '335' },
    ...{ commission: '100.5', deducted: '0', unexplained: '0' },
  },
  deductions: [],
  split: [],
  payments: [],
  ...changes,
});

export const invoicedPositionOf = (n: number, changes: Partial<Position> = {}): Position => ({
  ...{ id: idOf(600 + n), exchange: 'bybit', acc_uid: 'uid-1', provider_name: 'Meridian Capital' },
  ...{ symbol: 'BTCUSDT', side: 'long', entry_price: '60000', exit_price: '61500', leverage: '10' },
  ...{ contracts: '0.5', closed_pnl: '27.9', fees_included: true, opened_at: null, closed_at: AT },
  ...changes,
});

export const messagesOf = (data: Messages['data'] = []): Messages => ({
  success: true,
  data,
  meta: {
    total: data.length,
    outcomes: { not_delivered: 0, waiting: 0, sent: 0, overtaken: 0 },
    totals_at: AT,
  },
});

/** The invoices of a trader: three that are overdue. */
export const groupOf = (n: number, changes: Partial<Group> = {}): Group => ({
  reference_number: `KAIT-${1000 + n}`,
  trader: traderOf(n),
  total_amount: '301.5',
  paid_amount: '0',
  on_chain_amount: '0',
  off_platform_amount: '0',
  provider_share: '210',
  invoice_count: PER_GROUP,
  trader_count: 1,
  is_paid: false,
  is_archived: false,
  is_part: false,
  pending_count: PER_GROUP,
  cancelled_count: 0,
  due_count: 0,
  overdue_count: PER_GROUP,
  part_paid_count: 0,
  overpaid_count: 0,
  created_at: AT,
  updated_at: AT,
  ...changes,
});

/** The traders without a reference number as one group. */
export const unknownGroup = (traders: number): Group =>
  groupOf(0, { reference_number: 'unknown', trader: null, trader_count: traders });
export const unknownTrader = (n: number): Group =>
  groupOf(n, { reference_number: 'unknown', trader: traderOf(n, null) });

export const listed = (data: Group[], total = data.length): Groups => ({
  success: true,
  data,
  meta: { total, counts: COUNTS, totals_at: AT, next_cursor: null },
});

/** The groups that a request asks for, of a list as long as the count of its tab. */
export function groupsFor({ query }: Pick<Sent, 'query'>): Groups {
  const tab = (query.tab ?? 'all') as keyof typeof COUNTS;
  const first = Number(query.offset ?? 0);
  const rows = Math.max(0, Math.min(Number(query.limit ?? 10), COUNTS[tab] - first));
  const paid = { is_paid: true, pending_count: 0, overdue_count: 0 };
  const data = Array.from({ length: rows }, (_, row) =>
    groupOf(first + row, { ...(tab === 'paid' ? paid : {}), is_archived: tab === 'archived' }),
  );
  return listed(data, COUNTS[tab]);
}

export const invoicesOf = (data: Invoice[]): CallAnswer<typeof INVOICES_OF> => ({
  success: true,
  data,
  meta: { total: data.length, total_amount: '0', totals_at: AT, next_cursor: null },
});

/** The three invoices of the group that a request asks for. */
export function invoicesFor({ query }: Pick<Sent, 'query'>) {
  const n = Number(query.reference_number?.replace('KAIT-', '')) - 1000;
  const is_archived = query.is_archived === 'true';
  return invoicesOf(
    Array.from({ length: PER_GROUP }, (_, index) =>
      invoiceOf((Number.isNaN(n) ? 0 : n) * 10 + index, { is_archived }),
    ),
  );
}

/** No invoices, and nothing that waits for one. */
const EMPTY: Answers = {
  [GROUPS]: {
    success: true,
    data: [],
    meta: { total: 0, counts: { all: 0, unpaid: 0, paid: 0, archived: 0 }, totals_at: AT, next_cursor: null },
  },
  'GET /api/invoices/deductions': NONE,
  'GET /api/invoices/differences': NONE,
  'GET /api/invoices/runs': NONE,
  'GET /api/payments/unmatched': {
    ...NONE,
    meta: { total: 0, waiting: 0, returning: 0, total_amount: '0' },
  },
  'GET /api/payments/other-tokens': { ...NONE, meta: { total: 0, tokens: [] } },
  'GET /api/saved-views': { success: true, data: [] },
};

/** The Invoices screen without any, as a super admin sees it. */
export const showInvoices = ({ answers, ...shown }: Shown = {}, search = '') =>
  showScreen(`/invoices${search}`, { answers: { ...EMPTY, ...answers }, ...shown });

/** The Invoices screen with a list of groups. */
export const showGroups = (search = '', { answers, ...shown }: Shown = {}) =>
  showInvoices(
    {
      answers: {
        [GROUPS]: (sent) => groupsFor(sent),
        [INVOICES_OF]: (sent) => invoicesFor(sent),
        ...answers,
      },
      ...shown,
    },
    search,
  );

const table = page.getByRole('treegrid', { name: 'Invoices by reference number' });
/** The parts of the Invoices screen by the names that a person reads or hears. */
export const invoices = {
  table,
  tab: (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) }),
  column: (name: string) => table.getByRole('columnheader', { name, exact: true }),
  groups: table.getByRole('row', { level: 1 }),
  invoices: table.getByRole('row', { level: 2 }),
  invoice: (id: string) => table.getByRole('row').filter({ hasText: shortId(id) }),
  found: page.getByRole('status').filter({ hasText: /(groups? found|Loading invoices...)$/ }),
  searchBox: page.getByRole('searchbox', { name: 'Search by reference number' }),
  filter: (name: string) => page.getByRole('button', { name, exact: true }),
  menu: (of: string) => page.getByRole('button', { name: `Actions for ${of}` }),
  item: (name: string) => page.getByRole('menuitem', { name, exact: true }),
  box: (name: string) => page.getByRole('checkbox', { name }),
  dialog: page.getByRole('dialog'),
  bar: page.getByRole('region', { name: 'Selection' }),
  panel: (id: string) => page.getByRole('complementary', { name: `Invoice ${shortId(id)}` }),
};
