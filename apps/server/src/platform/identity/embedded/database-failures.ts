import { AsyncLocalStorage } from 'node:async_hooks';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { beginTransaction } from '../../db/begin.ts';
import { isStatementTimeout } from '../../db/connection/connection.ts';
import { isDatabaseGone } from '../../db/connection/outage.ts';
import { queryAlone } from '../../db/statements.ts';
import { withoutStandIn } from './library-address.ts';

const requests = new AsyncLocalStorage<{ failure: unknown }>();

/**
 * Wraps the pool for the library. Its statements run in transactions of the application, and failures of the database
 * are recorded: the library turns them into answers of its own, "Failed to get session", or signed out although the
 * session is still valid.
 */
export function recordDatabaseFailures(pool: pg.Pool): PostgresPool {
  return {
    async connect() {
      const client = await noting(pool.connect());
      let isOpen = false;
      // The library reads no rows by cursor, the other form of a query.
      const query: unknown = (text: string, given: unknown[]) => {
        const values = given?.map(withoutStandIn);
        if (/^(begin|start transaction)/.test(text)) {
          isOpen = true;
          return noting(beginTransaction(client, 'BEGIN'));
        }
        return noting(isOpen ? client.query(text, values) : queryAlone(client, text, values));
      };
      return { query: query as PostgresPoolClient['query'], release: () => client.release() };
    },
    end: () => pool.end(),
  };
}

/**
 * Returns the library's answer to a request, unless the database failed meanwhile.
 * @throws the failure of the database, or when the library answers an error of its own making
 */
export async function answerUnlessDatabaseFailed(handle: () => Promise<Response>): Promise<Response> {
  const noted = { failure: undefined as unknown };
  const response = await requests.run(noted, handle);
  if (noted.failure) throw noted.failure;
  if (response.status >= 500) throw new Error(`The identity library answered ${response.status}`);
  return response;
}

async function noting<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const noted = requests.getStore();
    if (noted && (isDatabaseGone(error) || isStatementTimeout(error))) noted.failure ??= error;
    throw error;
  }
}
