import type { Scope } from '@copydesk/domain/access';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import { type Actor, type AuditEntry, commitWithAudit } from '../audit/audit.ts';
import { inSpan } from '../observe/tracing.ts';
import { beginTransaction } from './begin.ts';
import { bindKysely } from './bound-kysely.ts';
import { recordWrites } from './connection/connection.ts';
import { isReadOnly } from './connection/outage.ts';
import { takeWakes } from './connection/wake-notices.ts';
import type { DB } from './schema.ts';
import { createWaker } from './waker.ts';

/** An open transaction. Every store and view requires one, so no table is reachable without it. */
export interface Tx {
  readonly scope: Scope;
  readonly sql: Kysely<DB>;
  /** False only in the test that proves row-level security alone. */
  readonly filtersScope: boolean;
}

/** The scope of workers and tools, which see every row. */
export const WHOLE_SCOPE = { kind: 'all' } as const;

/** A transaction that may write, under an actor. */
export interface WriteTx extends Tx {
  readonly actor: Actor;
  /** Records a change; written as the last statement of the transaction, in the order of the calls. */
  audit(entry: AuditEntry): void;
}

export interface Database {
  /**
   * Runs `work` in a read-only transaction that sees the rows of `scope`, and the personal rows of `caller` if there is
   * one.
   */
  read<T>(scope: Scope, work: (tx: Tx) => Promise<T>, caller?: Caller): Promise<T>;
  /** Runs `work` in a transaction; commits when it returns, rolls back when it throws. */
  write<T>(scope: Scope, actor: Actor, work: (tx: WriteTx) => Promise<T>): Promise<T>;
  /** The pool itself. Its connections have neither role nor scope: see `createStatements`. */
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** The caller that a transaction runs under. */
type Caller = Pick<Actor, 'kind' | 'id'>;

export interface DatabaseOptions {
  pool: pg.Pool;
  /** Key of the audit chain's keyed hash; it never enters the database. */
  auditKey: Buffer;
  /** Of workers: the key of their entries' own hashes. Without it those are under the key of the chain. */
  workerAuditKey?: Buffer | null;
  now: () => Date;
  filtersScope?: boolean;
  /** See `beginTransaction`. */
  statementTimeoutMs?: number | undefined;
}

const spanOf = (operation: string) => ({
  kind: 'client' as const,
  attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operation },
});
const READ_SPAN = spanOf('read');
const WRITE_SPAN = spanOf('write');

/** Opens every transaction with the caller's scope as its context, which row-level security reads. */
export function createDatabase({
  pool,
  auditKey,
  workerAuditKey = null,
  now,
  filtersScope = true,
  statementTimeoutMs,
}: DatabaseOptions): Database {
  const keys = { chain: auditKey, worker: workerAuditKey };
  const waker = createWaker(pool);
  return {
    pool,
    read: (scope, work, caller) =>
      inSpan('database read', READ_SPAN, async () => {
        const client = await pool.connect();
        const opened = beginTransaction(client, 'BEGIN READ ONLY', { scope, caller, statementTimeoutMs });
        try {
          const result = await work({ scope, sql: bindKysely(client), filtersScope });
          await opened;
          // Nothing was written, so the caller need not wait for the end of the transaction.
          client.query('COMMIT').then(
            () => client.release(),
            (error) => client.release(error),
          );
          return result;
        } catch (error) {
          await abandon(client);
          // Not an outage of a replica: the statement would have failed on any database.
          throw isReadOnly(error)
            ? new Error('A transaction that only reads has written', { cause: error })
            : error;
        }
      }),
    write: (scope, actor, work) =>
      inSpan('database write', WRITE_SPAN, async () => {
        const client = await pool.connect();
        const context = { scope, caller: actor, statementTimeoutMs, wakesAfter: true };
        const opened = beginTransaction(client, 'BEGIN', context);
        takeWakes(client); // of a transaction that was undone
        try {
          const entries: AuditEntry[] = [];
          const sql = bindKysely(client);
          const result = await work({
            scope,
            actor,
            sql,
            filtersScope,
            audit: (entry) => entries.push(entry),
          });
          await opened;
          await commitWithAudit(client, { actor, entries, keys, at: now() });
          const wakes = takeWakes(client);
          client.release();
          waker.wake(wakes);
          return result;
        } catch (error) {
          if (isReadOnly(error)) recordWrites(client, false);
          await abandon(client);
          throw error;
        }
      }),
    async close() {
      await waker.close();
      await pool.end();
    },
  };
}

/**
 * The state of a connection is unknown after a failed rollback, so it leaves the pool. Nothing is sent over one that was
 * lost or given up: its rollback fails at once.
 */
async function abandon(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('ROLLBACK');
    client.release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
  }
}
