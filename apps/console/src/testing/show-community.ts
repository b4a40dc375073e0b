import { type CallAnswer, contract } from '@copydesk/contract';
import { onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import {
  PAID_BEFORE,
  pendingOf,
  planOf,
  RECIPIENTS,
  sentOf,
} from '../../../../tests/e2e/support/distribute.ts';
import { followedDistributions } from '../features/payouts/follow/followed-distributions.ts';
import { type Answers, never } from './serve-calls.ts';
import { idOf, type Shown, showScreen } from './show-screen.tsx';

type Community = CallAnswer<'GET /api/communities/{id}'>['data'];
type Status = CallAnswer<'GET /api/communities/{id}/sweep-operations'>['data'][number]['status'];

const AT = '2026-01-02T10:00:00.000Z';
export const COMMUNITY = {
  id: idOf(1),
  name: 'Blue Harbor',
  is_archived: false,
  created_at: AT,
  trader_count: 12,
  total_aum: '1000',
  pool_capital: '0',
  unread_accounts: 0,
  totals_at: AT,
  owner: { name: null, telegram_id: null, language: null },
  minimum_balance: 500,
  split_percentage: 5,
  referrer_wallet_address: null,
  external_wallet_address: `0x${'cd'.repeat(20)}`,
  wallets: {
    internal: { address: `0x${'ab'.repeat(20)}`, balance: '900' },
    external: {
      address: `0x${'cd'.repeat(20)}`,
      balance: '1',
      balance_read_at: AT,
      balance_missing: null,
    },
  },
  version: '0123456789abcdef',
  trader_referral_percentage: '10',
  providers: [],
} satisfies Community;

/** What the screen asks for beside payouts stays on its way. */
const AROUND = Object.fromEntries(
  Object.keys(contract)
    .filter((key) =>
      /^GET \/api\/(communities|super-admin\/(communities|gas-wallet)|exchange-bot|pooled-accounts)/.test(
        key,
      ),
    )
    .map((key) => [key, never]),
) as Answers;

export const NONE = { success: true as const, data: [], meta: { total: 0 } };

/** The payouts of the order that `sentOf` answers, with these states. */
export const payoutsWith = (
  statuses: readonly Status[],
): CallAnswer<'GET /api/communities/{id}/sweep-operations'> => ({
  success: true,
  data: statuses.map((status, index) => ({
    id: idOf(500 + index),
    status,
    recipient_type: RECIPIENTS[index]?.recipientType ?? 'mark',
    recipient_address: RECIPIENTS[index]?.recipientAddress ?? '',
    total_amount: RECIPIENTS[index]?.amount ?? '0',
    consolidate_transaction_hash: null,
    distribute_transaction_hash: null,
    problem: null,
    replaced_by: null,
    is_imported: false,
    awaits_approval: false,
    created_at: AT,
    updated_at: AT,
    community: { id: COMMUNITY.id, name: COMMUNITY.name },
  })),
  meta: { total: statuses.length, total_amount: '1234.56', totals_at: AT, next_cursor: null },
});

export const DISTRIBUTE = 'POST /api/super-admin/communities/{id}/distribute';
export const PENDING = 'GET /api/super-admin/communities/{id}/pending-distributions';
export const PAYOUTS = 'GET /api/communities/{id}/sweep-operations';
export const PAID = 'GET /api/super-admin/distributions/{id}/recipients';
type Plan = CallAnswer<typeof DISTRIBUTE>['data'];
export const planned = (data: Plan = planOf()) => ({ success: true as const, message: '', data });

/** A plan for a dry run, and what follows an order. */
export const distributing = (plan: Plan = planOf(), sent: Plan = sentOf()): Answers => ({
  [DISTRIBUTE]: ({ body }) => planned(body.dry_run ? plan : sent),
});

/** The settings of a community that owes five shares to four addresses, as a super admin sees them. */
export function showCommunity({ answers = {}, ...shown }: Shown = {}, search = '') {
  onTestFinished(() => followedDistributions.set([]));
  return showScreen(`/community-settings/${COMMUNITY.id}${search}`, {
    ...shown,
    answers: {
      ...AROUND,
      'GET /api/communities/{id}': { success: true, data: COMMUNITY },
      // A refused order reads all of these again before it says so.
      'GET /api/communities/{id}/wallet-balance': {
        success: true,
        data: { address: null, balance: '0', to_consolidate: '0', as_of: AT, frozen_because: null },
      },
      'GET /api/communities/{id}/available-for-withdrawal': {
        success: true,
        data: { amount: '0', payable_count: 0, address: null },
      },
      'GET /api/super-admin/wallets': NONE,
      'GET /api/super-admin/distributions/awaiting': NONE,
      'GET /api/super-admin/payout-runs': NONE,
      'GET /api/super-admin/communities/{id}/payout-addresses': { success: true, data: [] },
      'GET /api/super-admin/communities/{id}/distributions': NONE,
      [PENDING]: pendingOf(),
      [PAID]: { success: true, data: PAID_BEFORE },
      [PAYOUTS]: payoutsWith(RECIPIENTS.map(() => 'distributing')),
      ...distributing(),
      ...answers,
    },
  });
}

/** The parts of the Distribute Funds dialog by the names that a person reads or hears. */
const dialog = page.getByRole('dialog', { name: 'Distribute Funds' });
const table = dialog.getByRole('grid', { name: 'Pending recipients' });
export const funds = {
  opener: page.getByRole('button', { name: 'Distribute', exact: true }),
  dialog,
  table,
  button: (name: string | RegExp) => dialog.getByRole('button', { name }),
  pay: dialog.getByRole('button', { name: /^Pay / }),
  /** Without the row of headers. */
  row: (nth: number) => table.getByRole('row').nth(nth + 1),
  rows: () => table.getByRole('row').elements().slice(1),
  selected: () =>
    table
      .getByRole('row')
      .elements()
      .filter((row) => row.ariaSelected === 'true'),
};

/** Toasts are hidden beneath an open dialog for those who hear them. */
export const toastOf = (text: string | RegExp) =>
  page.getByRole('listitem', { includeHidden: true }).filter({ hasText: text });
