import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolWorld } from '../../../tests/support/world/pool-world.ts';
import { usdt } from '../../../tests/support/world/usdt.ts';

export type DrivenPool = Awaited<ReturnType<PoolWorld['addOpenPool']>>;

const LOOK_EVERY_MS = 150;
/** A cycle that does not get on within this time is stuck. */
const PATIENCE_MS = 180_000;

/** All tokens are minted by one account, which numbers its transactions. */
let lastPayment: Promise<unknown> = Promise.resolve();
function oneAtATime(pay: () => Promise<unknown>): Promise<unknown> {
  lastPayment = lastPayment.then(pay);
  return lastPayment;
}

/** Tokens of the super admins who act. They expire during a long run. */
export interface People {
  one: string;
  other: string;
}

/** What happens in a cycle, the same for every pool that plays it. */
function planOf(script: number, cycle: number) {
  const gains = [120, -80, 55, 0, -31, 260];
  return {
    gain: (gains[(cycle + script) % gains.length] ?? 0) * (script + 1),
    isInParts: (cycle + script) % 3 === 1,
    withdrawer: cycle % 3,
    withdrawal: cycle % 4 === 3 ? 'all' : `${20 + cycle}.${script + 1}`,
    depositor: (cycle + 1) % 3,
    deposit: 40 + 7 * cycle + script,
  };
}

/**
 * Plays what the people around a pool do, cycle by cycle, while workers move it: members pay in and withdraw, the bot
 * trades, super admins start, stop and retry, the owner withdraws from the exchange.
 */
export class PoolDriver {
  cycles = 0;
  private deposits = 0;

  private readonly world: PoolWorld;
  readonly pool: DrivenPool;
  private readonly script: number;
  private readonly people: People;

  constructor(world: PoolWorld, pool: DrivenPool, { script, people }: { script: number; people: People }) {
    this.world = world;
    this.pool = pool;
    this.script = script;
    this.people = people;
  }

  /** The first deposits of the members. */
  async fill(): Promise<void> {
    for (const [nth, amount] of [600, 300, 100].entries()) await this.pay(nth, amount * (this.script + 1));
    await this.untilQuiet();
  }

  /** One cycle, from an open pool to an open pool. */
  async play(): Promise<void> {
    const { world, pool, script } = this;
    const { uid, proxy, members, poolId } = pool;
    const plan = planOf(script, this.cycles);
    await this.actUntil('stop', 'stopped');
    if (plan.gain !== 0) world.earn(uid, usdt(plan.gain));
    await this.actUntil('start', 'awaiting_bybit_withdrawal');
    if (plan.isInParts) world.venue.pools.withdraw(uid, proxy, usdt(50));
    world.venue.pools.withdraw(uid, proxy, 'all');
    await this.untilStatus('harvesting');
    const body = { member_id: members[plan.withdrawer]?.id as string, amount: plan.withdrawal };
    await world.ask(
      'POST /api/pooled-accounts/{id}/withdrawals',
      { params: { id: poolId }, body },
      {},
      this.people.one,
    );
    await this.pay(plan.depositor, plan.deposit);
    await this.untilQuiet();
    this.cycles += 1;
  }

  private act(body: object, as = this.people.one) {
    return this.world.act(this.pool.poolId, body, as);
  }

  private look() {
    return this.world.pool(this.pool.poolId, this.people.one);
  }

  private async pay(nth: number, amount: number): Promise<void> {
    await oneAtATime(() => this.world.chain.pay(this.pool.members[nth]?.address as string, usdt(amount)));
    this.deposits += 1;
  }

  /** Repeats an act of a super admin until the pool gets there: some refusals are temporary. */
  private async actUntil(action: 'start' | 'stop', status: string): Promise<void> {
    await this.until(async () => (await this.act({ action })).status === 200);
    await this.untilStatus(status);
  }

  private untilStatus(wanted: string): Promise<void> {
    return this.until(async () => {
      const { current_harvest_cycle: cycle } = await this.look();
      if (cycle.status === 'failed') await this.act({ action: 'retry' });
      if (cycle.reason === 'approval_required') await this.approve();
      return cycle.status === wanted;
    });
  }

  /** A large result waits for another super admin, who accepts what is on screen. */
  private async approve(): Promise<void> {
    const params = { id: this.pool.poolId };
    const { body } = await this.world.ask(
      'GET /api/pooled-accounts/{id}/harvest/progress',
      { params },
      {},
      this.people.one,
    );
    const act = { action: 'approve', evidence_id: body.data.evidence?.id };
    await this.act(act, this.people.other);
  }

  /** Until every deposit is part of the pool, every withdrawal is paid and the fees have moved. */
  private untilQuiet(): Promise<void> {
    return this.until(async () => {
      const [left] = await this.world.owner<{ open: number; deposits: number }>(
        `SELECT (SELECT count(*) FROM pool_deposit d WHERE d.pooled_account_id = $1 AND d.state <> 'admitted')::int
           + (SELECT count(*) FROM pool_withdrawal w WHERE w.pooled_account_id = $1
             AND w.state IN ('queued', 'reserved', 'paying'))::int
           + (SELECT count(*) FROM invoice i JOIN harvest_cycle h ON h.id = i.harvest_cycle_id
             WHERE h.pooled_account_id = $1 AND i.status <> 'paid')::int AS open,
           (SELECT count(*) FROM pool_deposit d WHERE d.pooled_account_id = $1)::int AS deposits`,
        [this.pool.poolId],
      );
      return left?.open === 0 && left.deposits === this.deposits;
    });
  }

  /** Retries a page that does not load, as people do. */
  private async until(isDone: () => Promise<boolean>): Promise<void> {
    const begun = Date.now();
    let cause: unknown;
    const isDoneNow = () =>
      isDone().catch((error) => {
        cause = error;
        return false;
      });
    while (!(await isDoneNow())) {
      if (Date.now() - begun > PATIENCE_MS) {
        const { current_harvest_cycle: cycle } = await this.look();
        throw new Error(`the pool is stuck in ${cycle.status}/${cycle.step}: ${cycle.reason}`, { cause });
      }
      await sleep(LOOK_EVERY_MS);
    }
  }
}
