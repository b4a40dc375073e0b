const SERVER = 'apps/server/src/';

/** Folders or files that may write a table, from most to least; tables without one are written by triggers. */
const OWNERS: Record<string, readonly string[]> = {
  account_holder: [],
  account_reading: ['features/exchanges'],
  attention_mail: ['features/attention/mail'],
  attention_mark: ['features/attention'],
  person_chat: ['features/attention/telegram'],
  person_chat_request: ['features/attention/telegram'],
  person_message: ['features/attention/telegram'],
  figure_day: ['features/overview'],
  audit_entry: ['platform/audit'],
  audit_lock: [],
  audit_order: [],
  audit_seal: [],
  audit_text: [],
  audit_unsealed: [],
  audit_verification: ['platform/audit'],
  // The backup command.
  backup_record: ['platform/backup'],
  billing_customer: ['features/billing'],
  billing_customer_intent: ['features/billing'],
  billing_event: ['features/billing'],
  billing_mail: ['features/billing'],
  chain_address_check: ['features/transfers'],
  deposit_address: ['features/deposits'],
  chain_cursor: ['features/deposits/watch'],
  chain_wallet: ['features/transfers', 'core/transfers'],
  change_event: ['platform/http/events'],
  check_result: ['platform/observe'],
  failing_job: ['platform/work'],
  // Positions are read from exchanges, and marked when an invoice charges them.
  closed_position: ['features/exchanges', 'features/invoices'],
  closed_position_day: [],
  commission_rate: [],
  // Wallet addresses come from the seed, which only the engine of transfers has.
  community: ['features/communities', 'features/transfers'],
  community_capital_day: [],
  community_day: ['features/communities'],
  community_external_balance: ['features/communities'],
  community_provider: ['features/communities'],
  community_subscription: ['features/billing'],
  demo_world: [],
  credential_reveal: ['features/exchanges'],
  deposit: ['features/deposits'],
  deposit_key: ['features/deposits'],
  deposit_set_aside: ['core/chain'],
  difference_decision: ['features/invoices'],
  distribution: ['features/payouts'],
  equity_snapshot: ['features/exchanges'],
  // Only a migration adds one.
  exchange: [],
  exchange_account: ['features/exchanges'],
  exchange_bot: ['features/bots/exchange-bot'],
  exchange_bot_chat: ['features/bots/exchange-bot'],
  exchange_bot_coupon: ['features/bots/exchange-bot'],
  exchange_bot_faq: ['features/bots/exchange-bot'],
  exchange_bot_handled_update: ['features/bots/exchange-bot'],
  exchange_bot_message: ['features/bots/exchange-bot'],
  exchange_bot_plan: ['features/bots/exchange-bot'],
  exchange_bot_reading: ['features/bots/exchange-bot'],
  exchange_bot_sale: ['features/bots/exchange-bot'],
  exchange_bot_text: ['features/bots/exchange-bot'],
  exchange_bot_token: ['features/bots/exchange-bot'],
  exchange_credential: ['features/exchanges'],
  bulk_act: ['features/bulk'],
  bulk_act_row: ['features/bulk'],
  export: ['features/exports'],
  export_part: ['features/exports'],
  harvest_allocation: ['features/pools'],
  harvest_cycle: ['features/pools'],
  harvest_funding: ['features/pools'],
  harvest_resolution: ['features/pools'],
  harvest_run: ['features/pools'],
  harvest_run_item: ['features/pools'],
  idempotent_call: ['platform/http'],
  // Fees of pools are invoiced and paid with their harvest cycles.
  // So are sales of bots, with what was ordered.
  invoice: [
    'features/invoices',
    'features/pools/results/pool-invoices.store.ts',
    'features/bots/exchange-bot/sales/sale-invoices.store.ts',
  ],
  invoice_group: [],
  invoice_part: [],
  invoice_deduction: ['features/invoices'],
  invoice_deduction_use: ['features/invoices'],
  invoice_payment: ['features/invoices'],
  invoicing_line: ['features/invoices'],
  invoicing_problem: ['features/invoices'],
  incoming_transfer: ['features/deposits'],
  invoicing_run: ['features/invoices'],
  journal: ['core/ledger'],
  ledger_account: ['core/ledger'],
  ledger_balance: [],
  ledger_reservation: ['core/ledger'],
  ledger_reservation_end: ['core/ledger'],
  list_layout: ['features/people/own-settings'],
  mail: ['platform/work/mail'],
  message: ['features/messages', 'core/outbox'],
  money_order: ['core/transfers/orders'],
  money_order_line: ['core/transfers/orders'],
  open_position: ['features/exchanges'],
  // Invoices issue and settle payables; payouts pay them.
  note: ['features/notes'],
  note_mention: ['features/notes'],
  other_token: ['features/deposits/watch'],
  other_token_cursor: ['features/deposits/watch'],
  other_token_transfer: ['features/deposits/watch'],
  payable: ['features/payouts/shares.store.ts', 'features/invoices', 'core/ledger'],
  payment: ['features/invoices'],
  credit_return: ['features/invoices'],
  payout: ['features/payouts/payouts.store.ts'],
  payout_run: ['features/payouts/runs'],
  address_reading: ['core/transfers/addresses'],
  payout_address_change: ['features/payouts'],
  payout_address_word: ['core/transfers/addresses'],
  payout_returned_share: ['features/payouts/shares.store.ts'],
  payout_in_set: [],
  payout_provider: [],
  payout_sum: [],
  person_settings: ['features/people/own-settings'],
  platform_recipient: ['features/settings'],
  // Of an earlier version.
  platform_bot: [],
  platform_bot_use: ['features/bots/platform-bot'],
  platform_bot_reading: ['features/bots/platform-bot'],
  platform_setting: ['features/settings'],
  platform_setting_change: ['features/settings'],
  platform_setting_default: ['core/settings', 'features/settings'],
  pool_arrival: ['features/pools'],
  pool_arrival_decision: ['features/pools'],
  pool_deposit: ['features/pools'],
  pool_evidence: ['features/pools'],
  pool_exchange_request: ['features/pools'],
  pool_exchange_read: ['features/pools'],
  pool_key: ['features/pools'],
  pool_member: ['features/pools'],
  pool_movement: ['features/pools'],
  pool_position: ['features/pools'],
  pool_provider_sum: [],
  pool_set_sum: [],
  pool_sum: [],
  pool_withdrawal: ['features/pools'],
  pooled_account: ['features/pools'],
  posting: ['core/ledger'],
  provider: ['features/providers'],
  provider_set: [],
  recalled_position: [],
  refused_attempt: ['platform/audit/security-log'],
  saga_event: ['features/pools/harvest'],
  default_view: ['features/settings/saved-views'],
  saved_view: ['features/settings/saved-views'],
  schema_migration: ['platform/db'],
  // Its chat comes from Telegram, its deposit address from the account key.
  // A buyer becomes a trader with the first order.
  transfer_gate: [],
  transfer_stop: [],
  transfer_stop_lift: ['features/transfers'],
  trader: [
    'features/traders',
    'features/messages',
    'features/invoices',
    'features/bots/exchange-bot/sales/buyers.store.ts',
  ],
  trader_in_set: [],
  trader_provider: [],
  trader_text: [],
  transfer: ['features/transfers', 'core/transfers'],
  transfer_attempt: ['features/transfers'],
  transfer_heartbeat: ['features/transfers'],
  vip_tier: ['features/settings'],
  worker_heartbeat: ['platform/work'],
};

