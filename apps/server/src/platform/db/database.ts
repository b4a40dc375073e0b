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
import { currentPositions, notePosition, readPresentPosition } from './position.ts';
import { NOT_READ, type Replicas } from './replicas/replicas.ts';
import type { DB } from './schema.ts';
import { sendTogether } from './send-together.ts';
import { createWaker } from './waker.ts';

/**
 * An open transaction that reads, on the leader or on a replica, which may be behind. Every store and view requires a
 * transaction, so no table is reachable without one. What takes this one only shows something.
 */
export interface AnyTx {
  readonly scope: Scope;
  readonly sql: Kysely<DB>;
  /** False only in the test that proves row-level security alone. */
  readonly filtersScope: boolean;
}

/**
 * A transaction on the leader. What decides takes this one, so that it cannot be called with what a replica has: money,
 * sign-in and rights are never decided by a state that is behind.
 */
export interface Tx extends AnyTx {
  readonly isCurrent: true;
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
  /**
   * The same for what is only shown: on a replica, where there are some and one has all that the request needs to see.
   * `work` may run twice: what a replica did not answer, the leader does.
   */
  readAny<T>(scope: Scope, work: (tx: AnyTx) => Promise<T>, caller?: Caller): Promise<T>;
  /** Runs `work` in a transaction; commits when it returns, rolls back when it throws. */
  write<T>(scope: Scope, actor: Actor, work: (tx: WriteTx) => Promise<T>): Promise<T>;
  /** The pool itself. Its connections have neither role nor scope: see `createStatements`. */
  readonly pool: pg.Pool;
  /** Null: the leader answers everything. */
  readonly replicas: Replicas | null;
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
  replicas?: Replicas | null;
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
  replicas = null,
}: DatabaseOptions): Database {
  const keys = { chain: auditKey, worker: workerAuditKey };
  const waker = createWaker(pool);
  const db: Database = {
    pool,
    replicas,
    async readAny(scope, work, caller) {
      const positions = currentPositions();
      if (!replicas || !positions) return db.read(scope, work, caller);
      const context = { scope, caller, statementTimeoutMs };
      const answer = await inSpan('database read of a replica', READ_SPAN, () =>
        replicas.read({ context, positions }, (sql) => work({ scope, sql, filtersScope })),
      );
      return answer === NOT_READ ? db.read(scope, work, caller) : answer;
    },
    read: (scope, work, caller) =>
      inSpan('database read', READ_SPAN, async () => {
        const client = await pool.connect();
        const opened = beginTransaction(client, 'BEGIN READ ONLY', { scope, caller, statementTimeoutMs });
        try {
          const result = await work({ scope, sql: bindKysely(client), filtersScope, isCurrent: true });
          await opened;
          // Nothing was written, so the caller need not wait for the end of the transaction.
          const seen = replicas && endSeen(client);
          client.query('COMMIT').then(
            () => client.release(),
            (error) => client.release(error),
          );
          await seen;
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
            isCurrent: true,
            audit: (entry) => entries.push(entry),
          });
          await opened;
          await commitWithAudit(client, { actor, entries, keys, at: now() });
          const wakes = takeWakes(client);
          if (replicas) await noteWritten(client, replicas);
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
      await replicas?.close();
      await pool.end();
    },
  };
  return db;
}

/** Asks how far a read has seen, together with the end of its transaction. Without an answer, nothing is known. */
async function endSeen(client: pg.PoolClient): Promise<void> {
  const positions = currentPositions();
  if (!positions) return;
  sendTogether(client);
  notePosition(positions, await readPresentPosition(client).catch(() => null));
}

/** After a commit, which is done whatever the answer to this is. */
async function noteWritten(client: pg.PoolClient, replicas: Replicas): Promise<void> {
  const positions = currentPositions();
  const seen = await readPresentPosition(client).catch(() => null);
  notePosition(positions, seen);
  if (seen !== null) return replicas.need(seen);
  replicas.needNext();
  if (positions) Object.assign(positions, { isLost: true, needed: null });
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
