import type { Readable } from 'node:stream';
import type { Scope } from '@copydesk/domain';
import type { CompiledQuery } from 'kysely';
import pg from 'pg';
import QueryStream from 'pg-query-stream';
import { beginTransaction } from './begin.ts';
import { bindKysely } from './bound-kysely.ts';
import type { Tx } from './database.ts';

/** Rows per fetch. A slow reader holds back the database instead of filling our memory. */
const ROWS_AT_ONCE = 500;
/** An export of 100,000 rows takes seconds; a reader that stalls is cut off. */
const STATEMENT_TIMEOUT_MS = 120_000;

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
  const client = new pg.Client({
    connectionString: url,
    application_name: 'copydesk-export',
    connectionTimeoutMillis: 3_000,
  });
  client.on('error', () => {}); // the stream reports it
  await client.connect();
  await beginTransaction(client, 'BEGIN READ ONLY', { scope, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  const query = build({ scope, sql: bindKysely(client), filtersScope });
  const stream = client.query(
    new QueryStream(query.sql, query.parameters as unknown[], {
      batchSize: ROWS_AT_ONCE,
      highWaterMark: ROWS_AT_ONCE,
    }),
  );
  stream.once('close', () => void client.end().catch(() => {}));
  return stream;
}
