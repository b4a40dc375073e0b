import type { CallAnswer } from '@copydesk/contract';
import type { HarvestStatus } from '@copydesk/domain/catalogue';
import { sumDecimals } from '@copydesk/domain/money';
import { globalHarvestOf, type HarvestStep, LASTING_STEPS, MOVING_STEPS } from '@copydesk/domain/pools';

export type Pool = CallAnswer<'GET /api/pooled-accounts'>['pooled_accounts'][number];
type Global = CallAnswer<'GET /api/pooled-accounts/global/harvest/status'>['data'];

const STEPS: Record<HarvestStatus, HarvestStep> = {
  harvesting: 'open',
  stopped: 'trading',
  starting_harvesting: 'checking',
  stopping_harvesting: 'sending',
  awaiting_bybit_withdrawal: 'withdrawing',
  processing_invoices: 'valuing',
  failed: 'crediting',
};
const poolId = (index: number) => `00000000-0000-4000-8000-${String(10 + index).padStart(12, '0')}`;

/** A pool in a given state, as the API shows it to super admins. */
export function somePool(index: number, status: HarvestStatus, changes: Partial<Pool> = {}): Pool {
  return {
    id: poolId(index),
    version: '0123456789abcdef',
    is_active: true,
    awaits_approval: false,
    created_at: '2026-01-05T10:00:00.000Z',
    community: { id: poolId(index + 40), name: `Pool Community ${index}`, is_archived: false },
    current_harvest_cycle: {
      id: poolId(index + 60),
      cycle_number: index + 2,
      status,
      step: STEPS[status],
      version: 3,
      since: '2026-01-20T09:30:00.000Z',
      deadline_at: status === 'stopped' || status === 'harvesting' ? null : '2026-01-23T09:30:00.000Z',
      step_since: '2026-01-20T09:30:00.000Z',
      is_resume_awaited: false,
      reason: null,
    },
    minimum_deposit: '100',
    fee_basis: 'net_carry',
    has_bot: true,
    max_drawdown_percentage: '20',
    trader_count: 12 + index,
    total_pool_balance: `${120_000 * (index + 1)}.75`,
    total_virtual_balance: `${120_000 * (index + 1)}.75`,
    pending_deposits: '250.5',
    proxy_balance: status === 'harvesting' ? `${120_000 * (index + 1)}.75` : '12.5',
    bybit_balance: status === 'harvesting' ? '0.25' : `${119_988 * (index + 1)}.999999`,
    bybit_problem: null,
    bybit_read: { balance: `${121_500 * (index + 1)}.4`, read_at: '2026-01-22T14:02:05.000Z' },
    ...changes,
  };
}

/** The status and the sums of pools, as the server would find them. */
export function globalOf(pools: readonly Pool[]): Global {
  const sumOf = (name: 'proxy_balance' | 'bybit_balance' | 'total_virtual_balance') =>
    sumDecimals(pools.map((pool) => pool[name] ?? '0'));
  return {
    ...globalHarvestOf(pools.map(({ current_harvest_cycle: { status } }) => status)),
    active_pools: pools.length,
    total_traders: pools.reduce((sum, { trader_count }) => sum + trader_count, 0),
    total_proxy_balance: sumOf('proxy_balance'),
    total_bybit_balance: sumOf('bybit_balance'),
    total_virtual_balance: sumOf('total_virtual_balance'),
    last_run: null,
  };
}

/** Deposits of pools on their way. */
export const pendingOf = (
  pools: readonly Pool[],
): CallAnswer<'GET /api/admin/bsc-pending-deposits'>['data'] => ({
  totalPendingUSDT: sumDecimals(pools.map(({ pending_deposits }) => pending_deposits)),
  poolsWithPending: pools.length,
  poolBreakdown: pools.map(({ id, community, current_harvest_cycle, pending_deposits }) => ({
    poolId: id,
    communityName: community.name,
    harvestStatus: current_harvest_cycle.status,
    pendingUSDT: pending_deposits,
  })),
});

