import type { AccountKind, JournalKind, StatementOwner } from '@copydesk/domain/ledger';

/** What an account holds. */
export const ACCOUNT_NAMES: Record<AccountKind, string> = {
  deposit_wallet: 'At the deposit address',
  community_wallet: 'In the community wallet',
  gas_wallet: 'Coin for network fees',
  receivable: 'Owed on invoices',
  gas_spent: 'Network fees paid',
  trader_deposit: 'Received, on no invoice yet',
  billed: 'Invoiced, not shared out yet',
  held: 'Held for a decision',
  payable_mark: 'Share of Mark',
  payable_community: 'Share of the community',
  payable_community_referrer: 'Share of the community referrer',
  payable_trader_referrer: 'Share of the trader referrer',
  payable_hexmount: 'Share of Hexmount',
  payable_sixk: 'Share of Sixk',
  payable_tip: 'Tip',
  pool_proxy: 'In the proxy wallet',
  pool_transit: 'On the way to the exchange',
  pool_exchange: 'At the exchange',
  pool_shortfall: 'Shortfall',
  pool_deposit_wallet: 'At the pool address',
  pool_capital: 'Virtual balance',
  pool_pending: 'Received, not admitted yet',
  pool_returned: 'Returned by the exchange',
  pool_fees_due: 'Fees due',
  pool_unexplained: 'Unexplained',
  platform: "The platform's own",
};

const JOURNAL_NAMES: Record<JournalKind | 'pool_opened', string> = {
  deposit_received: 'Deposit received',
  invoice_issued: 'Invoiced',
  invoice_paid: 'Invoice paid',
  invoice_settled_by_hand: 'Settled by hand',
  invoice_settled_elsewhere: 'Settled elsewhere',
  invoice_cancelled: 'Invoice cancelled',
  invoice_discounted: 'Discount',
  credit_returned: 'Credit returned',
  consolidated: 'Collected',
  distributed: 'Paid out',
  gas_funded: 'Coin for fees funded',
  gas_spent: 'Network fee',
  pool_opened: 'Books of the pool opened',
  pool_deposit_seen: 'Deposit to the pool seen',
  pool_deposit_admitted: 'Admitted to the pool',
  pool_deposit_returned: 'Deposit to the pool returned',
  pool_withdrawal_paid: 'Withdrawal paid',
  pool_sent: 'Sent to the exchange',
  pool_credited: 'Credited at the exchange',
  pool_bounced: 'Came back from the exchange',
  pool_funds_returned: 'Returned by the exchange',
  pool_unexplained_in: 'Arrived, owner unknown',
  pool_unexplained_resolved: 'Owner found',
  pool_return_undone: 'Return undone',
  pool_valued: 'Result of the cycle',
  pool_lost: 'Lost',
  pool_fee_charged: 'Fee charged',
  pool_fee_moved: 'Fee moved to the community wallet',
  reversal: 'Taken back',
};

/** What was booked. Imports have kinds of their own. */
export function journalWords(kind: string): string {
  if (kind in JOURNAL_NAMES) return JOURNAL_NAMES[kind as JournalKind];
  const words = kind.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Before the name of an owner, as in `Statement of the pool of Blue Harbor`. */
export const OWNER_WORDS: Record<Exclude<StatementOwner, 'platform'>, string> = {
  trader: '',
  community: '',
  pool: 'the pool of ',
  member: 'the part in a pool of ',
  invoice: 'the invoice of ',
};
