import { existsSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  type BareCluster,
  SYSTEM_POSTGRES,
  startBareCluster,
} from '../../../../../../../tests/support/bare-cluster.ts';
import { asOwner } from '../../../../../../../tests/support/owner.ts';
import {
  childrenOf,
  postmasterOf,
  startStandby as startNamedStandby,
} from '../../../../../../../tests/support/standby.ts';
import { fillDemoWorld } from '../../../../../../../tests/support/test-app.ts';
import { AUDIT_KEY } from '../../../../../../../tests/support/test-keys.ts';
import { until } from '../../../../../../../tests/support/until.ts';
import {
  createEngineWorld,
  type EngineWorld,
  PAID,
} from '../../../../../../../tests/support/world/engine-world.ts';
import { findUnpaid } from '../../../../../../../tests/support/world/sound-payouts.ts';
import { createPool, WORKER_ROLE } from '../../../../platform/db/connection/connection.ts';
import { createDatabase as connect } from '../../../../platform/db/database.ts';
import { createDatabase } from '../../../../platform/db/installation/create-database.ts';
import { migrate } from '../../../../platform/db/installation/migrate.ts';
import { takeTransferTurn } from '../transfer-turn.ts';

// A leader and its synchronous standby, as two servers of this machine.
const binDir = SYSTEM_POSTGRES ?? '';
const NAME = 'standby';

let leader: BareCluster;
let world: EngineWorld;
beforeAll(async () => {
  if (!SYSTEM_POSTGRES) return;
  leader = await startBareCluster(binDir);
  const ownerUrl = leader.urlOf('copydesk_owner', 'secret', 'copydesk');
  await createDatabase({
    adminUrl: leader.adminUrl,
    ownerUrl,
    applicationUrl: leader.urlOf('copydesk_login', 'secret', 'copydesk'),
  });
  await migrate(ownerUrl);
  await fillDemoWorld(ownerUrl, 0.05);
  world = await createEngineWorld({ sharing: { ownerUrl } });
  // As a commit whose wait was cancelled: it is acknowledged, whatever standbys have.
  await leader.asAdmin(`ALTER SYSTEM SET synchronous_commit = 'local'`);
  await nameStandby(NAME);
}, 600_000);
afterAll(async () => {
  await world?.close();
  await leader?.stop();
});