const IN_ORDER: readonly HarvestStep[] = [
  ...MOVING_STEPS.starting_harvesting,
  ...MOVING_STEPS.awaiting_bybit_withdrawal,
  ...MOVING_STEPS.processing_invoices,
  ...LASTING_STEPS.harvesting,
  ...MOVING_STEPS.stopping_harvesting,
];

/** The steps of a harvest that stayed eight minutes in each before the present one. */
function someEntries({ step, step_since }: Pool['current_harvest_cycle']) {
  const present = IN_ORDER.indexOf(step);
  return IN_ORDER.slice(0, present + 1).map((entered, index) => ({
    at: new Date(Date.parse(step_since) - (present - index) * 8 * 60_000).toISOString(),
    step: entered,
  }));
}

/** What makes the books balance: with 0.75 of fees due. */
const restOf = ({ total_virtual_balance, proxy_balance, bybit_balance }: Pool) =>
  sumDecimals([total_virtual_balance, '0.75', `-${proxy_balance}`, `-${bybit_balance}`]);

type Progress = CallAnswer<'GET /api/pooled-accounts/{id}/harvest/progress'>['data'];

/** How far a cycle has come that waits for its owner. */
export const someProgress = (changes: Partial<Progress> = {}): Progress => ({
  awaited: 'owner',
  waits_because: 'above_dust',
  waits_detail: null,
  failure: null,
  has_bot: true,
  proxy_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  owner: {
    name: 'Olga',
    notified_at: '2026-01-22T13:02:05.000Z',
    message_state: 'sent',
    reminders: 1,
    reminder: null,
  },
  start_balance: '359964.999999',
  returned: '1000',
  evidence: {
    id: poolId(70),
    read_at: '2026-01-22T14:02:05.000Z',
    open_positions: 0,
    open_orders: 0,
    unstored_positions: 0,
    balance: '358964.999999',
    other_coins: '0',
    open_withdrawals: 1,
  },
  valuation: null,
  funding: null,
  deposit_address: {
    approved: '0x52908400098527886E0F7030069857D2E4169EE7',
    usable_from: '2026-01-01T10:00:00.000Z',
    read: null,
  },
  proposal: null,
  actions: [{ action: 'abort', refusal: 'funds_moved' }],
  events: [
    {
      id: poolId(71),
      at: '2026-01-22T13:02:05.000Z',
      event: 'checked',
      role: 'worker',
      actor: 'worker',
      from: 'starting_harvesting/checking',
      to: 'awaiting_bybit_withdrawal/withdrawing',
      version: 4,
      evidence: { balance: '359964.999999', open_positions: 0 },
    },
  ],
  ...changes,
});

type Arrivals = CallAnswer<'GET /api/pooled-accounts/{id}/arrivals'>;
type Arrival = Arrivals['data'][number];

/** An unexplained arrival of 499.5 USDT. */
export const someArrival = (index: number, changes: Partial<Arrival> = {}): Arrival => ({
  id: poolId(90 + index),
  state: 'unexplained',
  amount: '499.5',
  unexplained: '499.5',
  from_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  transaction_hash: `0xabcdef34${'0'.repeat(56)}`,
  cycle_number: 2,
  at: `2026-01-2${index}T12:00:00.000Z`,
  decisions: [],
  ...changes,
});

type Movement = CallAnswer<'GET /api/pooled-accounts/{id}/movements'>['data'][number];

/** A withdrawal to another address, as the exchange lists it. */
export const someMovement = (index: number, changes: Partial<Movement> = {}): Movement => ({
  id: `24755728729${index}`,
  kind: 'withdrawal',
  state: 'done',
  venue_status: 'success',
  amount: '499.5',
  fee: '0.3',
  to_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  transaction_hash: `0xfeed5678${'0'.repeat(56)}`,
  at: `2026-01-2${index}T11:00:00.000Z`,
  match: 'elsewhere',
  arrival: null,
  fits: null,
  decision: null,
  ...changes,
});

