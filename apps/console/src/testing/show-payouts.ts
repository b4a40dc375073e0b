import type { CallAnswer } from '@copydesk/contract';
import { shortId } from '@copydesk/domain/money';
import { page } from 'vitest/browser';
import type { Answers } from './serve-calls.ts';
import { idOf, type Shown, showScreen } from './show-screen.tsx';

export type Payout = CallAnswer<'GET /api/sweep-operations/admin/all'>['data'][number];
type Summary = CallAnswer<'GET /api/sweep-operations/summary'>['data'][number];
type Detail = CallAnswer<'GET /api/sweep-operations/{id}'>['data'];

export const AT = '2026-01-02T10:00:00.000Z';
export const ADDRESS = `0x${'ab'.repeat(20)}`;
export function payoutOf(n: number, changes: Partial<Payout> = {}): Payout {
  return {
    id: idOf(n),
    status: 'distributed',
    recipient_type: 'community',
    recipient_address: ADDRESS,
    total_amount: '10.5',
    consolidate_transaction_hash: `0x${'1'.repeat(64)}`,
    distribute_transaction_hash: `0x${'2'.repeat(64)}`,
    problem: null,
    replaced_by: null,
    is_imported: false,
    awaits_approval: false,
    created_at: AT,
    updated_at: AT,
    community: { id: idOf(1), name: 'Kite Traders' },
    ...changes,
  };
}

const NONE = { amount: '0', count: 0 };
const summaryOf = (changes: Partial<Summary> = {}): Summary => ({
  recipient_type: 'community',
  total_amount: '30',
  count: 3,
  paid: { amount: '20', count: 2 },
  awaiting_approval: NONE,
  under_way: NONE,
  failed: { amount: '10', count: 1 },
  replaced: NONE,
  first_at: AT,
  last_at: '2026-03-02T10:00:00.000Z',
  ...changes,
});

export const detailOf = (n: number, changes: Partial<Detail> = {}): Detail => ({
  ...payoutOf(n),
  steps: [
    { kind: 'created', state: 'done', transaction_hash: null, at: AT },
    { kind: 'consolidated', state: 'done', transaction_hash: `0x${'1'.repeat(64)}`, at: AT },
    { kind: 'distributed', state: 'done', transaction_hash: `0x${'2'.repeat(64)}`, at: AT },
  ],
  payables: [
    {
      id: idOf(71),
      invoice_id: idOf(81),
      reference_number: 'KAIT-1',
      amount: '10.5',
      recipient_type: 'community',
    },
  ],
  payable_count: 1,
  transfers: [],
  transfer_count: 0,
  waits_for: null,
  can_retry: false,
  retried_with: [],
  can_cancel: false,
  can_resend: false,
  current_address: null,
  current_address_awaits_release: false,
  current_address_payable_from: null,
  current_address_owner_word: null,
  ...changes,
});

export const listOf = (
  data: Payout[],
  total = data.length,
): CallAnswer<'GET /api/sweep-operations/admin/all'> => ({
  success: true,
  data,
  meta: { total, total_amount: '10.5', totals_at: AT, next_cursor: null },
});

const ANSWERS: Answers = {
  'GET /api/sweep-operations/admin/all': listOf([payoutOf(1), payoutOf(2), payoutOf(3)]),
  'GET /api/sweep-operations/summary': {
    success: true,
    data: [summaryOf()],
    meta: { total: 3, total_amount: '30', totals_at: AT },
  },
  'GET /api/sweep-operations/{id}': ({ params }) => ({
    success: true,
    data: { ...detailOf(1), id: params.id ?? '' },
  }),
  'GET /api/super-admin/distributions/awaiting': { success: true, data: [], meta: { total: 0 } },
  'GET /api/super-admin/payout-runs': { success: true, data: [], meta: { total: 0 } },
  'GET /api/super-admin/deposit-reading': {
    success: true,
    data: {
      block_number: 1,
      updated_at: AT,
      stopped_because: null,
      late_seconds: null,
      needs_review: false,
      set_aside: [],
      set_aside_count: 0,
    },
  },
  'GET /api/super-admin/wallets': { success: true, data: [], meta: { total: 0 } },
};
export const LIST = 'GET /api/sweep-operations/admin/all';

/** The Transaction History screen with three payouts, as a super admin sees it. */
export const showPayouts = ({ answers = {}, ...shown }: Shown = {}, search = '') =>
  showScreen(`/transaction-history${search}`, { answers: { ...ANSWERS, ...answers }, ...shown });

export const panelOf = (n: number) => page.getByRole('complementary', { name: `Payout ${shortId(idOf(n))}` });
