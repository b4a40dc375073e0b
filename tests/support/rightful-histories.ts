import { createHash, randomInt } from 'node:crypto';
import type { TransferEngine } from '../../apps/server/src/features/transfers/engine/engine.ts';
import { readRefused } from '../../apps/server/src/features/transfers/engine/signing/facts.store.ts';
import { setAsideNotBacked } from '../../apps/server/src/features/transfers/engine/signing/set-aside.ts';
import { WHOLE_SCOPE } from '../../apps/server/src/platform/db/database.ts';
import { TRANSFER_PURPOSES } from '../../apps/server/src/wiring/transfer-purposes.ts';
import { addSuperAdmin } from './identity/people.ts';
import { isLong } from './long-test.ts';
import { sealAudit } from './seal-audit.ts';
import { AUDIT_KEY } from './test-keys.ts';
import { newAddress } from './world/addresses.ts';
import { createOwingWorld, type OwingCommunity } from './world/owing-world.ts';

const TOKEN = `0x${'99'.repeat(20)}`;
const DAY = `interval '25 hours'`;
const STEPS = 14;
/** More than this many rounds of rightful acts are no way on. */
const ROUNDS = 12;
/** Its people are signed in for five minutes. */
const PER_WORLD = 40;
/** Not a measure: a history is some fifty calls, which take a second of a busy machine. */
export const HISTORIES_PATIENCE_MS = 300_000 + 10_000 * Number(process.env.HISTORIES ?? 0);