/** Arrivals as the API lists them. */
export const someArrivals = (arrivals: readonly Arrival[]) => ({
  data: arrivals,
  meta: {
    total: arrivals.length,
    unexplained: arrivals.filter(({ state }) => state === 'unexplained').length,
    resolvable: { is_return: '499.5', sent_back: '120', covers_shortfall: '0' },
  },
});

/** What the calls of a pool's page answer, by their paths below it. */
export function someAnswers(pool: Pool, { isSuper }: { isSuper: boolean }): Record<string, object> {
  return {
    '': { data: pool },
    '/harvest/status': {
      data: {
        as_of: '2026-01-22T14:05:00.000Z',
        current: pool.current_harvest_cycle,
        entered: isSuper ? someEntries(pool.current_harvest_cycle) : [],
        cycles: [
          {
            ...pool.current_harvest_cycle,
            id: poolId(80),
            cycle_number: 1,
            status: 'stopped',
            step: 'trading',
            started_at: '2026-01-05T10:00:00.000Z',
            ended_at: '2026-01-19T10:00:00.000Z',
          },
        ],
      },
    },
    '/results': {
      data: [
        ['-3.5', '1.158', '-3.5'],
        ['20', '1.2', '0'],
      ].map(([percentage, price, drawdown], index) => ({
        cycle_number: 3 - index,
        valued_at: `2026-01-1${8 - index}T10:00:00.000Z`,
        opening: isSuper ? '120000' : null,
        result: isSuper ? (index === 0 ? '-4200.5' : '24000') : null,
        return_percentage: percentage,
        unit_price: price,
        drawdown,
      })),
      meta: { events: [] },
    },
    '/stats': {
      data: {
        capital: pool.total_virtual_balance,
        pending: pool.pending_deposits,
        proxy: pool.proxy_balance,
        transit: isSuper ? restOf(pool) : '0',
        exchange: pool.bybit_balance,
        shortfall: '0',
        returned: '0',
        fees_due: '0.75',
        unexplained: '0',
        member_count: pool.trader_count,
        unbooked_result: '-1500.25',
        unbooked_gap: null,
        bybit_read: pool.bybit_read,
      },
    },
    '/harvest/progress': { data: someProgress() },
    '/requests?*': { data: [], meta: { total: 0 } },
    '/arrivals?*': someArrivals([]),
    '/movements?*': { data: [], meta: { total: 0 } },
    '/traders?*': {
      data: Array.from({ length: 8 }, (_, index) => ({
        id: poolId(index),
        trader: {
          id: poolId(index + 20),
          reference_number: index === 7 ? null : `KAIT-${1000 + index}`,
          telegram_username: index === 7 ? 'ada' : null,
        },
        virtual_balance: `${20_000 - index * 2000}.5`,
        pending_deposits: index === 2 ? '250.5' : '0',
        share_percentage: isSuper ? `${16.5 - index}` : null,
        carry: index === 3 ? '42.42' : '0',
        deposit_address: index === 6 ? null : '0x52908400098527886E0F7030069857D2E4169EE7',
        payout_address: index === 6 ? null : '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
        joined_at: '2026-01-06T10:00:00.000Z',
      })),
      meta: { total: 8, virtual_balance: '104004', pending_deposits: '250.5' },
    },
    '/transactions?*': {
      data: (['deposit', 'withdrawal', 'profit', 'loss', 'fee'] as const).map((kind, index) => ({
        id: `t${index}`,
        kind,
        status: (['completed', 'pending', 'completed', 'completed', 'returned'] as const)[index],
        amount: kind === 'withdrawal' ? null : `${1234.5 + index}`,
        cycle_number: kind === 'withdrawal' ? null : 2,
        trader: { id: poolId(index + 20), reference_number: `KAIT-${1000 + index}`, telegram_username: null },
        transaction_hash: kind === 'deposit' ? `0xabcdef12${'0'.repeat(56)}` : null,
        at: `2026-01-2${index}T12:00:00.000Z`,
        refusal: null,
        available: null,
      })),
      meta: { total: 5 },
    },
  };
}
