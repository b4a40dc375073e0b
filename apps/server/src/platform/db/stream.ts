import type { Readable } from 'node:stream';
import type { Scope } from '@copydesk/domain/access';
import type { CompiledQuery } from 'kysely';
import QueryStream from 'pg-query-stream';
import { beginTransaction } from './begin.ts';
import { bindKysely } from './bound-kysely.ts';
import { createClient } from './connection/connection.ts';
import { markDatabaseError } from './connection/outage.ts';
import { WAITS, watchSilence } from './connection/silence.ts';
import type { Tx } from './database.ts';

/** Rows per fetch. A slow reader holds back the database instead of filling our memory. */
const ROWS_AT_ONCE = 500;
/** Of each fetch: of 100,000 rows the first takes seconds, because it sorts. The server says so before we give it up. */
const STATEMENT_TIMEOUT_MS = 20_000;

export interface StreamOptions {
  url: string;
  filtersScope?: boolean;
}

/**
 * Streams the rows of one statement, read in a scope, over a connection of its own: a cursor cannot share a pipelined
 * one. The connection closes when either side ends the stream.
 */
export async function streamRows(
  { url, filtersScope = true }: StreamOptions,
  scope: Scope,
  build: (tx: Tx) => CompiledQuery,
): Promise<Readable> {
  const client = createClient({
    connectionString: url,
    application_name: 'copydesk-export',
    connectionTimeoutMillis: 3_000,
  });
  const leave = () => void client.end().catch(() => {});
  let query: CompiledQuery;
  try {
    await client.connect();
    await beginTransaction(client, 'BEGIN READ ONLY', { scope, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
    query = build({ scope, sql: bindKysely(client), filtersScope });
  } catch (error) {
    leave();
    throw markDatabaseError(error);
  }
  const stream = client.query(
    new QueryStream(query.sql, query.parameters as unknown[], {
      batchSize: ROWS_AT_ONCE,
      highWaterMark: ROWS_AT_ONCE,
    }),
  );
  const cursor = stream.cursor as { state: string };
  // Each fetch has a deadline of its own. Between two of them the reader is slow, and the database owes nothing.
  const isFetching = () => cursor.state === 'submitted' || cursor.state === 'busy';
  watchSilence(client, WAITS.rowsMs, () => isFetching() || (stream.destroyed && !stream.closed));
  client.on('error', (error) => {
    // Else the stream waits for the server to close the cursor, and its reader for the stream.
    cursor.state = 'done';
    stream.destroy(error);
  });
  stream.once('close', leave);
  return stream;
}
