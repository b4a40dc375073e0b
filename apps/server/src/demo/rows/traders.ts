import { createTraits, credentialsOf, type DemoAccount, type DemoTrader } from '@copydesk/simulators/world';
import type { Cell } from '../copy-rows.ts';

export const TRADER_COLUMNS = [
  'id',
  'community_id',
  'selected_provider_id',
  'status',
  'reference_number',
  'name',
  'email',
  'telegram_username',
  'telegram_user_id',
  'telegram_set_at',
  'language',
  'external_wallet_address',
  'referral_code',
  'referred_by_trader_id',
  'source',
  'deposit_address',
  'last_updated_by',
  'books_opened_at',
  'aum',
  'aum_read_at',
  'account_count',
  'created_at',
  'updated_at',
];

/** @param depositAddress the address of an index; null keeps the made-up one */
export function* traderRows(
  traders: Iterable<DemoTrader>,
  readAt: Date,
  depositAddress: (index: number) => string | null,
): Generator<Cell[]> {
  for (const t of traders)
    yield [
      t.id,
      t.community.id,
      t.providerId,
      t.status,
      t.referenceNumber,
      t.name,
      t.email,
      t.telegram,
      t.telegramUserId,
      // Traders gave their Telegram id when they joined, so most of them can confirm a new address.
      t.createdAt,
      t.language,
      t.payoutAddress,
      t.referralCode,
      t.referrerId,
      t.source,
      depositAddress(t.index) ?? t.depositAddress,
      'import',
      // Its payments are imported: the worker compares them with the chain.
      null,
      aumOf(t),
      aumOf(t) === null ? null : readAt,
      t.accounts.length,
      t.createdAt,
      t.createdAt,
    ];
}

/** The sum that triggers would compute from the accounts; null when none was ever read. */
function aumOf({ accounts }: DemoTrader): string | null {
  const read = accounts.flatMap(({ equity }) => (equity === null ? [] : [BigInt(equity.replace('.', ''))]));
  if (read.length === 0) return null;
  const cents = read
    .reduce((sum, equity) => sum + equity, 0n)
    .toString()
    .padStart(3, '0');
  return `${cents.slice(0, -2)}.${cents.slice(-2)}`;
}

export const ACCOUNT_COLUMNS = [
  'id',
  'trader_id',
  'provider_id',
  'exchange',
  'acc_uid',
  'account_type',
  'master_address',
  'agent_address',
  'may_withdraw',
  'equity',
  'equity_read_at',
  'created_at',
  'connected_at',
];

/** @param hasCredentials whether agents are needed as well: each costs half a millisecond */
export function* accountRows(
  traders: Iterable<DemoTrader>,
  readAt: Date,
  hasCredentials: boolean,
): Generator<Cell[]> {
  for (const t of traders)
    for (const a of t.accounts)
      yield [
        a.id,
        t.id,
        a.providerId,
        a.exchange,
        a.accUid,
        a.accountType,
        a.masterAddress,
        hasCredentials ? agentOf(a) : null,
        createTraits(a).mayWithdraw,
        a.equity,
        a.equity === null ? null : readAt,
        t.createdAt,
        t.createdAt,
      ];
}

export const HOLDER_COLUMNS = ['exchange', 'acc_uid', 'held_from', 'account_id'];

/** Which account held each uid of an exchange: the only one so far. */
export function* holderRows(traders: Iterable<DemoTrader>): Generator<Cell[]> {
  for (const t of traders) for (const a of t.accounts) yield [a.exchange, a.accUid, t.createdAt, a.id];
}

function agentOf(account: DemoAccount): string | null {
  if (account.exchange !== 'hyperliquid') return null;
  const credentials = credentialsOf(account);
  return credentials.exchange === 'hyperliquid' ? credentials.agentAddress.toLowerCase() : null;
}
