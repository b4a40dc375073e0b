import type { Scope } from '@copydesk/domain/access';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { clientOf } from './bound-kysely.ts';
import { recordWrites, roleOf } from './connection/connection.ts';
import { limitSilence, WAITS } from './connection/silence.ts';
import type { DB } from './schema.ts';
import { sendTogether } from './send-together.ts';

/** The server cancels statements that run longer. Transactions of jobs raise it for themselves. */
const STATEMENT_TIMEOUT_MS = 15_000;
const IDLE_TIMEOUT_MS = 30_000;

export interface TransactionContext {
  /** The rows that the transaction sees; without one it sees no row of a tenant. */
  scope?: Scope;
  /** The caller whose personal rows it also sees. */
  caller?: { kind: string; id: string } | undefined;
  statementTimeoutMs?: number | undefined;
  /** Its caller wakes others after the commit (`takeWakes`): nothing is notified in the transaction. */
  wakesAfter?: boolean;
}

/**
 * The role, the scope and all settings of a transaction, in one statement. They are not options of the connection: a
 * pooler refuses those or ignores them, and then statements run as the login's role and without a timeout. All end with
 * the transaction, so the next one on the same connection inherits none.
 */
const SETTINGS = `SELECT set_config('role', $5, true),
  set_config('search_path', 'public', true), set_config('row_security', 'on', true), -- whatever ALTER ROLE ... SET says
  set_config('TimeZone', 'UTC', true), set_config('IntervalStyle', 'postgres', true),
  set_config('copydesk.scope', $1, true), set_config('copydesk.provider_ids', $2, true),
  set_config('copydesk.caller', $3, true), set_config('statement_timeout', $4, true),
  set_config('idle_in_transaction_session_timeout', '${IDLE_TIMEOUT_MS}', true),
  set_config('lock_timeout', '0', true), -- a wait for a lock counts as part of its statement
  set_config('jit', 'off', true),
  set_config('DateStyle', 'ISO', true), -- app.iso returns times as they print
  set_config('max_parallel_workers_per_gather', '0', true), -- many short queries at once: one core each
  set_config('work_mem', '16MB', true), -- a list of 10,000 rows is sorted in memory
  set_config('copydesk.wakes', $6, true), set_config('client_min_messages', 'notice', true), -- see app.wake
  -- This transaction may only read in any case: what counts is how the next one would begin.
  NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off' AS takes_writes`;

/**
 * Opens a transaction of the application. Every query of the application runs in one: there is no other way to its role.
 * BEGIN, the settings and the statement that follows travel together; await the result before trusting theirs.
 * A connection that does not answer BEGIN soon is silent, whatever the statement after it may take.
 */
export function beginTransaction(
  client: pg.ClientBase,
  begin: 'BEGIN' | 'BEGIN READ ONLY',
  { scope, caller, statementTimeoutMs = STATEMENT_TIMEOUT_MS, wakesAfter = false }: TransactionContext = {},
): Promise<unknown> {
  sendTogether(client);
  limitSilence(client, WAITS.beginMs);
  const begun = client.query(begin);
  const set = client.query<{ takes_writes: boolean }>({
    name: 'transaction-settings',
    text: SETTINGS,
    values: [
      ...valuesOf(scope),
      caller ? `${caller.kind}:${caller.id}` : '',
      `${statementTimeoutMs}`,
      roleOf(client),
      wakesAfter ? 'after' : '',
    ],
  });
  const opened = Promise.all([begun, set]).then(([answer, { rows }]) => {
    limitSilence(client, statementTimeoutMs + WAITS.marginMs);
    recordWrites(client, rows[0]?.takes_writes ?? true);
    return answer;
  });
  opened.catch(() => {}); // the caller that awaits it gets the error; the first statement fails too
  return opened;
}

/** Sets the time limit of the statements that follow in a transaction, for the server and for ourselves. */
export async function limitStatements(tx: { sql: Kysely<DB> }, timeoutMs: number): Promise<void> {
  await sql`SELECT set_config('statement_timeout', ${`${timeoutMs}`}, true)`.execute(tx.sql);
  const client = clientOf(tx.sql);
  if (client) limitSilence(client, timeoutMs + WAITS.marginMs);
}

function valuesOf(scope: Scope | undefined): [string, string] {
  if (!scope) return ['', ''];
  return scope.kind === 'all' ? ['all', ''] : ['providers', scope.providerIds.join(',')];
}