/** The library's tables and ours beside them. */
const IDENTITY = ['features/people', 'platform/identity'];
/** The demo world is loaded as a whole, bypassing every feature. */
const WRITES_ANYTHING = `${SERVER}demo/`;
const WRITE =
  /\b(?:INSERT INTO|DELETE FROM|UPDATE(?=\s+[\w."]+(?:\s+(?:AS\s+)?\w+)?\s+SET\b))\s+(identity\.)?"?(\w+)"?/g;

/**
 * The tables of the schema that have no line above.
 * @param files names of the files in `apps/server/schema`, one a table
 */
export function findUnowned(files: readonly string[]): string[] {
  const tables = files.filter((file) => !/^identity\.|^functions\.sql$/.test(file));
  return tables.map((file) => file.replace(/\.sql$/, '')).filter((table) => !(table in OWNERS));
}

/** The folders and files that may write a table. */
export const ownersOf = (table: string): readonly string[] | undefined => OWNERS[table];

/** The tables of other folders that a file writes. */
export function findForeignWrites(path: string, source: string): string[] {
  if (!path.startsWith(SERVER) || path.startsWith(WRITES_ANYTHING) || /\.test\.ts$/.test(path)) return [];
  const written = [...source.matchAll(WRITE)].map(([, schema, table]) => ({
    owners: schema ? IDENTITY : OWNERS[table as string],
    table: `${schema ?? ''}${table}`,
  }));
  const foreign = written.filter(
    ({ owners }) => owners && !owners.some((owner) => `${path}/`.startsWith(`${SERVER}${owner}/`)),
  );
  return [...new Set(foreign.map(({ table }) => table))];
}
