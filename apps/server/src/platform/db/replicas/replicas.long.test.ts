import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type BareCluster,
  SYSTEM_POSTGRES,
  startBareCluster,
} from '../../../../../../tests/support/bare-cluster.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { childrenOf, postmasterOf, startStandby } from '../../../../../../tests/support/standby.ts';
import { createTestApp, fillDemoWorld, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { WHOLE_SCOPE } from '../database.ts';
import { createDatabase } from '../installation/create-database.ts';
import { migrate } from '../installation/migrate.ts';
import { answeredPosition, openPositions, parsePosition, withPositions } from '../position.ts';

// A leader and two standbys, as three servers of this machine. What a standby has is held back by a pause of its replay.
const binDir = SYSTEM_POSTGRES ?? '';
const HEADER = 'copydesk-position';

let leader: BareCluster;
let standbys: [BareCluster, BareCluster];
let world: TestApp;
let token: string;
let ownerUrl: string;
beforeAll(async () => {
  if (!SYSTEM_POSTGRES) return;
  leader = await startBareCluster(binDir);
  ownerUrl = leader.urlOf('copydesk_owner', 'secret', 'copydesk');
  await createDatabase({
    adminUrl: leader.adminUrl,
    ownerUrl,
    applicationUrl: leader.urlOf('copydesk_login', 'secret', 'copydesk'),
  });
  await migrate(ownerUrl);
  await fillDemoWorld(ownerUrl, 0.05);
  // A read is in the way of what is replayed for no longer than this.
  const settings = ['max_standby_streaming_delay=100ms'];
  standbys = [
    await startStandby(binDir, leader, { name: 'first', settings }),
    await startStandby(binDir, leader, { name: 'second', settings }),
  ];
  world = await createTestApp({
    sharing: { ownerUrl },
    readUrls: standbys.map((standby) => standby.urlOf('copydesk_owner', 'secret', 'copydesk')),
  });
  token = await world.signIn('super');
}, 600_000);
afterAll(async () => {
  await world?.close();
  await Promise.all((standbys ?? []).map((standby) => standby.stop()));
  await leader?.stop();
});

const counts = () => ({ ...world.apiDb.replicas?.counts });

const ask = async <R extends object>(server: BareCluster, statement: string): Promise<R | undefined> => {
  const client = new pg.Client({ connectionString: server.urlOf('postgres', server.password, 'copydesk') });
  await client.connect();
  try {
    return [await client.query(statement)].flat().at(-1)?.rows[0];
  } finally {
    await client.end();
  }
};

async function pause(...held: BareCluster[]): Promise<void> {
  for (const standby of held) {
    await ask(standby, 'SELECT pg_wal_replay_pause()');
    const state = () => ask<{ state: string }>(standby, 'SELECT pg_get_wal_replay_pause_state() AS state');
    await expect.poll(state).toEqual({ state: 'paused' });
  }
}
const resume = async (...held: BareCluster[]) => {
  // What goes on at once may be in conflict with the statement itself.
  for (const standby of held) await ask(standby, 'SELECT pg_wal_replay_resume()').catch(() => {});
};

const end = async () =>
  String((await ask<{ at: string }>(leader, 'SELECT pg_current_wal_insert_lsn()::text AS at'))?.at);

/** Until all standbys have what the leader has, and the API knows of it. */
async function caughtUp(): Promise<string> {
  // What follows is a small record, so that the end is no beginning of a page.
  const position = await leaderWrites();
  for (const standby of standbys)
    await expect
      .poll(() => ask(standby, `SELECT pg_last_wal_replay_lsn() >= '${position}' AS has`))
      .toEqual({ has: true });
  await world.apiDb.replicas?.look();
  return position;
}

async function leaderWrites(): Promise<string> {
  await ask(leader, `SELECT pg_logical_emit_message(false, 'test', 'here')`);
  await ask(leader, `SELECT pg_logical_emit_message(true, 'test', 'flushed')`);
  return end();
}

beforeEach(async () => {
  if (!SYSTEM_POSTGRES) return;
  await resume(...standbys);
  await caughtUp();
  // The rests of what failed before are over.
  await expect.poll(() => world.apiDb.replicas?.states().every(({ isUsed }) => isUsed)).toBe(true);
});

/** A client that sends back the highest position, as the console does. */
function createReader(position?: string) {
  let known = position;
  const send = async (method: 'GET' | 'PATCH', url: string, payload?: object) => {
    const answer = await world.app.inject({
      method,
      url,
      headers: { authorization: token, ...(known && { [HEADER]: known }) },
      ...(payload && { payload }),
    });
    expect(answer.statusCode, answer.body).toBe(200);
    const seen = answer.headers[HEADER] as string | undefined;
    if (seen && (known === undefined || seen > known || seen < known)) known = seen;
    return answer;
  };
  return {
    position: () => known,
    patch: (id: string, body: object) => send('PATCH', `/api/traders/${id}`, body),
    names: async (query = 'limit=5&orderBy=created_at') => {
      const answer = await send('GET', `/api/traders?${query}`);
      return answer.json<{ data: { id: string; name: string }[] }>().data;
    },
    get: send,
  };
}

/** One trader, with a name that no test gave before. */
let changes = 0;
async function someTrader() {
  const [trader] = await asOwner<{ id: string; reference_number: string }>(
    ownerUrl,
    'SELECT id, reference_number FROM trader WHERE reference_number IS NOT NULL ORDER BY id LIMIT 1',
  );
  if (!trader) throw new Error('the demo world has traders');
  changes += 1;
  const query = `search=${encodeURIComponent(trader.reference_number)}&limit=5`;
  return { id: trader.id, query, name: `Changed ${changes}` };
}
const rename = (id: string, name: string) =>
  asOwner(
    ownerUrl,
    `SET ROLE copydesk_worker; SET copydesk.scope = 'all'; UPDATE trader SET name = '${name}' WHERE id = '${id}'`,
  );

test.runIf(SYSTEM_POSTGRES)(
  'a client that does not know of positions reads on the leader, and learns one',
  async () => {
    const before = counts();
    const reader = createReader();
    await reader.names('limit=7');
    expect(counts().replica).toBe(before.replica);
    expect(parsePosition(reader.position())).toBeGreaterThan(0n);
    await caughtUp();
    await reader.names('limit=8');
    expect(counts().replica).toBeGreaterThan(before.replica ?? 0);
  },
);

test.runIf(SYSTEM_POSTGRES)(
  'who changed something sees it at once, and from a replica once that has it',
  async () => {
    const { id, query, name } = await someTrader();
    const reader = createReader(await caughtUp());
    await pause(...standbys);
    await reader.patch(id, { name });
    const before = counts();
    expect((await reader.names(query)).find((trader) => trader.id === id)?.name).toBe(name);
    expect(counts().replica).toBe(before.replica);
    await resume(...standbys);
    await caughtUp();
    expect((await reader.names(`${query}&offset=0`)).find((trader) => trader.id === id)?.name).toBe(name);
    expect(counts().replica).toBeGreaterThan(before.replica ?? 0);
  },
);

test.runIf(SYSTEM_POSTGRES)('a file has what its reader changed', async () => {
  const { id, query, name } = await someTrader();
  const reader = createReader(await caughtUp());
  await pause(...standbys);
  await reader.patch(id, { name });
  const file = () => reader.get('GET', `/api/traders/export?${query.replace('&limit=5', '')}`);
  expect((await file()).body).toContain(name);
  await resume(...standbys);
  await caughtUp();
  expect((await file()).body).toContain(name);
});

test.runIf(SYSTEM_POSTGRES)('between two replicas no reader goes back in time', async () => {
  const { id, query } = await someTrader();
  const reader = createReader(await caughtUp());
  await pause(standbys[1]);
  let shown = -1;
  const before = counts();
  for (let round = 1; round <= 10; round += 1) {
    await rename(id, `Round ${round}`);
    // Another process wrote, and its event has not come: only what the reader has seen counts.
    for (let turn = 0; turn < 4; turn += 1) {
      const [trader] = await reader.names(`${query}&offset=0&include_aum=${turn % 2 === 0}`);
      const seen = Number(trader?.name.replace('Round ', '')) || 0;
      expect(seen).toBeGreaterThanOrEqual(shown);
      shown = seen;
    }
  }
  expect(shown).toBe(10);
  expect(counts().replica).toBeGreaterThan(before.replica ?? 0);
});

test.runIf(SYSTEM_POSTGRES)(
  'what one replica has shown, another that is behind does not answer',
  async () => {
    let position: string = await caughtUp();
    await pause(standbys[1]);
    const later = await leaderWrites();
    await expect
      .poll(() => ask(standbys[0], `SELECT pg_last_wal_replay_lsn() >= '${later}' AS has`))
      .toEqual({ has: true });
    let shown = 0n;
    const before = counts();
    for (let turn = 0; turn < 6; turn += 1) {
      const positions = openPositions(position);
      const at = await withPositions(positions, () =>
        world.apiDb.readAny(WHOLE_SCOPE, async (tx) => {
          const { rows } = await sql<{
            at: string;
          }>`SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
          ELSE pg_current_wal_insert_lsn() END::text AS at`.execute(tx.sql);
          return parsePosition(rows[0]?.at) ?? 0n;
        }),
      );
      expect(at).toBeGreaterThanOrEqual(shown);
      shown = at;
      position = answeredPosition(positions) ?? position;
    }
    expect(counts().replica).toBeGreaterThan(before.replica ?? 0);
  },
);

test.runIf(SYSTEM_POSTGRES)('what an event reports is there for whoever reads because of it', async () => {
  const { id, query, name } = await someTrader();
  const early = await caughtUp();
  const before = counts();
  await createReader(early).names(query);
  expect(counts().replica).toBeGreaterThan(before.replica ?? 0);
  await pause(...standbys);
  await rename(id, name);
  // The console of another person, whose stream is at another process: its position is of before.
  await expect
    .poll(async () => (await createReader(early).names(query)).find((trader) => trader.id === id)?.name, {
      // Long before the replicas are left out because they are behind.
      timeout: 5_000,
    })
    .toBe(name);
});

test.runIf(SYSTEM_POSTGRES)(
  'a position that was lost with a leader keeps no reader at the leader',
  async () => {
    const reader = createReader('00FFFFFF/00000000');
    await reader.names('limit=9');
    expect(parsePosition(reader.position())).toBeLessThan(parsePosition('00FFFFFF/00000000') ?? 0n);
    await caughtUp();
    const before = counts();
    await reader.names('limit=10');
    expect(counts().replica).toBeGreaterThan(before.replica ?? 0);
  },
);

const slowRead = (position: string, statement = sql`SELECT count(*)::int AS n, pg_sleep(3) FROM trader`) =>
  withPositions(openPositions(position), () =>
    world.apiDb.readAny(WHOLE_SCOPE, async (tx) => {
      const [row] = (await statement.execute(tx.sql)).rows as { n: number }[];
      return row?.n;
    }),
  );

test.runIf(SYSTEM_POSTGRES)(
  'a read that is in the way of what a replica replays is done on the leader',
  async () => {
    const position = await caughtUp();
    const before = counts();
    const read = slowRead(position);
    await sleep(500);
    await ask(leader, 'BEGIN; LOCK TABLE trader IN ACCESS EXCLUSIVE MODE; COMMIT');
    await leaderWrites();
    expect(await read).toBeGreaterThan(0);
    expect(counts()).toEqual({ leader: (before.leader ?? 0) + 1, replica: before.replica });
  },
);

test.runIf(SYSTEM_POSTGRES)('a replica that stops in the middle of a read costs no answer', async () => {
  const position = await caughtUp();
  const before = counts();
  const read = [slowRead(position), slowRead(position)];
  await sleep(500);
  const stopped = standbys.flatMap((standby) => [postmasterOf(standby), ...childrenOf(standby)]);
  for (const pid of stopped) process.kill(pid, 'SIGSTOP');
  const startedAt = performance.now();
  try {
    const reader = createReader(position);
    expect(await reader.names('limit=11')).toHaveLength(11);
    expect(performance.now() - startedAt).toBeLessThan(6_000);
    expect(await Promise.all(read)).toEqual([expect.any(Number), expect.any(Number)]);
    // The console gives up after ten seconds, and a read on the leader takes three here.
    expect(performance.now() - startedAt).toBeLessThan(12_000);
    expect(counts().replica).toBe(before.replica);
  } finally {
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
  }
});

test.runIf(SYSTEM_POSTGRES)('a replica whose processes are killed costs no answer', async () => {
  const position = await caughtUp();
  const read = [slowRead(position), slowRead(position)];
  await sleep(500);
  for (const standby of standbys)
    for (const pid of childrenOf(standby, 'copydesk')) process.kill(pid, 'SIGKILL');
  expect(await Promise.all(read)).toEqual([expect.any(Number), expect.any(Number)]);
  expect(await createReader(position).names('limit=12')).toHaveLength(12);
});

test.runIf(SYSTEM_POSTGRES)('a replica that is ten seconds behind is left out', async () => {
  const position = await caughtUp();
  await pause(...standbys);
  await leaderWrites();
  const before = counts();
  await createReader(position).names('limit=13');
  const early = counts();
  expect(early.replica).toBeGreaterThan(before.replica ?? 0);
  const endsAt = performance.now() + 12_500;
  while (performance.now() < endsAt) {
    await leaderWrites();
    await sleep(500);
  }
  await createReader(position).names('limit=14');
  expect(counts().replica).toBe(early.replica);
  const states = world.apiDb.replicas?.states() ?? [];
  expect(states.map(({ isUsed }) => isUsed)).toEqual([false, false]);
});
