import { StartError } from '../../process/start-error.ts';
import {
  APPLICATION_ROLE,
  type ApplicationRole,
  OPERATOR_ROLE,
  WORKER_ROLE,
} from '../connection/connection.ts';
import type { Statements } from '../statements.ts';

interface Role {
  name: string;
  is_super: boolean;
  bypasses_policies: boolean;
  owns_tables: boolean;
}

/** insufficient_privilege; invalid_parameter_value, for a role that does not exist. */
const REFUSED = { '42501': true, '22023': true } as const;

/**
 * Describes what is wrong with the role that the application's transactions run in, in one line with the remedy; null
 * when row-level security binds it. A login of the owner is no problem: its transactions are in the role as well.
 * @param statements the application's, so that the check sees what every query of it sees
 */
export async function findRoleProblem(statements: Statements, role: ApplicationRole): Promise<string | null> {
  try {
    const { rows } = await statements.query<Role>(
      `SELECT current_user AS name, rolsuper AS is_super, rolbypassrls AS bypasses_policies,
         EXISTS (SELECT FROM pg_class c WHERE c.relnamespace IN (to_regnamespace('public'), to_regnamespace('identity'))
           AND c.relkind IN ('r', 'p') AND pg_has_role(current_user, c.relowner, 'MEMBER')) AS owns_tables
       FROM pg_roles WHERE rolname = current_user`,
    );
    return rows[0] ? problemOf(rows[0], role) : 'The database reports no current role.';
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (!(code && code in REFUSED)) throw error;
    if (role !== APPLICATION_ROLE)
      return `The login cannot work in the role ${role} (${message}). Run \`npm run migrate\` as the owner, and set ${OWN_LOGINS[role]}: CREATE ROLE the_login LOGIN PASSWORD '...' IN ROLE ${role}; Never grant it to the login of an API${role === OPERATOR_ROLE ? ' or of a worker' : ''}.`;
    return `The login of DATABASE_URL cannot work in the role ${role} (${message}). Run \`npm run migrate\` as the owner, and grant the role to the login: GRANT ${role} TO the_login;`;
  }
}

const OWN_LOGINS = {
  [WORKER_ROLE]: 'DATABASE_WORKER_URL, as in worker.env, to a login of workers',
  [OPERATOR_ROLE]: 'DATABASE_OPERATOR_URL, as in operator.env, to a login of operators',
} as const;

/** @throws the problem of `findRoleProblem`: the application must not start where the policies do not bind it */
export async function requireApplicationRole(statements: Statements, role: ApplicationRole): Promise<void> {
  const problem = await findRoleProblem(statements, role);
  if (problem !== null) throw new StartError(problem);
}

/** What a login can have that lets it act outside of the role of its transactions. */
const POWERS = {
  is_super: 'is a superuser of the cluster',
  bypasses_policies: 'bypasses row-level security (BYPASSRLS)',
  creates_roles: 'may create roles and grant them to itself (CREATEROLE)',
  replicates: 'may copy the whole cluster (REPLICATION)',
  owns_tables: 'owns tables of this database, or may act as their owner',
  is_worker: `may act as a worker (${WORKER_ROLE})`,
  is_operator: `may act as an operator (${OPERATOR_ROLE})`,
  reaches_files: 'reads or writes files and tables of the server (a role pg_...)',
} as const;

/** @throws the problem of `findLoginProblem`: a program that runs must not start with such a login */
export async function requireApplicationLogin(statements: Statements, role: ApplicationRole): Promise<void> {
  const problem = await findLoginProblem(statements, role);
  if (problem !== null) throw new StartError(problem);
}

/**
 * Describes what the login itself may do beyond the application's role; null: nothing. A connection between transactions
 * acts as the login, and so does whoever takes over the program.
 */
export async function findLoginProblem(
  statements: Statements,
  role: ApplicationRole,
): Promise<string | null> {
  const { rows } = await statements.query<Record<keyof typeof POWERS, boolean> & { name: string }>(
    `SELECT rolname AS name, rolsuper AS is_super, rolbypassrls AS bypasses_policies, rolcreaterole AS creates_roles,
       rolreplication AS replicates,
       EXISTS (SELECT FROM pg_class c WHERE c.relnamespace IN (to_regnamespace('public'), to_regnamespace('identity'))
         AND c.relkind IN ('r', 'p') AND pg_has_role(session_user, c.relowner, 'MEMBER')) AS owns_tables,
       EXISTS (SELECT FROM pg_roles p WHERE p.rolname = '${WORKER_ROLE}'
         AND pg_has_role(session_user, p.oid, 'MEMBER')) AS is_worker,
       EXISTS (SELECT FROM pg_roles p WHERE p.rolname = '${OPERATOR_ROLE}'
         AND pg_has_role(session_user, p.oid, 'MEMBER')) AS is_operator,
       EXISTS (SELECT FROM pg_roles p WHERE p.rolname IN ('pg_read_all_data', 'pg_write_all_data',
         'pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')
         AND pg_has_role(session_user, p.oid, 'MEMBER')) AS reaches_files
     FROM pg_roles WHERE rolname = session_user`,
  );
  const [login] = rows;
  if (!login) return 'The database reports no login.';
  const powers = (Object.keys(POWERS) as (keyof typeof POWERS)[]).filter((each) => login[each]);
  const power = powers.find((each) => each !== 'is_worker' || role === APPLICATION_ROLE);
  if (power === undefined) return null;
  const [program, variable] =
    role === APPLICATION_ROLE ? ['The API', 'DATABASE_URL'] : ['A worker', 'DATABASE_WORKER_URL'];
  return `${program} must not connect as ${login.name}, which ${POWERS[power]}. Set ${variable} to a login that is only a member of ${role}: "bin/copydesk create-database" makes one, and docs/operations/upgrading.md has the statement.`;
}

function problemOf(
  { name, is_super, bypasses_policies, owns_tables }: Role,
  role: ApplicationRole,
): string | null {
  if (name !== role)
    return `Statements run as ${name}, not as ${role}: a pooler before the database changes the first statement of transactions. Connect without it.`;
  if (is_super || bypasses_policies)
    return `Row-level security does not bind the role ${name}. As a superuser, run: ALTER ROLE ${name} NOSUPERUSER NOBYPASSRLS;`;
  if (owns_tables)
    return `The role ${name} owns tables of this database, or may act as their owner, and could change the policies. As a superuser, run: REASSIGN OWNED BY ${name} TO the_owner; and revoke the owner's role from ${name}.`;
  return null;
}
