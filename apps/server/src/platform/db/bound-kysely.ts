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

/**
 * A query builder whose every statement goes to one connection. It has no transaction of its own to open: who
 * holds it is inside one.
 */
export function bindKysely(client: pg.ClientBase): Kysely<DB> {
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const result = await client.query(query.sql, query.parameters as unknown[]);
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
  return new Kysely<DB>({
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
}
