import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { asOwner } from '../../../../../../../tests/support/owner.ts';
import { removedFromAudit, tamperWith } from '../../../../../../../tests/support/tamper.ts';
import {
  createEngineWorld,
  type EngineWorld,
  PAID,
} from '../../../../../../../tests/support/world/engine-world.ts';
import type { OwingCommunity } from '../../../../../../../tests/support/world/owing-world.ts';

// The owner of the database writes whatever rows can say, and has no key of the audit.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world?.close());

const tamper = (statement: string) =>
  tamperWith(world, ['transfer', 'payout', 'payable', 'distribution'], statement);
const signed = async ({ id }: OwingCommunity) => (await world.attemptsOf({ id })).filter(isPayout).length;
const isPayout = ({ kind }: { kind: string }) => kind === 'distribute';
const notBacked = ({ id }: OwingCommunity) =>
  world.owner(
    "SELECT DISTINCT kind, state, problem_detail AS why FROM transfer WHERE community_id = $1 AND problem = 'not_backed'",
    [id],
  );
const REFUSED = [{ kind: 'distribute', state: 'void', why: 'not_audited' }];

/** An entry `e` about the distribution of a community. */
const entryOf = ({ id }: OwingCommunity, action: string) => `e.action = '${action}' AND e.seq IN (
  SELECT o.seq FROM audit_order o JOIN distribution d ON d.id::text = o.order_id WHERE d.community_id = '${id}')`;

describe('a payout is set aside whose order', () => {
  test.each<[what: string, statement: (community: OwingCommunity) => string]>([
    [
      'was removed from the audit, with its seal',
      (its) => removedFromAudit(entryOf(its, 'distribution.requested')),
    ],
    [
      'has another author in the audit',
      (its) =>
        `UPDATE audit_entry e SET actor_id = 'somebody' WHERE ${entryOf(its, 'distribution.requested')};
         UPDATE distribution SET requested_by_id = 'somebody' WHERE community_id = '${its.id}'`,
    ],
    [
      'is about another amount there',
      (its) =>
        `UPDATE audit_entry e SET after = jsonb_set(after, '{amount}', '"50000"')
         WHERE ${entryOf(its, 'distribution.requested')};
         UPDATE distribution SET amount_units = 50000 * 10 ^ 18 WHERE community_id = '${its.id}'`,
    ],
    [
      'was made larger than it was asked for',
      (its) => `UPDATE distribution SET amount_units = amount_units * 2 WHERE community_id = '${its.id}'`,
    ],
    [
      'is approved by a person whose approval the audit does not have',
      (its) =>
        `UPDATE distribution SET decided_by_id = 'somebody', decided_by = 'somebody', decided_at = now()
         WHERE community_id = '${its.id}'`,
    ],
    [
      'has an entry that its owner wrote without the key',
      (its) => `${removedFromAudit(entryOf(its, 'distribution.requested'))};
        WITH made AS (INSERT INTO audit_entry (seq, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, after,
          hash_version, keyed_by, own_hash)
        SELECT nextval('audit_number'), now(), 'user', d.requested_by_id, d.requested_by, 'distribution.requested', 'community',
          d.community_id, jsonb_build_object('distribution_id', d.id, 'amount', trim_scale(d.amount_units / 1e18)::text), 3, 'api',
          sha256('guess') FROM distribution d WHERE d.community_id = '${its.id}' RETURNING seq, after)
        INSERT INTO audit_order SELECT after ->> 'distribution_id', seq FROM made`,
    ],
  ])('%s', async (_, statement) => {
    const community = await world.orderPayout();
    await world.untilConsolidated(community);
    await tamper(statement(community));
    await world.turn();
    expect(await signed(community)).toBe(0);
    expect(await notBacked(community)).toEqual(REFUSED);
    expect((await world.walletOf(community))?.frozen_because).toBeNull();
  });
});

test('a payout whose order is not sealed yet waits, and is paid once it is', async () => {
  const community = await world.orderPayout();
  await world.untilConsolidated(community);
  // Another worker is in the middle of sealing, and its commit does not come.
  await tamper(`WITH gone AS (DELETE FROM audit_seal WHERE seq >= (SELECT min(e.seq) FROM audit_entry e
      WHERE ${entryOf(community, 'distribution.requested')}) RETURNING seq)
    INSERT INTO audit_unsealed (seq) SELECT seq FROM gone`);
  const blocked = await world.db.pool.connect();
  try {
    await blocked.query('BEGIN; SET LOCAL ROLE copydesk_worker; SELECT FROM app.begin_sealing()');
    await world.turn();
    expect([await signed(community), await notBacked(community)]).toEqual([0, []]);
  } finally {
    await blocked.query('ROLLBACK');
    blocked.release();
  }
  await world.payOut();
  expect(await world.paidState(community)).toEqual(PAID);
});

test('what was just ordered is sealed by the worker that pays it', async () => {
  const community = await world.orderPayout();
  await world.payOut();
  expect(await world.paidState(community)).toEqual(PAID);
  const [waiting] = await asOwner(
    world.ownerUrl,
    `SELECT count(*)::int AS n FROM audit_unsealed u JOIN audit_entry e ON e.seq = u.seq
     WHERE ${entryOf(community, 'distribution.requested')}`,
  );
  expect(waiting).toEqual({ n: 0 });
});