const nameStandby = (name: string) =>
  leader.asAdmin(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`, 'SELECT pg_reload_conf()');

async function startStandby(): Promise<BareCluster> {
  const standby = await startNamedStandby(binDir, leader, { name: NAME });
  onTestFinished(standby.stop);
  return standby;
}

/** The process of a standby that writes what the leader sends. */
function receiverOf(standby: BareCluster): number {
  const [pid] = childrenOf(standby, 'walreceiver');
  if (!pid) throw new Error('the standby receives nothing');
  return pid;
}

const synchronous = (changes: Parameters<EngineWorld['engineWith']>[0] = {}) =>
  world.engineWith({ durability: 'synchronous', resendMs: 0, chain: world.throughFaults(), ...changes });
const sends = () => world.rpc.seen.filter(({ method }) => method === 'eth_sendRawTransaction').length;
const attempts = async () => Number((await world.owner('SELECT count(*) FROM transfer_attempt'))[0]?.count);
const connected = async () => (await world.owner('SELECT connected FROM app.replication()'))[0]?.connected;

test.runIf(SYSTEM_POSTGRES)(
  'bytes leave once the standby has them, and not before',
  async () => {
    const standby = await startStandby();
    await expect.poll(connected).toBe(1);
    const first = await world.orderPayout();
    await world.payOut(synchronous());
    expect(await world.paidState(first)).toEqual(PAID);

    const receiver = receiverOf(standby);
    const second = await world.orderPayout();
    process.kill(receiver, 'SIGSTOP');
    const halts: unknown[] = [];
    const engine = synchronous({ onHalt: (...halt) => halts.push(halt) });
    const [before, sent] = [await attempts(), sends()];
    for (let turn = 0; turn < 3; turn++) await takeTransferTurn(engine);
    expect(await attempts()).toBeGreaterThan(before);
    expect(sends()).toBe(sent);
    expect(halts).toContainEqual(['no_standby', 'The standby does not follow.']);
    process.kill(receiver, 'SIGCONT');
    await world.payOut(engine);
    expect(await world.paidState(second)).toEqual(PAID);

    await standby.stop();
    await expect.poll(connected).toBe(0);
    const third = await world.orderPayout();
    const stored = await attempts();
    await takeTransferTurn(engine);
    expect(await attempts()).toBe(stored);
    expect(halts.at(-1)).toEqual(['no_standby', '0 of 1 synchronous standby is connected.']);
    await world.payOut(world.engineWith({ durability: 'managed' }));
    expect(await world.paidState(third)).toEqual(PAID);
  },
  180_000,
);

test.runIf(SYSTEM_POSTGRES)(
  'a service that does not tell of its log serves all but what asks for a standby',
  async () => {
    const client = new pg.Client({ connectionString: leader.urlOf('postgres', leader.password, 'copydesk') });
    await client.connect();
    onTestFinished(() => client.end());
    const hidden = 'pg_current_wal_flush_lsn(), pg_current_wal_lsn(), pg_stat_get_archiver()';
    await client.query(`REVOKE EXECUTE ON FUNCTION ${hidden} FROM PUBLIC`);
    await nameStandby('');
    const [told] = await world.owner(
      'SELECT r.flushed, r.connected, app.lease_floor() AS floor, app.archive_failing() AS archive FROM app.replication() r',
    );
    expect(told).toEqual({ flushed: null, connected: 0, floor: '0', archive: null });
    const community = await world.orderPayout();
    await world.payOut(synchronous());
    expect(await world.statusesOf(community)).not.toEqual(PAID.statuses);
    await world.payOut(synchronous({ durability: 'managed' }));
    expect(await world.paidState(community)).toEqual(PAID);
    await client.query(`GRANT EXECUTE ON FUNCTION ${hidden} TO PUBLIC`);
    await nameStandby(NAME);
  },
  120_000,
);

/** Starts a standby again that was lost with its leader, and lets it lead. It has what it had received. */
async function promote(standby: BareCluster, receiver: number): Promise<BareCluster> {
  const postmaster = postmasterOf(standby);
  process.kill(postmaster, 'SIGQUIT');
  process.kill(receiver, 'SIGKILL');
  await until(async () => !existsSync(`/proc/${postmaster}`));
  const next = await startBareCluster(binDir, {
    restored: { folder: standby.dataFolder, password: leader.password },
  });
  onTestFinished(next.stop);
  await next.asAdmin('SELECT pg_promote()');
  return next;
}

test.runIf(SYSTEM_POSTGRES).each<[durability: 'managed' | 'synchronous', what: string]>([
  ['managed', 'finds that the chain has more than it knows, and pays nothing twice'],
  ['synchronous', 'knows of all that was sent, and pays it'],
] as const)(
  'a standby that leads without the end of the log (%s) %s',
  async (durability) => {
    const standby = await startStandby();
    await expect.poll(connected).toBe(1);
    const community = await world.orderPayout();
    // Waits for the standby, which knows of the order from here on.
    await leader.asAdmin(
      `SET synchronous_commit = 'remote_apply'`,
      `SELECT pg_logical_emit_message(true, 'test', 'here')`,
    );
    const receiver = receiverOf(standby);
    process.kill(receiver, 'SIGSTOP');
    const sent = sends();
    const isGuarded = durability === 'synchronous';
    if (isGuarded) for (let turn = 0; turn < 3; turn++) await takeTransferTurn(synchronous());
    else await world.payOut(synchronous({ durability }));
    expect(sends() > sent).toBe(!isGuarded);

    const next = await promote(standby, receiver);
    const ownerUrl = next.urlOf('copydesk_owner', 'secret', 'copydesk');
    const db = connect({
      pool: createPool({ url: ownerUrl, role: WORKER_ROLE, applicationName: 'test-promoted' }),
      auditKey: AUDIT_KEY,
      now: () => new Date(),
    });
    onTestFinished(() => db.close());
    const engine = world.engineWith({ db, durability: 'managed', resendMs: 0 });
    const hasOpen = async () => {
      const open = await asOwner(
        ownerUrl,
        `SELECT FROM transfer t JOIN chain_wallet w ON w.id = t.wallet_id
         WHERE t.state IN ('planned', 'sent') AND w.frozen_because IS NULL LIMIT 1`,
      );
      return open.length > 0;
    };
    for (let round = 0; round < 60 && (round === 0 || (await hasOpen())); round++) {
      await asOwner(ownerUrl, 'UPDATE transfer SET retry_at = NULL WHERE retry_at IS NOT NULL');
      while (await takeTransferTurn(engine)) {
        // until it waits for blocks
      }
      await world.chain.finalize();
    }
    const [frozen] = await asOwner(
      ownerUrl,
      `SELECT count(*)::int AS count, min(frozen_because) AS because FROM chain_wallet WHERE frozen_because IS NOT NULL`,
    );
    if (!isGuarded) expect(frozen).toMatchObject({ because: 'chain_ahead' });
    else {
      expect(frozen).toEqual({ count: 0, because: null });
      const owner = <R extends object>(statement: string, values?: unknown[]) =>
        asOwner<R>(ownerUrl, statement, values);
      expect(await findUnpaid({ ...world, owner } as EngineWorld, world.chain.token, community.id)).toEqual(
        [],
      );
    }
  },
  180_000,
);
