import type pg from 'pg';
import { inSpan } from '../observe/tracing.ts';
import { beginTransaction } from './begin.ts';

/** Statements of the application outside `read` and `write`: identity, the job queue, checks at the start. */
export interface Statements {
  /** Runs one statement in a transaction of its own, in one round trip. It sees no row of a tenant. */
  // biome-ignore lint/suspicious/noExplicitAny: as in the driver, a row is what its caller says
  query<R extends pg.QueryResultRow = any>(
    text: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<R>>;
}

const STATEMENT_SPAN = {
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql', 'db.operation.name': 'statement' },
} as const;

/** Single statements over the connections of a pool. */
export function createStatements(pool: pg.Pool): Statements {
  return {
    query: (text, values) =>
      inSpan('database statement', STATEMENT_SPAN, async () => {
        const client = await pool.connect();
        return queryAlone<never>(client, text, values).finally(() => client.release()); // a broken one leaves the pool
      }),
  };
}

/** Runs one statement in a transaction of its own over a connection that has none open. */
export async function queryAlone<R extends pg.QueryResultRow>(
  client: pg.ClientBase,
  text: string | pg.QueryConfig,
  values?: unknown[],
): Promise<pg.QueryResult<R>> {
  const opened = beginTransaction(client, 'BEGIN');
  const answered = client.query<R>(text as string, values);
  // After a failed statement, COMMIT rolls back.
  const ended = client.query('COMMIT');
  // Every promise is awaited before the connection goes back, and the first failure is the cause of the others.
  const [begin, answer, end] = await Promise.allSettled([opened, answered, ended]);
  if (begin.status === 'rejected') throw begin.reason;
  if (answer.status === 'rejected') throw answer.reason;
  if (end.status === 'rejected') throw end.reason;
  return answer.value;
}
