import { setTimeout as sleep } from 'node:timers/promises';
import { flagsAfterWithdrawal, flagsAtFirstSight, readHostedGrants } from '@copydesk/domain/access';
import type { HostedWorld } from './hosted-world.ts';

type SentEvent = ReturnType<HostedWorld['clerk']['webhooks']['waiting']>[number];

const WORKERS = 2;
/** Requests of the vendor under way at a time. */
const SENDERS = 8;
/** Of an event that is answered with 503. */
const ATTEMPTS = 8;
/** Of all events; they come when the others have long been handled. */
const LATE = 0.1;

export interface Storm {
  /** The answers to everything that was sent. */
  statuses: number[];
  /** Where the rights and sessions stored here are not those that follow from the service; empty, as it must be. */
  differences: string[];
  /** Sessions that ended. */
  ended: number;
  sentMs: number;
  handledMs: number;
}

/**
 * Many things happen to people at the service. The webhooks come afterwards, each signed, in any order, half of them twice
 * and some late, while workers handle them; each worker reads what the service has by then.
 */
export async function playWebhookStorm(
  world: HostedWorld,
  { count, seed }: { count: number; seed: number },
): Promise<Storm> {
  const random = createRandom(seed);
  const { before, sessions } = await play(world, count, random);
  const startedAt = performance.now();
  let isSending = true;
  const worker = async () => {
    while ((await world.takeTurn()) || isSending) if (isSending) await sleep(1);
  };
  const workers = Array.from({ length: WORKERS }, worker);
  let late: readonly SentEvent[] = [];
  const onTime = await release(world, (waiting) => {
    const sent = shuffled([...waiting, ...waiting.filter(() => random() < 0.5)], random);
    const cut = Math.floor(sent.length * (1 - LATE));
    late = sent.slice(cut);
    return sent.slice(0, cut);
  });
  const afterwards = await release(world, () => [...late]);
  const sentMs = performance.now() - startedAt;
  isSending = false;
  await Promise.all(workers);
  const handledMs = performance.now() - startedAt;
  return {
    statuses: [...onTime, ...afterwards],
    differences: [...(await findWrongRights(world, before)), ...(await findOpenSessions(world, sessions))],
    ended: sessions.size,
    sentMs,
    handledMs,
  };
}

/** Sends events again while the API asks for it, as the vendor does: a busy machine may have no connection in time. */
async function release(
  { clerk: { webhooks } }: HostedWorld,
  order: (waiting: SentEvent[]) => SentEvent[],
): Promise<number[]> {
  let sent: SentEvent[] = [];
  const statuses = await webhooks.release((waiting) => {
    sent = order(waiting);
    return sent;
  }, SENDERS);
  const again = async (index: number): Promise<number> => {
    const event = sent[index];
    for (let attempt = 1; event && statuses[index] === 503 && attempt <= ATTEMPTS; attempt += 1) {
      await sleep(200 * attempt);
      statuses[index] = await webhooks.send(event);
    }
    return statuses[index] ?? 0;
  };
  return Promise.all(statuses.map((_, index) => again(index)));
}

/** @returns the metadata that people here were first seen with, and the sessions that ended */
async function play(
  { instance, clerk, owner, person, work }: HostedWorld,
  count: number,
  random: () => number,
) {
  const providers = (await owner<{ id: string }>('SELECT id FROM provider ORDER BY id')).map(({ id }) => id);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const metadata = () => ({
    admin: random() < 0.8,
    super: random() < 0.1,
    providerAccess: providers.filter(() => random() < 0.5),
  });
  const half = Math.ceil(count / 50);
  // Some are known before, with what they had then; others are first seen when it is all over.
  const known = [];
  for (let index = 0; index < half; index += 1) known.push(await person(metadata()));
  await work();
  const before = new Map<string, Record<string, unknown>>(known.map(({ user }) => [user.id, user.metadata]));
  clerk.webhooks.hold();
  const unseen = Array.from({ length: half }, (_, index) =>
    instance.addUser({ email: `unseen-${index}@people.example`, metadata: metadata() }),
  );
  const everyone = [...known.map(({ user }) => user), ...unseen].map(({ id }) => id);
  const sessions = known.map(({ session }) => session.id);
  // Of these alone: earlier tests have left others, and with all of these gone nothing could happen any more.
  const mayDelete = () => everyone.filter((id) => instance.state.users.has(id)).length > everyone.length / 2;
  while (clerk.webhooks.waiting().length < count) {
    const id = pick(everyone);
    if (!instance.state.users.has(id)) continue;
    const roll = random();
    if (roll < 0.75) instance.changeUser(id, { metadata: metadata(), lastName: `No ${roll}` });
    else if (roll < 0.9) sessions.push(instance.openSession(id).id);
    else if (roll < 0.97) instance.endSession(pick(sessions), pick(['ended', 'removed', 'revoked']));
    else if (roll < 0.985) instance.ban(id);
    else if (mayDelete()) instance.deleteUser(id);
  }
  for (const { id } of unseen) {
    const user = instance.state.users.get(id);
    if (user) before.set(id, user.metadata);
  }
  const over = [...instance.state.sessions.values()].filter(({ status }) => status !== 'active');
  return { before, sessions: new Set(over.map(({ id }) => id)) };
}

async function findWrongRights(
  { instance, owner }: HostedWorld,
  before: ReadonlyMap<string, Record<string, unknown>>,
): Promise<string[]> {
  const rows = await owner<{ hosted_id: string; stored: unknown }>(
    `SELECT h.hosted_id, jsonb_build_object('admin', a.admin, 'super', a.super,
       'providers', ARRAY (SELECT unnest(a.provider_ids)::text ORDER BY 1), 'disabled', a.disabled_at IS NOT NULL) AS stored
     FROM identity.hosted_user h JOIN identity.user_access a USING (user_id)`,
  );
  const stored = new Map(rows.map((row) => [row.hosted_id, row.stored as Record<string, unknown>]));
  return [...before].flatMap(([id, metadata]) => {
    const now = instance.state.users.get(id);
    const first = readHostedGrants(metadata, []);
    const flags = flagsAfterWithdrawal(
      flagsAtFirstSight(first),
      first,
      now ? readHostedGrants(now.metadata, []) : first,
    );
    const expected: Record<string, unknown> = {
      admin: flags.admin,
      super: flags.super,
      providers: [...flags.providerAccess].sort(),
      disabled: !now || now.isBanned,
    };
    const found = stored.get(id);
    return Object.keys(expected)
      .filter((key) => JSON.stringify(found?.[key]) !== JSON.stringify(expected[key]))
      .map((key) => `${id}: ${key} is ${JSON.stringify(found?.[key])}, not ${JSON.stringify(expected[key])}`);
  });
}

async function findOpenSessions({ owner }: HostedWorld, ended: ReadonlySet<string>): Promise<string[]> {
  const rows = await owner<{ id: string }>(
    'SELECT id FROM identity.hosted_session WHERE ended_at IS NOT NULL AND id = ANY ($1)',
    [[...ended]],
  );
  const found = new Set(rows.map(({ id }) => id));
  return [...ended].filter((id) => !found.has(id)).map((id) => `${id} has not ended`);
}

/** Numbers between 0 and 1. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
