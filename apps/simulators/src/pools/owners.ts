import type { Address } from 'viem';
import type { Outbox } from '../telegram/index.ts';
import type { SimulatedPools } from './create-pools.ts';
import { type OwnerHabit, type PlannedReturn, planReturns } from './owner-habits.ts';
import { COIN_RULES, cutToAccuracy, ownUnits } from './pool-money.ts';

export interface Owner {
  /** Of the account at the venue. */
  uid: string;
  chatId: string;
  habit: OwnerHabit;
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
 * Owners who withdraw at the venue by hand after a Telegram message with an address. They act once for a harvest, so a
 * reminder changes nothing, and they do not withdraw while their pool trades.
 */
export function startOwners({
  owners,
  pools,
  sendFromOutside,
  outbox,
  pace = 1,
}: OwnersOptions): RunningOwners {
  const byUid = new Map(owners.map((owner) => [owner.uid, owner]));
  /** Accounts with a plan that is not carried out to its end. */
  const busy = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  let lastId = 0;

  async function carryOut(uid: string, to: Address, plan: PlannedReturn): Promise<void> {
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
    const pool = pools.get(uid);
    const units = ownUnits(pool);
    const isWorthIt = units >= COIN_RULES.withdrawMin + COIN_RULES.withdrawFee;
    if (!owner || busy.has(uid) || pool.trading || !isWorthIt) return;
    const plans = planReturns(owner.habit, units);
    if (plans.length > 0) busy.add(uid);
    for (const [nth, plan] of plans.entries()) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        if (nth === plans.length - 1) busy.delete(uid);
        carryOut(uid, to, plan).catch((error: Error) => process.emitWarning(error));
      }, plan.afterMs * pace);
      timers.add(timer);
    }
  }

  function look(): void {
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
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
