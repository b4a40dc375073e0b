import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type pg from 'pg';
import type { DB } from './schema.ts';

/** Statements that are prepared under a name. We have few distinct texts; beyond this number the rest go unnamed. */
const MAX_PREPARED = 500;
const names = new Map<string, string>();

/**
 * The name that a connection keeps a prepared statement under. It is parsed and planned once and not for every request:
 * planning a scoped list costs as much as running it.
 */
function nameOf(text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < MAX_PREPARED) {
    name = `q${names.size}`;
    names.set(text, name);
  }
  return name;
}

const clients = new WeakMap<Kysely<DB>, pg.ClientBase>();

/** The connection of a query builder of `bindKysely`. */
export const clientOf = (db: Kysely<DB>): pg.ClientBase | undefined => clients.get(db);

/**
 * A query builder that sends every statement to one connection. It opens no transaction: its holder is already inside
 * one.
 */
export function bindKysely(client: pg.ClientBase): Kysely<DB> {
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const { sql: text, parameters } = query;
      const result = await client.query({ name: nameOf(text), text, values: parameters as unknown[] });
      return {
        rows: result.rows,
        numAffectedRows: result.rowCount === null ? undefined : BigInt(result.rowCount),
      };
    },
    // biome-ignore lint/correctness/useYield: streaming has its own module, on a connection without pipelining
    async *streamQuery() {
      throw new Error('streamQuery is not offered here; see stream.ts');
    },
  };
  const refuse = async () => {
    throw new Error('transactions are opened by the database module only');
  };
  const bound = new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => connection,
        releaseConnection: async () => {},
        beginTransaction: refuse,
        commitTransaction: refuse,
        rollbackTransaction: refuse,
        destroy: async () => {},
      }),
    },
  });
  clients.set(bound, client);
  return bound;
}
