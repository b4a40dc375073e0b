import type { OrderActName } from '@copydesk/domain/access';

/** Why what is unpaid is given up: required where another super admin has to approve it. */
export const WRITE_OFF_REASON = {
  hint: 'Kept in the audit. Needed above what one person may write off within 24 hours',
  isOptional: true,
};

const ACTS: Readonly<Record<string, string>> & Readonly<Record<OrderActName, string>> = {
  pool_withdrawals: 'a withdrawal from a pool',
  pool_return: 'returning a deposit of a pool',
  pool_funding_address: 'a funding address of a pool',
  pool_connection: 'connecting a pool',
  invoices_paid_off_platform: 'marking invoices as paid off-platform',
  invoices_archived: 'archiving unpaid invoices',
  invoices_recalled: 'recalling invoices',
  sale_cancelled: 'cancelling an order with a bot',
  sale_discounted: 'a discount on an order with a bot',
  credit_tipped: 'turning credit into a tip',
  credit_returned: 'sending credit back',
};

/** What an order does, without its amount. A server that is newer may know another act. */
export const orderActWords = (act: string): string => ACTS[act] ?? 'an act with money';
