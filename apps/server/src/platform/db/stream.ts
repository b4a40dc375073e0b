import { Readable } from 'node:stream';
import type { Scope } from '@copydesk/domain/access';
import { type CompiledQuery, sql } from 'kysely';
import type pg from 'pg';
import { beginTransaction } from './begin.ts';
import { bindKysely } from './bound-kysely.ts';
import { createClient } from './connection/connection.ts';
import { markDatabaseError } from './connection/outage.ts';
import { limitSilence, WAITS } from './connection/silence.ts';
import type { Tx } from './database.ts';
import { currentPositions, notePosition } from './position.ts';
import { beginOnReplica, isOfReplica } from './replicas/read-on-replica.ts';
import type { Replicas } from './replicas/replicas.ts';

/** Rows per fetch. A slow reader holds back the database instead of filling our memory. */
const ROWS_AT_ONCE = 500;
/**
 * Limit of each fetch: of 100,000 rows the first takes seconds, because it sorts. The server cancels it
 * before this process gives it up.
 */
const STATEMENT_TIMEOUT_MS = 20_000;
/**
 * A reader that takes no rows for this long is gone. Until then its snapshot keeps the server from removing
 * deleted rows.
 */
const READER_TIMEOUT_MS = 120_000;
const CURSOR = 'streamed';

export interface StreamOptions {
  url: string;
  filtersScope?: boolean;
  statementTimeoutMs?: number;
  /** Of an API: a list may be streamed from one of them. */
  replicas?: Replicas | null;
}

/**
 * Streams the rows of one statement, read in a scope, over a connection of its own, which closes when either side ends
 * the stream. Each fetch is a statement with a time limit of its own; those of one `Execute` after another, as drivers
 * send them for a cursor, are one statement to the server, and its limit then counts how long the reader takes.
 */
export async function streamRows(
  options: StreamOptions,
  scope: Scope,
  build: (tx: Tx) => CompiledQuery,
): Promise<Readable> {
  const client = (await openOnReplica(options, scope, build)) ?? (await openOnLeader(options, scope, build));
  const leave = () => void client.end().catch(() => {});

  async function fetchInto(stream: Readable): Promise<void> {
    if (hasEnded) return;
    const { rows } = await client.query(`FETCH ${ROWS_AT_ONCE} FROM ${CURSOR}`);
    hasEnded = rows.length < ROWS_AT_ONCE;
    for (const row of rows) stream.push(row);
    if (hasEnded) stream.push(null);
  }
  let hasEnded = false;
  let fetching = Promise.resolve();
  const stream = new Readable({
    objectMode: true,
    highWaterMark: ROWS_AT_ONCE,
    read() {
      // Fetches run one after the other: the first row of one may already trigger the next.
      fetching = fetching
        .then(() => fetchInto(stream))
        .catch((error) => void stream.destroy(markDatabaseError(error)));
    },
    destroy(error, done) {
      leave();
      done(error);
    },
  });
  // Otherwise a reader learns only at its next fetch that the connection is gone.
  client.on('error', (error) => stream.destroy(error));
  return stream;
}

function createStreamClient(url: string): pg.Client {
  return createClient({
    connectionString: url,
    application_name: 'copydesk-export',
    connectionTimeoutMillis: 3_000,
  });
}

async function openOnLeader(
  { url, filtersScope = true, statementTimeoutMs = STATEMENT_TIMEOUT_MS }: StreamOptions,
  scope: Scope,
  build: (tx: Tx) => CompiledQuery,
): Promise<pg.Client> {
  const client = createStreamClient(url);
  try {
    await client.connect();
    await beginTransaction(client, 'BEGIN READ ONLY', { scope, statementTimeoutMs });
    await declare(client, { scope, sql: bindKysely(client), filtersScope, isCurrent: true }, build);
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw markDatabaseError(error);
  }
}

/** Null: no replica has what the request needs to see, or it fails, and no row was read yet. */
async function openOnReplica(
  { replicas, filtersScope = true, statementTimeoutMs = STATEMENT_TIMEOUT_MS }: StreamOptions,
  scope: Scope,
  build: (tx: Tx) => CompiledQuery,
): Promise<pg.Client | null> {
  const positions = currentPositions();
  if (!replicas || !positions || positions.needed === null) return null;
  const url = replicas.chooseUrl();
  if (url === null) return null;
  const client = createStreamClient(url);
  try {
    await client.connect();
    const { place, sql: bound } = await beginOnReplica(client, { scope, statementTimeoutMs });
    if (replicas.isFit(place, positions)) {
      // `build` only writes the statement of a list: it reads and decides nothing.
      await declare(client, { scope, sql: bound, filtersScope, isCurrent: true }, build);
      notePosition(positions, place.replayed);
      return client;
    }
  } catch (error) {
    if (!isOfReplica(markDatabaseError(error))) throw error;
  }
  void client.end().catch(() => {});
  return null;
}

async function declare(client: pg.Client, tx: Tx, build: (tx: Tx) => CompiledQuery): Promise<void> {
  // All rows are read: without this the planner would prefer a plan that is quick for the first rows and
  // slower in total.
  await sql`SELECT set_config('cursor_tuple_fraction', '1', true),
    set_config('idle_in_transaction_session_timeout', ${`${READER_TIMEOUT_MS}`}, true)`.execute(tx.sql);
  const { sql: text, parameters } = build(tx);
  limitSilence(client, WAITS.rowsMs);
  await client.query(`DECLARE ${CURSOR} NO SCROLL CURSOR FOR ${text}`, parameters as unknown[]);
}
