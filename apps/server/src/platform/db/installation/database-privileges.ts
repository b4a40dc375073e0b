import type pg from 'pg';
import { StartError } from '../../process/start-error.ts';
import { APPLICATION_ROLE } from '../connection/connection.ts';
import type { Statements } from '../statements.ts';

/** Default privileges of PUBLIC in a new database that the application must not have: see migration 2001. */
interface Excess {
  temporary: boolean;
  creates: boolean;
}

/**
 * Revokes the privileges that every login has in a new database: temporary tables, and tables in `public`. A restored
 * or copied database has these privileges again, so this runs with every migration.
 * @param owner connection of the owner of the database
 * @throws when the owner cannot revoke the privileges
 */
export async function revokePublicPrivileges(owner: pg.ClientBase): Promise<void> {
  await owner.query(`DO $$
    BEGIN
      EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
      REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    END $$`);
  const { rows } = await owner.query<Excess & { database: string }>(
    `SELECT has_database_privilege($1, current_database(), 'TEMPORARY') AS temporary,
       has_schema_privilege($1, 'public', 'CREATE') AS creates, quote_ident(current_database()) AS database`,
    [APPLICATION_ROLE],
  );
  const found = rows[0];
  if (found?.temporary || found?.creates)
    throw new StartError(
      `PUBLIC may create tables in this database, and this login cannot take that back. Run as its owner: REVOKE TEMPORARY ON DATABASE ${found.database} FROM PUBLIC; REVOKE CREATE ON SCHEMA public FROM PUBLIC;`,
    );
}

/**
 * Checks that the application cannot create tables, temporary ones included.
 * @throws when it can: the database was restored or copied, and not migrated since
 */
export async function requireRestrictedDatabase(statements: Statements): Promise<void> {
  const { rows } = await statements.query<Excess>(
    `SELECT has_database_privilege(current_user, current_database(), 'TEMPORARY') AS temporary,
       has_schema_privilege(current_user, 'public', 'CREATE') AS creates`,
  );
  if (rows[0]?.temporary || rows[0]?.creates)
    throw new StartError(
      'The application may create tables in this database, as after a restore. Run `npm run migrate` as the owner: it takes that back.',
    );
}
