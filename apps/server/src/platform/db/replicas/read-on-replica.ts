import type { Scope } from '@copydesk/domain/access';
import type { Kysely } from 'kysely';
import pg from 'pg';
import { beginTransaction } from '../begin.ts';
import { bindKysely } from '../bound-kysely.ts';
import { isStatementTimeout } from '../connection/connection.ts';
import { isDatabaseGone } from '../connection/outage.ts';
import { limitSilence } from '../connection/silence.ts';
import { notePosition, type Positions, parsePosition } from '../position.ts';
import type { DB } from '../schema.ts';
import { sendTogether } from '../send-together.ts';

/** For BEGIN on a replica: a frozen one costs a reader no more than this, since the leader answers instead. */
const BEGIN_MS = 2_000;

/** Where a replica is. `replayed` is null where it is none: it leads, or did. */
export interface Place {
  timeline: number;
  replayed: bigint | null;
}

/**
 * The timeline is that of the last checkpoint that the replica knows of. After a failover it is some minutes late, and
 * the leader answers meanwhile: positions of two timelines say nothing about each other, and a replica of the former
 * leader may be numerically further than the present one without what that has written.
 */
const PLACE = {
  name: 'replica-place',
  text: `SELECT (pg_control_checkpoint()).timeline_id AS timeline,
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END::text AS replayed`,
};

interface PlaceRow {
  timeline: number;
  replayed: string | null;
}

const placeOf = (row: PlaceRow | undefined): Place => ({
  timeline: row?.timeline ?? 0,
  replayed: parsePosition(row?.replayed),
});

interface ReadContext {
  scope: Scope;
  caller?: { kind: string; id: string } | undefined;
  statementTimeoutMs?: number | undefined;
}

/**
 * Opens a transaction that reads, and learns where its connection is: BEGIN, the settings and the question travel
 * together. A statement after it, under READ COMMITTED, sees at least what was replayed by then.
 */
export async function beginOnReplica(
  client: pg.ClientBase,
  context: ReadContext,
): Promise<{ place: Place; sql: Kysely<DB> }> {
  const opened = beginTransaction(client, 'BEGIN READ ONLY', context);
  limitSilence(client, BEGIN_MS);
  const asked = client.query<PlaceRow>(PLACE);
  asked.catch(() => {}); // both fail together, and one is reported
  await opened;
  const { rows } = await asked;
  return { place: placeOf(rows[0]), sql: bindKysely(client) };
}

/** Ends a read, and notes how far it can have seen. */
export async function endRead(client: pg.ClientBase, positions: Positions): Promise<void> {
  sendTogether(client);
  const [{ rows }] = await Promise.all([
    client.query<{ replayed: string | null }>('SELECT pg_last_wal_replay_lsn()::text AS replayed'),
    client.query('COMMIT'),
  ]);
  notePosition(positions, parsePosition(rows[0]?.replayed));
}

/**
 * Whether a replica is the reason that a read failed, so that the leader may answer it: the connection, a conflict with
 * what it replays, a schema that is not migrated yet. Only a statement that took too long would take as long there.
 */
export const isOfReplica = (error: unknown): boolean =>
  isDatabaseGone(error) || (error instanceof pg.DatabaseError && !isStatementTimeout(error));

/** How far a replica has replayed; null: it is none. @throws when it does not answer soon */
export async function readPlace(pool: pg.Pool): Promise<bigint | null> {
  return withClient(pool, async (client) => placeOf((await client.query<PlaceRow>(PLACE)).rows[0]).replayed);
}

/** The end of the leader's log, and its timeline; null: this database does not lead. */
export async function readLeader(pool: pg.Pool): Promise<{ position: bigint; timeline: number } | null> {
  return withClient(pool, async (client) => {
    const { rows } = await client.query<{ position: string | null; timeline: number | null }>(LEADER);
    const { position = null, timeline = null } = rows[0] ?? {};
    const read = parsePosition(position);
    return read === null || timeline === null ? null : { position: read, timeline };
  });
}

/** The first eight digits of a file of the log are its timeline. */
const LEADER = `SELECT l.position::text, ('x' || left(pg_walfile_name(l.position), 8))::bit(32)::int AS timeline
  FROM (SELECT pg_current_wal_insert_lsn() AS position WHERE NOT pg_is_in_recovery() OFFSET 0) l`;

async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  limitSilence(client, BEGIN_MS);
  try {
    const value = await work(client);
    client.release();
    return value;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
