import type { BillingWorld } from './billing-world.ts';

const CUSTOMERS = 12;
const WORKERS = 3;
/** Of all events: delivered days after everything else. */
const LATE = 0.2;
const DOUBLED = 0.3;
const ACTS = [
  'cancel',
  'resume',
  'switch_month',
  'switch_year',
  'card_declines',
  'card_works',
  'refund',
  'dispute',
  'win_dispute',
];

type Row = Record<string, unknown>;
export interface BillingStorm {
  /** The answers to everything that was sent. */
  statuses: number[];
  late: number;
  /** What is stored after the comparison, and after the late events. */
  mended: Row[];
  stored: Row[];
  /** What is stored of each subscription, beside what the payment service has. */
  pairs: { stored: Row | undefined; said: Row }[];
  tookMs: number;
}

/**
 * Much happens to twelve subscriptions. Events arrive in any order, some of them twice, while workers handle them and more
 * happens; a fifth arrives days later, after the comparison has mended what was missing.
 */
export async function playBillingStorm(
  world: BillingWorld,
  { count, seed }: { count: number; seed: number },
): Promise<BillingStorm> {
  const { webhooks, account } = world.billing;
  const random = mulberry(seed);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
  const customers: { id: string; customer: string }[] = [];
  for (let n = 0; n < CUSTOMERS; n += 1) customers.push(await world.subscribe(n % 3 ? 'monthly' : 'yearly'));
  const statuses: number[] = [];
  const late: ReturnType<typeof webhooks.waiting>[number][] = [];
  const began = performance.now();
  while (statuses.length < count) {
    webhooks.hold();
    for (let n = 0; n < 200 && webhooks.waiting().length < 100; n += 1)
      await world.billing.act(pick(ACTS), { customer: pick(customers).customer });
    const [before, delayed] = parted(webhooks.waiting(), () => random() >= LATE);
    late.push(...delayed);
    const doubled = [...before, ...before.filter(() => random() < DOUBLED)];
    // A part of them is handled while the rest arrives, and more happens meanwhile.
    const arriving = webhooks.release(() => shuffled(doubled, random));
    await Promise.all([
      arriving,
      ...Array.from({ length: WORKERS }, async () => {
        for (let n = 0; n < 5; n += 1) await world.takeTurn();
      }),
    ]);
    statuses.push(...(await arriving));
  }
  await world.work();
  const ids = customers.map(({ id }) => id);
  for (const days of [1, 2]) {
    await world.advance(days);
    await world.compare();
  }
  const mended = await readStored(world, ids);
  webhooks.hold();
  for (const event of shuffled([...late, ...late.filter(() => random() < DOUBLED)], random))
    statuses.push(await webhooks.send(event));
  webhooks.lose();
  await world.work();
  const stored = await readStored(world, ids);
  const pairs = customers.map(({ id, customer }) => {
    const [said] = Object.values(account.state.subscriptions).filter((one) => one.customer === customer);
    const row = stored.find(({ community_id }) => community_id === id);
    return {
      stored: row && {
        status: row.status,
        interval: row.interval,
        current_period_end: row.current_period_end,
        cancel_at_period_end: row.cancel_at_period_end,
      },
      said: {
        status: said?.status,
        interval: said?.price.includes('year') ? 'yearly' : 'monthly',
        current_period_end: new Date((said?.periodEnd ?? 0) * 1_000),
        cancel_at_period_end: said?.cancelAtPeriodEnd,
      },
    };
  });
  return { statuses, late: late.length, mended, stored, pairs, tookMs: performance.now() - began };
}

const readStored = (world: BillingWorld, communityIds: readonly string[]) =>
  world.owner(
    `SELECT community_id, status, "interval", current_period_end, trial_end, cancel_at_period_end, unpaid_since,
       ended_at, payment_notice, has_duplicate
     FROM community_subscription WHERE community_id = ANY ($1) ORDER BY community_id`,
    [communityIds],
  );

const shuffled = <T>(all: readonly T[], random: () => number): T[] =>
  all
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);

function parted<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  const first: T[] = [];
  const second: T[] = [];
  for (const one of all) (isFirst(one) ? first : second).push(one);
  return [first, second];
}

function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
