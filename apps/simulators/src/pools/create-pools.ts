import type { PoolChain } from './pool-chain.ts';
import {
  addDeposit,
  COIN_RULES,
  creditDeposit,
  cutToAccuracy,
  logChange,
  type MoveRefusal,
  madeUpHash,
  moveToUnified,
  ownUnits,
  refundWithdrawal,
  takeWithdrawal,
  type WithdrawalRefusal,
} from './pool-money.ts';
import { meetArrival, release } from './pool-records.ts';
import type { PoolDeposit, PoolState, PoolTransfer, PoolWithdrawal } from './pool-state.ts';
import { catchUp, startTrading, stopTrading } from './pool-trading.ts';
import type { RecordFaults } from './record-faults.ts';
import { settleChain } from './settle-chain.ts';
import { loadState, saveState } from './state-file.ts';

export interface PoolsOptions {
  /** The accounts at the first start; a saved state replaces those that it has. */
  accounts: readonly PoolState[];
  faults: RecordFaults;
  /** ms since 1970 */
  now?: () => number;
  /** Null: records are injected, and withdrawals are done at once. */
  chain?: PoolChain | null;
  /** Keeps the accounts between starts; null: they are discarded. */
  stateFile?: string | null;
  lookEveryMs?: number;
}

export interface SimulatedPools {
  list(): PoolState[];
  /** Address of the token that the venue takes. */
  token: string;
  get(uid: string): PoolState;
  findByApiKey(apiKey: string): PoolState | null;
  /** Changes an account by hand, as a test does, and saves it. */
  change<T>(uid: string, act: (pool: PoolState) => T): T;
  /** A deposit without a chain: listed at once, and credited unless a fault holds it. */
  deposit(uid: string, units: bigint, txId?: string): PoolDeposit;
  /** The owner withdraws on the venue's website. `all` leaves only digits beyond the venue's accuracy. */
  withdraw(
    uid: string,
    toAddress: string,
    units: bigint | 'all',
  ): { withdrawal: PoolWithdrawal } | { refusal: WithdrawalRefusal };
  /** A result of trading, with its line in the venue's log. */
  earn(uid: string, units: bigint): void;
  /** A change of the unified wallet under a type of the venue's log that is not trading, as LOANS_BORROW_FUNDS. */
  book(uid: string, type: string, units: bigint): void;
  /** Moves money from the funding to the unified wallet, once for an id. */
  move(uid: string, move: { transferId: string; units: bigint }): PoolTransfer | MoveRefusal;
  /** Held deposits are credited, held withdrawals go on. */
  release(uid: string): void;
  startTrading(uid: string, everyMs: number, openMs?: number): void;
  stopTrading(uid: string): void;
  /** Looks at the chain once: credits deposits and sends withdrawals. */
  look(): Promise<void>;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 500;
/** USDT on BNB Smart Chain. */
const TOKEN = '0x55d398326f99059ff775485246999027b3197955';

/** The pools' accounts at the simulated Bybit. */
export function createPools(options: PoolsOptions): SimulatedPools {
  const { faults, now = Date.now, chain = null, stateFile = null, lookEveryMs = LOOK_EVERY_MS } = options;
  const saved = loadState(stateFile);
  const known = new Map((saved?.pools ?? []).map((pool) => [pool.uid, pool]));
  for (const pool of options.accounts) if (!known.has(pool.uid)) known.set(pool.uid, pool);
  const pools = [...known.values()];
  const state = { pools, lastBlock: saved?.lastBlock ?? null };
  const save = () => saveState(stateFile, state);
  let queue = Promise.resolve();

  function get(uid: string): PoolState {
    const pool = known.get(uid);
    if (!pool) throw new Error(`no pool ${uid}`);
    catchUp(pool, now());
    return pool;
  }

  function change<T>(uid: string, act: (pool: PoolState) => T): T {
    const result = act(get(uid));
    save();
    return result;
  }

  /** Without a chain, a withdrawal that no fault holds is done. */
  function finish(withdrawal: PoolWithdrawal): void {
    if (chain || withdrawal.isHeld || withdrawal.status !== 'Pending') return;
    withdrawal.status = 'success';
    withdrawal.txId = madeUpHash(`withdrawal ${withdrawal.id}`);
  }

  function look(): Promise<void> {
    queue = queue.then(() => (chain ? settleChain(state, { chain, faults, now, save }) : undefined));
    const looked = queue;
    queue = queue.catch(() => {});
    return looked;
  }

  const timer = chain
    ? setInterval(() => look().catch((error: Error) => process.emitWarning(error)), lookEveryMs)
    : undefined;
  timer?.unref();

  return {
    token: chain?.token ?? TOKEN,
    list: () => pools.map(({ uid }) => get(uid)),
    get,
    findByApiKey: (apiKey) => {
      const found = pools.find((pool) => pool.apiKey === apiKey);
      return found ? get(found.uid) : null;
    },
    change,
    deposit: (uid, units, txId) =>
      change(uid, (pool) => {
        const key = `injected ${pool.deposits.length}`;
        const arrived = {
          key,
          units,
          at: now(),
          txId: txId ?? madeUpHash(`${uid} ${key}`),
          fromAddress: '',
          block: null,
        };
        const deposit = addDeposit(pool, arrived);
        meetArrival(pool, deposit, faults, now());
        if (deposit.status === 1) {
          deposit.confirmations = COIN_RULES.confirmations;
          creditDeposit(pool, deposit, now());
        }
        return deposit;
      }),
    withdraw: (uid, toAddress, units) =>
      change(uid, (pool) => {
        const at = now();
        const wanted = units === 'all' ? cutToAccuracy(ownUnits(pool) - COIN_RULES.withdrawFee) : units;
        const withdrawal = takeWithdrawal(pool, { toAddress, units: wanted, at });
        if (typeof withdrawal === 'string') return { refusal: withdrawal };
        if (faults.meetRecord('withdrawal_rejected', uid))
          refundWithdrawal(pool, withdrawal, { status: 'Reject', at });
        else if (faults.meetRecord('withdrawal_pending', uid)) withdrawal.isHeld = true;
        else if (faults.meetRecord('withdrawal_questioned', uid)) {
          withdrawal.isHeld = true;
          withdrawal.status = 'MoreInformationRequired';
        }
        finish(withdrawal);
        return { withdrawal };
      }),
    earn: (uid, units) =>
      change(uid, (pool) => logChange(pool, { type: 'TRADE', cashFlow: units, at: now() })),
    book: (uid, type, units) => change(uid, (pool) => logChange(pool, { type, cashFlow: units, at: now() })),
    move: (uid, move) =>
      change(uid, (pool) =>
        moveToUnified(pool, {
          ...move,
          at: now(),
          isFailing: faults.meetRecord('transfer_failed', uid) !== null,
        }),
      ),
    release: (uid) =>
      change(uid, (pool) => {
        release(pool, now());
        for (const withdrawal of pool.withdrawals) finish(withdrawal);
      }),
    startTrading: (uid, everyMs, openMs) =>
      change(uid, (pool) => startTrading(pool, { everyMs, ...(openMs !== undefined && { openMs }) }, now())),
    stopTrading: (uid) => change(uid, (pool) => stopTrading(pool, now())),
    look,
    async close() {
      clearInterval(timer);
      await queue;
      save();
    },
  };
}
