import type pg from 'pg';
import { APPLICATION_ROLE, WORKER_ROLE } from '../connection/connection.ts';

/**
 * The privileges in a migrated database, as text: those of the application and of PUBLIC on the database, its schemas,
 * tables, views, columns and functions, and the policies of each table. Compared with `access.txt`, it shows reviewers
 * every privilege that a migration grants.
 */
export async function describeAccess(client: pg.ClientBase): Promise<string> {
  const lines = async (text: string) => {
    const { rows } = await client.query<{ line: string }>(text);
    return rows.map(({ line }) => line);
  };
  const sections = {
    'Database and schemas': await lines(SCHEMAS),
    'Functions, and who may call them beside their owner': await lines(FUNCTIONS),
    'Functions made from now on': await lines(DEFAULTS),
    'Tables and views: policies, and what the application may do': await lines(TABLES),
  };
  const text = Object.entries(sections).map(([title, found]) => `${title}\n\n${found.join('\n')}\n`);
  return `Written by \`npm run generate\` from a migrated database. Do not edit.\n\n${text.join('\n')}`;
}

/** The privileges that a list grants to the application and to PUBLIC. */
const grantedBy = (
  acl: string,
) => `coalesce((SELECT string_agg(format('%s %s', who, what), ', ' ORDER BY who, what) FROM (
  SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END AS who,
    string_agg(a.privilege_type, ' ' ORDER BY a.privilege_type) AS what
  FROM aclexplode(${acl}) a WHERE a.grantee IN (0, '${APPLICATION_ROLE}'::regrole, '${WORKER_ROLE}'::regrole) GROUP BY 1) g), 'none')`;

const SCHEMAS = `
  SELECT '  database: ' || ${grantedBy("coalesce(d.datacl, acldefault('d', d.datdba))")} AS line
  FROM pg_database d WHERE datname = current_database()
  UNION ALL
  (SELECT format('  schema %s: ', nspname) || ${grantedBy("coalesce(nspacl, acldefault('n', nspowner))")}
   FROM pg_namespace WHERE nspname IN ('app', 'identity', 'pgboss', 'public') ORDER BY nspname)`;

const FUNCTIONS = `
  SELECT format('  %s%s: ', p.oid::regprocedure, CASE WHEN p.prosecdef
    THEN format(' (owner''s rights, %s)', coalesce(array_to_string(p.proconfig, ' '), 'search_path NOT PINNED')) ELSE '' END)
    || ${grantedBy("coalesce(p.proacl, acldefault('f', p.proowner))")} AS line
  FROM pg_proc p WHERE p.pronamespace = 'app'::regnamespace ORDER BY p.oid::regprocedure::text`;

const DEFAULTS = `
  SELECT format('  %s: ', CASE WHEN d.defaclnamespace = 0 THEN 'everywhere' ELSE d.defaclnamespace::regnamespace::text END)
    || ${grantedBy('d.defaclacl')} AS line
  FROM pg_default_acl d WHERE d.defaclobjtype = 'f' ORDER BY 1`;

const TABLES = `
  SELECT line FROM (
    SELECT c.oid::regclass::text AS name, 0 AS kind, '' AS part, format(E'  %s\\n    %s', c.oid::regclass,
      CASE WHEN c.relkind = 'v' THEN CASE WHEN 'security_invoker=true' = ANY (c.reloptions)
          THEN 'view, with the rights of the caller' ELSE 'view, WITH THE RIGHTS OF ITS OWNER' END
        WHEN NOT c.relrowsecurity THEN 'no row-level security'
        WHEN c.relforcerowsecurity THEN 'row-level security, forced' ELSE 'row-level security, not forced' END) AS line
    FROM pg_class c WHERE ${ofOurs('c')}
    UNION ALL
    SELECT c.oid::regclass::text, 1, p.polname, format('    policy %s for %s', p.polname,
      CASE p.polcmd WHEN '*' THEN 'all' WHEN 'r' THEN 'select' WHEN 'a' THEN 'insert' WHEN 'w' THEN 'update' ELSE 'delete' END)
      || coalesce(E'\\n      sees ' || regexp_replace(pg_get_expr(p.polqual, p.polrelid), '\\s+', ' ', 'g'), '')
      || coalesce(E'\\n      writes ' || regexp_replace(pg_get_expr(p.polwithcheck, p.polrelid), '\\s+', ' ', 'g'), '')
    FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid WHERE ${ofOurs('c')}
    UNION ALL
    SELECT c.oid::regclass::text, 2, '', '    ' || ${grantedBy("coalesce(c.relacl, acldefault('r', c.relowner))")}
    FROM pg_class c WHERE ${ofOurs('c')}
    UNION ALL
    SELECT c.oid::regclass::text, 3, a.attname, format('    column %s: ', a.attname) || ${grantedBy('a.attacl')}
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attacl IS NOT NULL WHERE ${ofOurs('c')}
  ) described ORDER BY name, kind, part`;

function ofOurs(alias: string): string {
  return `${alias}.relkind IN ('r', 'p', 'v') AND ${alias}.relnamespace::regnamespace::text IN ('public', 'identity')`;
}
