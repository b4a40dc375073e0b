import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { createPool } from '../../apps/server/src/platform/db/connection/connection.ts';
import { createDatabase, type Database } from '../../apps/server/src/platform/db/database.ts';
import { AUDIT_KEY } from './test-app.ts';

export interface DyingDatabase {
  db: Database;
  /** Number of statements sent. */
  sent(): number;
}

/**
 * A database whose process dies at a statement, like by kill -9: it sends nothing more, and the server finds the
 * connection gone. `before`: the statement was not sent. `after`: it was sent, and its answer lost.
 */
export function createDyingDatabase(
  url: string,
  death: { at: number; when: 'before' | 'after' },
): DyingDatabase {
  const pool = createPool({ url, applicationName: 'test-dying' });
  let sent = 0;
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  pool.connect = (async () => {
    if (sent >= death.at) throw new Error('Connection terminated: this process is dead');
    return mortal(await connect(), () => ++sent, death);
  }) as never;
  return { db: createDatabase({ pool, auditKey: AUDIT_KEY, now: () => new Date() }), sent: () => sent };
}

function mortal(
  client: pg.PoolClient,
  count: () => number,
  death: { at: number; when: 'before' | 'after' },
): pg.PoolClient {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => {
    const number = count();
    if (number > death.at || (number === death.at && death.when === 'before')) {
      stream.destroy();
      return Promise.reject(new Error('Connection terminated: this process is dead'));
    }
    const answer = query(...args);
    // Bytes sent so far are on their way to the server.
    if (number === death.at) setImmediate(() => stream.destroy());
    return answer;
  }) as never;
  return client;
}
