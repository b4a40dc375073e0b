import {
  type AccountKind,
  accountKey,
  applyJournal,
  type JournalDraft,
  type LedgerInvoice,
  type LedgerSource,
  ledgerAccount,
} from '@copydesk/domain/ledger';
import {
  type FailureReason,
  type FrozenShare,
  type HarvestState,
  type PoolDepositStatus,
  type PoolFeeBasis,
  TRADING,
  type WithdrawalAmount,
  type WithdrawalStatus,
} from '@copydesk/domain/pools';

// A pool with its books on one side and the outside world on the other: tokens on chain and money at the exchange.
// Amounts are base units, and small enough for roundings to matter.

/** The model's exchange: its withdrawal fee, and the balance that counts as empty. */
export const FEE_UNITS = 1n;
export const DUST_UNITS = 4n;

export interface MemberModel {
  id: string;
  carryUnits: bigint;
  /** Sums over all time. */
  inUnits: bigint;
  allocatedUnits: bigint;
  feeUnits: bigint;
  outUnits: bigint;
  /** Capital at the last opening, and withdrawn since. */
  openingUnits: bigint;
  withdrawnUnits: bigint;
}

export interface DepositModel {
  requestId: string;
  memberId: string;
  units: bigint;
  status: PoolDepositStatus;
}

export interface WithdrawalModel {
  requestId: string;
  memberId: string;
  amount: WithdrawalAmount;
  requestedAt: Date;
  status: WithdrawalStatus;
  reservedUnits: bigint;
}

export interface PoolModel {
  id: string;
  /** Sends unexplained money to the exchange as well, which makes shortfalls possible. */
  isCareless: boolean;
  basis: PoolFeeBasis;
  state: HarvestState;
  failure: FailureReason | null;
  cycle: number;
  isValued: boolean;
  members: MemberModel[];
  deposits: DepositModel[];
  withdrawals: WithdrawalModel[];
  shares: FrozenShare[];
  balances: Map<string, bigint>;
  sources: Set<string>;
  /** Journals of the valuation that are not posted yet, and what to do after the last. */
  bookings: JournalDraft[];
  afterBookings: (() => void) | null;
  isApproved: boolean;
  unchargedMembers: number;
  invoices: LedgerInvoice[];
  /** Decisions that unexplained money was a withdrawal. */
  decidedReturns: { units: bigint; source: LedgerSource; cycle: number }[];
  funding: { attempt: number; units: bigint; fate: 'credited' | 'bounced' | 'lost'; creditedUnits: bigint };
  lostInTransitUnits: bigint;
  startBalanceUnits: bigint;
  outside: {
    proxyUnits: bigint;
    depositUnits: Map<string, bigint>;
    exchangeUnits: bigint;
    openPositions: number;
  };
  counter: number;
  seen: Record<string, number>;
}

export function createPoolModel(
  id: string,
  memberCount: number,
  { isCareless, basis }: Pick<PoolModel, 'isCareless' | 'basis'>,
): PoolModel {
  return {
    id,
    isCareless,
    basis,
    state: TRADING,
    failure: null,
    cycle: 1,
    isValued: false,
    members: Array.from({ length: memberCount }, (_, index) => ({
      id: `${id}-m${index}`,
      carryUnits: 0n,
      inUnits: 0n,
      allocatedUnits: 0n,
      feeUnits: 0n,
      outUnits: 0n,
      openingUnits: 0n,
      withdrawnUnits: 0n,
    })),
    deposits: [],
    withdrawals: [],
    shares: [],
    balances: new Map(),
    sources: new Set(),
    bookings: [],
    afterBookings: null,
    isApproved: false,
    unchargedMembers: 0,
    invoices: [],
    decidedReturns: [],
    funding: { attempt: 0, units: 0n, fate: 'credited', creditedUnits: 0n },
    lostInTransitUnits: 0n,
    startBalanceUnits: 0n,
    outside: { proxyUnits: 0n, depositUnits: new Map(), exchangeUnits: 0n, openPositions: 0 },
    counter: 0,
    seen: {},
  };
}

/** Posts a journal. A second one of the same kind and source is a fault of the rules. */
export function post(pool: PoolModel, journal: JournalDraft): void {
  const key = `${journal.kind} ${journal.source.type} ${journal.source.id}`;
  if (pool.sources.has(key)) throw new Error(`posted twice: ${key}`);
  const isFlow = journal.kind === 'pool_deposit_admitted' || journal.kind === 'pool_withdrawal_paid';
  if (isFlow && pool.state.status !== 'harvesting')
    throw new Error(`${journal.kind} while ${pool.state.status}`);
  pool.balances = applyJournal(pool.balances, journal);
  pool.sources.add(key);
  note(pool, journal.kind);
}

export const note = (pool: PoolModel, what: string): void => {
  pool.seen[what] = (pool.seen[what] ?? 0) + 1;
};

/** A source of its own: an entry in the chain's log, or a request. */
export const newSource = (pool: PoolModel, type: string): LedgerSource => ({
  type,
  id: `${pool.id}-${++pool.counter}`,
});
export const cycleId = (pool: PoolModel) => `${pool.id}-c${pool.cycle}`;
export const ofCycle = (pool: PoolModel, part: string): LedgerSource => ({
  type: 'harvest_cycle',
  id: `${cycleId(pool)}:${part}`,
});

type PoolAccountKind = Extract<
  AccountKind,
  | 'pool_proxy'
  | 'pool_transit'
  | 'pool_exchange'
  | 'pool_shortfall'
  | 'pool_returned'
  | 'pool_fees_due'
  | 'pool_unexplained'
>;

export const balanceOf = (pool: PoolModel, kind: PoolAccountKind): bigint =>
  pool.balances.get(`${kind} ${pool.id} USDT`) ?? 0n;
export const capitalOf = (pool: PoolModel, memberId: string): bigint =>
  pool.balances.get(accountKey(ledgerAccount.poolCapital(memberId))) ?? 0n;
export const totalCapital = (pool: PoolModel): bigint =>
  pool.members.reduce((sum, { id }) => sum + capitalOf(pool, id), 0n);
export const reservedOf = (pool: PoolModel, memberId: string): bigint =>
  pool.withdrawals.reduce((sum, one) => (one.memberId === memberId ? sum + one.reservedUnits : sum), 0n);
/** @throws Error for a member of another pool */
export function memberOf(pool: PoolModel, memberId: string): MemberModel {
  const member = pool.members.find(({ id }) => id === memberId);
  if (!member) throw new Error(`no member ${memberId}`);
  return member;
}
