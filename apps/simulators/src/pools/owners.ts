import type { Address } from 'viem';
import type { Outbox } from '../telegram/index.ts';
import type { SimulatedPools } from './create-pools.ts';
import { type OwnerHabit, type PlannedReturn, planReturns } from './owner-habits.ts';
import { COIN_RULES, cutToAccuracy, ownUnits } from './pool-money.ts';
import type { TradingPace } from './pool-trading.ts';

export interface Owner {
  /** Of the account at the venue. */
  uid: string;
  chatId: string;
  habit: OwnerHabit;
  /** Trades the account without a bot; undefined: a bot does. */
  tradesByHand?: TradingPace;
}

export interface OwnersOptions {
  owners: readonly Owner[];
  pools: SimulatedPools;
  /** Sends tokens that are not at the venue; null: without a chain nothing comes from outside. */
  sendFromOutside: ((to: Address, units: bigint) => Promise<unknown>) | null;
  /** Messages to the owners; null: they are only asked by `ask`. */
  outbox: Pick<Outbox, 'list'> | null;
  /** 1 keeps the delays of the habits, 0.1 divides them by ten. */
  pace?: number;
}

export interface RunningOwners {
  /** A harvest began: the owner of an account is asked to withdraw everything to this address. */
  ask(uid: string, to: Address): void;
  stop(): void;
}

const LOOK_EVERY_MS = 1_000;
const ADDRESS = /0x[0-9a-fA-F]{40}/;
const ELSEWHERE: Address = '0x000000000000000000000000000000000000dEaD';

/**
 * Owners who withdraw at the venue by hand after a Telegram message with an address. While they act on one
 * message, another one changes nothing, and an owner who left something there leaves it after a reminder as
 * well. They do not withdraw while a bot trades their pool; those who trade by hand stop for the harvest, and
 * trade again once money has come back.
 */
export function startOwners({
  owners,
  pools,
  sendFromOutside,
  outbox,
  pace = 1,
}: OwnersOptions): RunningOwners {
  const byUid = new Map(owners.map((owner) => [owner.uid, owner]));
  /** Deposits at which an owner was last asked: another number is another harvest. */
  const askedAt = new Map<string, number>();
  /** Accounts whose owners have stopped trading by hand, with the deposits at that moment. */
  const pausedAt = new Map<string, number>();
  const timers = new Map<NodeJS.Timeout, string>();
  let lastId = 0;

  async function carryOut(uid: string, to: Address, plan: PlannedReturn): Promise<void> {
    // The harvest was called off.
    if (pools.get(uid).trading) return;
    const target = plan.isRightAddress ? to : ELSEWHERE;
    if (!plan.isFromAccount) {
      if (plan.units !== 'rest') await sendFromOutside?.(target, plan.units);
      return;
    }
    const outcome = pools.withdraw(uid, target, plan.units === 'rest' ? 'all' : cutToAccuracy(plan.units));
    if ('refusal' in outcome) process.emitWarning(`the owner of ${uid} cannot withdraw: ${outcome.refusal}`);
  }

  function ask(uid: string, to: Address): void {
    const owner = byUid.get(uid);
    if (!owner || [...timers.values()].includes(uid)) return;
    if (owner.tradesByHand && pools.get(uid).trading) {
      pools.stopTrading(uid);
      pausedAt.set(uid, pools.get(uid).deposits.length);
    }
    const pool = pools.get(uid);
    const units = ownUnits(pool);
    const isWorthIt = units >= COIN_RULES.withdrawMin + COIN_RULES.withdrawFee;
    const isReminder = askedAt.get(uid) === pool.deposits.length && owner.habit === 'too_little';
    if (isReminder || pool.trading || !isWorthIt) return;
    askedAt.set(uid, pool.deposits.length);
    for (const plan of planReturns(owner.habit, units)) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        carryOut(uid, to, plan).catch((error: Error) => process.emitWarning(error));
      }, plan.afterMs * pace);
      timers.set(timer, uid);
    }
  }

  /** Money has come back to an account that is traded by hand, and was moved to where it trades. */
  function tradeOn(): void {
    for (const [uid, deposits] of pausedAt) {
      const pool = pools.get(uid);
      const pace = byUid.get(uid)?.tradesByHand;
      const isBack = pool.deposits.length > deposits && pool.unified > COIN_RULES.withdrawMin;
      if (!isBack || !pace) continue;
      pausedAt.delete(uid);
      pools.startTrading(uid, pace.everyMs, pace.openMs);
    }
  }

  function look(): void {
    tradeOn();
    for (const message of outbox?.list() ?? []) {
      if (message.message_id <= lastId) continue;
      lastId = message.message_id;
      const owner = owners.find(({ chatId }) => chatId === message.chat_id);
      const address = ADDRESS.exec(message.text)?.[0] as Address | undefined;
      if (owner && address) ask(owner.uid, address);
    }
  }

  const interval = outbox ? setInterval(look, LOOK_EVERY_MS) : undefined;
  return {
    ask,
    stop() {
      clearInterval(interval);
      for (const timer of timers.keys()) clearTimeout(timer);
    },
  };
}
