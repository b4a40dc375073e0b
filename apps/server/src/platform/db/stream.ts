import type { Readable } from 'node:stream';
import type { Scope } from '@copydesk/domain';
import type { CompiledQuery } from 'kysely';
import pg from 'pg';
import QueryStream from 'pg-query-stream';
import { bindKysely } from './bound-kysely.ts';
import { APPLICATION_ROLE } from './connection.ts';
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
    options: `-c role=${APPLICATION_ROLE} -c statement_timeout=${STATEMENT_TIMEOUT_MS} -c jit=off -c DateStyle=ISO`,
  });
  client.on('error', () => {}); // the stream reports it
  await client.connect();
  await client.query('BEGIN READ ONLY');
  await client.query(
    "SELECT set_config('copydesk.scope', $1, true), set_config('copydesk.provider_ids', $2, true)",
    scope.kind === 'all' ? ['all', ''] : ['providers', scope.providerIds.join(',')],
  );
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
