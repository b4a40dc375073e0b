const FEATURES = 'apps/server/src/features/';

/**
 * Features that name a table of another feature in their SQL. One statement answers one screen, so a view may join what
 * other features own; a new dependency between features takes a line here. Others import that feature's `*.views.ts`.
 */
const READERS: Record<string, readonly string[]> = {
  // A link that connects a chat names the bot.
  platform_bot_use: ['attention', 'operations'],
  deposit_key: ['operations'],
  // An order gives a new buyer the address of its index.
  deposit_address: ['bots'],
  chain_cursor: ['communities', 'invoices', 'operations', 'traders', 'transfers'],
  // The audit names the targets of its entries.
  chain_wallet: ['audit', 'invoices', 'operations', 'payouts', 'pools'],
  // Positions that were never read cannot be invoiced: people decide about such a gap of an account.
  account_reading: ['invoices'],
  closed_position: ['traders'],
  community: [
    'audit',
    'billing',
    'bots',
    'exchanges',
    'invoices',
    'messages',
    'notes',
    'operations',
    'payouts',
    'people',
    'pools',
    'providers',
    'statements',
    'traders',
  ],
  community_subscription: ['communities'],
  community_provider: ['billing', 'exchanges', 'notes', 'operations', 'providers', 'traders'],
  equity_snapshot: ['communities', 'traders'],
  exchange_account: ['communities', 'invoices', 'operations', 'providers', 'traders'],
  incoming_transfer: ['bots', 'invoices'],
  // A bot is either the platform's or a community's.
  exchange_bot: ['communities', 'traders'],
  // An order beside another open one of its buyer is not marked as unpaid.
  exchange_bot_sale: ['invoices'],
  exchange_credential: ['traders'],
  credential_reveal: ['operations'],
  // A payout's shares are recomputed from what the chain brought before the payout is signed.
  deposit: ['invoices', 'payouts', 'traders'],
  payment: ['communities', 'payouts', 'traders'],
  invoice_payment: ['payouts', 'traders'],
  // The invoice of a member's fee says what it is on.
  harvest_allocation: ['invoices'],
  harvest_cycle: ['invoices', 'messages', 'payouts'],
  invoice: [
    'audit',
    'communities',
    'messages',
    'notes',
    'payouts',
    'providers',
    'statements',
    'timeline',
    'traders',
  ],
  invoicing_run: ['communities'],
  message: ['billing', 'invoices', 'pools', 'traders'],
  open_position: ['traders'],
  payable: ['communities', 'providers', 'settings', 'traders'],
  payout: ['audit', 'communities', 'invoices', 'notes', 'timeline'],
  payout_address_change: ['communities', 'invoices', 'messages', 'pools', 'settings', 'traders'],
  // A digest is written at an hour of the person's zone.
  person_settings: ['attention'],
  platform_recipient: ['operations', 'payouts'],
  pool_member: ['payouts', 'statements', 'transfers'],
  pooled_account: [
    'audit',
    'communities',
    'invoices',
    'messages',
    'notes',
    'operations',
    'payouts',
    'statements',
    'transfers',
  ],
  // Most views show the name, the share or the state of a provider.
  provider: [
    'attention',
    'audit',
    'communities',
    'exchanges',
    'invoices',
    'messages',
    'notes',
    'operations',
    'overview',
    'payouts',
    'people',
    'pools',
    'traders',
  ],
  trader: [
    'audit',
    'billing',
    'bulk',
    'communities',
    'deposits',
    'exchanges',
    'notes',
    'operations',
    'payouts',
    'pools',
    'providers',
    'statements',
    'transfers',
  ],
  transfer: ['invoices', 'payouts', 'pools'],
  transfer_attempt: ['invoices', 'payouts', 'pools'],
  transfer_heartbeat: ['operations', 'payouts'],
  vip_tier: ['communities', 'traders'],
};

/** Monitoring counts rows of every feature. */
const COUNTS_ALL = `${FEATURES}operations/figures/`;

const READ = /\b(?:FROM|JOIN)\s+(?:ONLY\s+)?"?([a-z_]+)\b/g;

/**
 * The tables that a feature reads without being listed.
 * @param ownersOf folders that write a table; undefined when there is no such table
 */
export function findUnlistedReads(
  path: string,
  source: string,
  ownersOf: (table: string) => readonly string[] | undefined,
): string[] {
  if (!path.startsWith(FEATURES) || path.startsWith(COUNTS_ALL) || /\.test\.ts$/.test(path)) return [];
  const feature = path.slice(FEATURES.length).split('/', 1)[0] as string;
  const isForeign = (table: string) => {
    // Tables of no feature belong to core, platform or triggers: everyone reads them.
    const owners = (ownersOf(table) ?? []).flatMap((owner) => /^features\/([^/]+)/.exec(owner)?.[1] ?? []);
    return owners.length > 0 && !owners.includes(feature) && !READERS[table]?.includes(feature);
  };
  return [...new Set([...source.matchAll(READ)].map(([, table]) => table as string).filter(isForeign))];
}
