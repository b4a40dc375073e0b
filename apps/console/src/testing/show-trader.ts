import { type CallAnswer, contract } from '@copydesk/contract';
import type { OpenPosition, TraderExchange } from '@copydesk/contract/exchanges';
import { page } from 'vitest/browser';
import { type Answers, never } from './serve-calls.ts';
import { idOf, type Shown, showScreen } from './show-screen.tsx';

type Trader = CallAnswer<'GET /api/traders/{id}'>['data'];
type Positions = CallAnswer<'GET /api/exchanges/{exchange}/{id}/positions'>;
type Balances = CallAnswer<'GET /api/exchanges/trader/{id}/balances'>['data'];

export const POSITIONS = 'GET /api/exchanges/{exchange}/{id}/positions';
export const BALANCES = 'GET /api/exchanges/trader/{id}/balances';
export const AT = '2026-01-02T10:00:00.000Z';
export const TIMED_OUT = {
  code: 'timeout',
  message: 'The exchange did not answer in time.',
  retryable: true,
  retry_after_ms: null,
} as const;

function accountOf(n: number, changes: Partial<TraderExchange> = {}): TraderExchange {
  return {
    acc_uid: `uid-${n}`,
    exchange: 'bybit',
    provider_id: idOf(900 + n),
    provider_name: `Provider ${n}`,
    equity: '1000',
    equity_read_at: AT,
    account_type: 'subaccount',
    may_withdraw: false,
    read_error: null,
    reveal_super_only: false,
    last_reveal: null,
    api_key: '••••',
    secret_key: '••••',
    ...changes,
  };
}

export const BYBIT = accountOf(1);
export const KUCOIN = accountOf(2, { exchange: 'kucoin', passphrase: '••••' });

export const positionOf = (
  { exchange, acc_uid, provider_name }: TraderExchange,
  changes: Partial<OpenPosition> = {},
): OpenPosition => ({
  symbol: 'BTCUSDT',
  side: 'long',
  entryPrice: '60000',
  markPrice: '61500',
  leverage: '10',
  contracts: '0.5',
  unrealizedPnl: '750',
  exchange,
  provider_name,
  acc_uid,
  read_at: AT,
  ...changes,
});

/** Open positions as one exchange account answers them, or that it did not. */
export const positions = (data: OpenPosition[] | 'failed'): Positions =>
  data === 'failed'
    ? { success: true, data: [], meta: { read_at: null, error: TIMED_OUT } }
    : { success: true, data, meta: { read_at: AT, error: null } };

export const balances = (accounts: readonly TraderExchange[], changes: Partial<Balances[string]> = {}) =>
  ({
    success: true,
    data: Object.fromEntries(
      accounts.map(({ acc_uid, exchange, provider_id, provider_name }, index) => [
        acc_uid,
        {
          ...{ acc_uid, exchange, provider_id, provider_name },
          balance: String(1_234.5 + index),
          read_at: AT,
          error: null,
          ...changes,
        },
      ]),
    ),
  }) satisfies CallAnswer<typeof BALANCES>;

export const traderOf = (changes: Partial<Trader>): Trader => ({
  id: idOf(1),
  status: 'connected',
  name: 'Ada',
  email: null,
  telegram_username: 'ada',
  telegram_user_id: null,
  language: 'en',
  selected_provider_id: null,
  reference_number: 'KAIT-1',
  community_id: idOf(2),
  external_wallet_address: null,
  last_updated_by: null,
  suggested_delinquent_at: null,
  created_at: AT,
  updated_at: AT,
  version: '0123456789abcdef',
  aum: 2000,
  aum_read_at: AT,
  aum_is_part: false,
  aum_pool_capital: '0',
  aum_unread_accounts: 0,
  below_minimum_balance: null,
  exchanges: [BYBIT],
  active_positions: [],
  referrals: { count: 0, total_aum: '0' },
  referral_code: 'ADA',
  invoices: { total_count: 0, recent_invoices: [] },
  ...changes,
});

/** What the screen asks for beside accounts and positions stays on its way. */
const AROUND = Object.fromEntries(
  Object.keys(contract)
    .filter((key) => /^GET \/api\/(traders\/\{id\}|exchanges|pool|platform-settings)/.test(key))
    .map((key) => [key, never]),
) as Answers;

/** The screen of a trader with these accounts, as a super admin sees it. */
export function showTrader(
  changes: Partial<Trader> = {},
  { answers = {}, ...shown }: Shown = {},
  search = '',
) {
  const trader = traderOf(changes);
  return showScreen(`/trader/${trader.id}${search}`, {
    ...shown,
    answers: {
      ...AROUND,
      'GET /api/traders/{id}': { success: true, data: trader },
      [BALANCES]: balances(trader.exchanges ?? []),
      [POSITIONS]: positions([]),
      ...answers,
    },
  });
}

const part = (name: string) => page.getByRole('region', { name });
export const trader = {
  positions: part('Active Positions'),
  keys: part('Exchange Keys'),
  dialog: page.getByRole('dialog'),
  /** The card of an exchange account. */
  card: ({ acc_uid }: TraderExchange) =>
    page.getByRole('list', { name: 'Exchange accounts' }).getByRole('listitem', { name: acc_uid }),
};