/** A world with limits on everything, a waiting time of addresses, and three super admins. */
async function createHistoryWorld() {
  const world = await createOwingWorld({
    env: {
      TOKEN_ADDRESS: TOKEN,
      APPROVAL_ABOVE_USDT: '99.99',
      PAYOUT_MAX_PER_TRANSACTION: '60',
      PAYOUT_MAX_PER_DAY: '60',
      PAYOUT_ADDRESS_HOLD_HOURS: '24',
    },
  });
  const third = await addSuperAdmin(world, world.token, 'third@example.com');
  await world.ask('POST /api/users/{id}/confirm', { params: { id: third.id } }, {}, world.other);
  await world.owner(`UPDATE identity.user_access SET super_since = now() - ${DAY} WHERE super`);
  await world.owner(
    `INSERT INTO platform_setting_default (name, value, noted_at) VALUES ('approval_above_usdt', '"99.99"', now())
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  );
  return { ...world, people: [world.token, world.other, third.authorization] };
}
type HistoryWorld = Awaited<ReturnType<typeof createHistoryWorld>>;

interface History {
  /** What was done and what it answered. */
  acts: string[];
  /** What is owed and no rightful act pays; empty: everything has a way on. */
  stuck: string[];
}

/** Plays HISTORIES of them; those of HISTORIES_SEED are the same each time. */
export async function* playHistories(): AsyncGenerator<History & { name: string }> {
  const { HISTORIES: count = isLong ? '8' : '1', HISTORIES_SEED: seed = String(randomInt(1_000_000)) } =
    process.env;
  console.log(`${count} histories, HISTORIES_SEED=${seed}`);
  for (let from = 0; from < Number(count); from += PER_WORLD) {
    const world = await createHistoryWorld();
    try {
      for (let nth = from; nth < Math.min(from + PER_WORLD, Number(count)); nth += 1) {
        const name = `${seed}.${nth}`;
        yield { name, ...(await playHistory(world, name)) };
      }
    } finally {
      await world.close();
    }
  }
}

/**
 * Plays one history of a community: people pay, change addresses, release, order, approve, decline, cancel and repeat in
 * any order, days pass, and workers set aside what they do not believe. Afterwards people do what the console offers
 * them, until everything that is owed is on its way.
 * @param seed the same history for the same one
 */
async function playHistory(world: HistoryWorld, seed: string): Promise<History> {
  let drawn = 0;
  const random = () => createHash('sha256').update(`${seed} ${drawn++}`).digest().readUInt32BE() / 2 ** 32;
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const acts: string[] = [];
  const community = await world.addCommunity();
  const { id } = community;
  const note = (what: string, { status, body }: { status: number; body: { error?: string } }) => {
    acts.push(`${what}: ${status} ${body.error ?? ''}`.trim());
    if (status >= 500) throw new Error(acts.join('\n'));
    return status < 300;
  };
  const ask = async (call: string, input: object, as: string) => {
    const answer = await world.askAnything(call as never, input, {}, as);
    note(call, answer);
    return answer;
  };
  const aDayPasses = async () => {
    acts.push('a day passes');
    await world.owner(`UPDATE payout SET ordered_at = ordered_at - ${DAY} WHERE ordered_at IS NOT NULL`);
    await world.owner(`UPDATE transfer SET created_at = created_at - ${DAY}, sent_at = sent_at - ${DAY}`);
    await world.owner(`UPDATE payout_address_change SET changed_at = changed_at - ${DAY}`);
    await world.owner(`UPDATE money_order SET requested_at = requested_at - ${DAY}`);
  };
  const changeAddress = async (as: string) => {
    const { body } = await world.askAnything(
      'GET /api/communities/{id}' as never,
      { params: { id } },
      {},
      as,
    );
    const { version } = (body as unknown as { data: { version?: number } }).data;
    await ask(
      'PATCH /api/communities/{id}',
      { params: { id }, body: { external_wallet_address: newAddress(), ...(version && { version }) } },
      as,
    );
  };
  const release = async (as: string) => {
    const { body } = await world.askAnything(
      'GET /api/super-admin/payout-addresses' as never,
      { query: { limit: '50' } },
      {},
      as,
    );
    const open = (body as unknown as { data: { change_id: string; refusal: string | null }[] }).data;
    const change_ids = open.filter(({ refusal }) => refusal === null).map((each) => each.change_id);
    if (change_ids.length > 0)
      await ask('POST /api/super-admin/payout-addresses/release', { body: { change_ids } }, as);
  };
  const order = async (as: string, allow_once: boolean) => {
    await ask(
      'POST /api/super-admin/communities/{id}/distribute',
      { params: { id }, body: { allow_once } },
      as,
    );
  };
  let isLast = false;
  const decide = async (as: string, what: 'approve' | 'decline') => {
    for (const { id: waiting } of (await world.pending(id)).awaiting) {
      const params = { id: waiting };
      const { body } = await ask(`POST /api/super-admin/distributions/{id}/${what}`, { params }, as);
      // As the refusal says: it is declined, and ordered again.
      if (isLast && body.error === 'recipients_changed')
        await ask('POST /api/super-admin/distributions/{id}/decline', { params }, as);
    }
  };
  const payouts = async (status: string) =>
    (await world.payoutsOf(id)).filter((payout) => payout.status === status).map((payout) => payout.id);
  const onPayouts = async (as: string, what: 'cancel' | 'retry' | 'resend', ids: readonly string[]) => {
    for (const payout of ids)
      await ask(
        `POST /api/sweep-operations/{id}/${what}`,
        { params: { id: payout }, ...(what === 'resend' ? { body: { reason: 'Checked' } } : {}) },
        as,
      );
  };
  const engine = {
    ...world,
    now: () => new Date(),
    purposes: TRANSFER_PURPOSES,
    tokenAddress: TOKEN,
    auditKeys: { chain: AUDIT_KEY, worker: null },
    stopAfterSetAside: 0,
  } as unknown as TransferEngine;
  /** What a worker does before it signs. @returns why it does not believe some */
  const worker = async () => {
    const planned = await world.owner<{
      id: string;
      kind: 'distribute';
      to: string;
      units: string;
      subject: string | null;
    }>(
      `SELECT id, kind, to_address AS to, amount_units::text AS units, payout_id AS subject FROM transfer
       WHERE community_id = $1 AND state = 'planned'`,
      [id],
    );
    await sealAudit(world.db);
    const { refused } = await world.db.read(WHOLE_SCOPE, (tx) => readRefused(engine, tx, planned));
    const why = new Map(refused.map((each) => [each.id, each.why]));
    await setAsideNotBacked(
      engine,
      planned
        .filter((each) => why.has(each.id))
        .map((each) => ({
          id: each.id,
          kind: each.kind,
          to: each.to,
          token: TOKEN,
          units: BigInt(each.units),
          communityId: id,
          subjectId: each.subject,
        })),
    );
    for (const each of why.values()) acts.push(`a worker sets aside: ${each}`);
    return [...why.values()];
  };

  const anybody = () => pick(world.people);
  const possible: (() => Promise<unknown>)[] = [
    () => world.addPaid(community, pick([20, 60, 110, 150])),
    () => world.addPaid(community, pick([5, 40])),
    () => changeAddress(anybody()),
    () => release(anybody()),
    () => order(anybody(), random() < 0.5),
    () => order(anybody(), true),
    () => decide(anybody(), 'approve'),
    () => decide(anybody(), 'approve'),
    () => decide(anybody(), 'decline'),
    async () => onPayouts(anybody(), 'cancel', (await payouts('consolidating')).slice(0, 2)),
    async () =>
      onPayouts(anybody(), pick(['retry', 'resend'] as const), (await payouts('failed')).slice(0, 2)),
    aDayPasses,
    worker,
  ];
  await world.addPaid(community, pick([60, 150]));
  for (let step = 0; step < STEPS; step += 1) await pick(possible)();

  isLast = true;
  acts.push('--- what the console offers');
  let stuck: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const as of world.people) await release(as);
    await aDayPasses();
    for (const as of world.people) await onPayouts(as, 'retry', await payouts('failed'));
    for (const as of world.people) await onPayouts(as, 'resend', await payouts('failed'));
    await order(pick(world.people), true);
    for (const as of world.people) await decide(as, 'approve');
    const doubted = await worker();
    stuck = await owedAndStill(world, community);
    if (stuck.length === 0 && doubted.length === 0) return { acts, stuck };
  }
  return { acts, stuck: stuck.length > 0 ? stuck : ['a worker believes none of it'] };
}

/** Shares with an address that no transfer under way pays. */
async function owedAndStill({ owner }: HistoryWorld, { id }: OwingCommunity): Promise<string[]> {
  const rows = await owner<{ line: string }>(
    `SELECT DISTINCT y.recipient_type || ' ' || coalesce(o.status, 'pending') || ' ' || coalesce(o.problem, '') AS line
     FROM payable y LEFT JOIN payout o ON o.id = y.payout_id
     WHERE y.community_id = $1 AND y.settled_at IS NULL AND y.paid_at IS NULL
       AND NOT EXISTS (SELECT FROM transfer t WHERE t.payout_id = o.id AND t.state IN ('planned', 'sent', 'final'))
       AND (y.recipient_address IS NOT NULL OR y.payout_id IS NOT NULL)`,
    [id],
  );
  return rows.map(({ line }) => line);
}
