import type pg from 'pg';
import { MONEY_TABLES } from '../../tests/support/describe-money-tables.ts';

/** What approvals, signatures and the audit depend on besides the money tables. */
const GUARDS = [
  'community',
  'provider',
  'trader',
  'pool_member',
  'message',
  'pool_key',
  'pool_exchange_request',
  'exchange_credential',
  'audit_entry',
  'audit_order',
  'audit_seal',
  'audit_unsealed',
  'audit_verification',
  'check_result',
  'demo_world',
  'schema_migration',
  'worker_heartbeat',
  'identity.user_access',
  'identity.user_sponsor',
  'identity.setup_token',
  'identity.sign_in_service',
];

export interface Column {
  name: string;
  /** As PostgreSQL prints it. */
  type: string;
  isNullable: boolean;
  /** Computed by the database: no statement gives it a value. */
  isComputed: boolean;
  /** The role of the API may give it a value in a new row. */
  isInsertable: boolean;
  isKey: boolean;
  /** The table and column that a foreign key refers to; null: none. */
  refersTo: [table: string, column: string] | null;
  /** The values that a check constraint names. */
  words: string[];
  /** A check constraint wants an address. */
  isAddress: boolean;
}

export interface Table {
  name: string;
  columns: Column[];
}

const TABLES = `
  SELECT CASE n.nspname WHEN 'public' THEN c.relname ELSE n.nspname || '.' || quote_ident(c.relname) END AS name,
    json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, NULL), 'isNullable', NOT a.attnotnull,
      'isComputed', a.attidentity <> '' OR a.attgenerated <> '',
      'isInsertable', has_column_privilege('copydesk_app', c.oid, a.attnum, 'INSERT'),
      'isKey', EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND a.attnum = ANY (i.indkey)),
      'refersTo', (SELECT json_build_array(f.confrelid::regclass::text, b.attname) FROM pg_constraint f
        JOIN pg_attribute b ON b.attrelid = f.confrelid AND b.attnum = f.confkey[array_position(f.conkey, a.attnum)]
        WHERE f.conrelid = c.oid AND f.contype = 'f' AND a.attnum = ANY (f.conkey) LIMIT 1),
      'words', coalesce((SELECT json_agg(DISTINCT w[1]) FROM pg_constraint k,
          regexp_matches(pg_get_constraintdef(k.oid), '''([a-z_0-9]+)''::text', 'g') w
        WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum]), '[]'),
      'isAddress', EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c'
        AND k.conkey = ARRAY[a.attnum] AND pg_get_constraintdef(k.oid) LIKE '%0x%'))
      ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relkind IN ('r', 'p') AND (c.oid = ANY (SELECT to_regclass(t)::oid FROM unnest($1::text[]) t)
    OR n.nspname = 'pgboss' AND NOT c.relispartition)
  GROUP BY 1 ORDER BY 1`;

/** The tables that money depends on, those that guard them, and those of the queue. */
export async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(TABLES, [[...Object.keys(MONEY_TABLES), ...GUARDS]]);
  return rows;
}

export interface CallableFunction {
  name: string;
  /** With its arguments, as the list of what remains names it. */
  signature: string;
  argumentTypes: string[];
}

/** Of PostgreSQL's own: those that write, read files, or reach other sessions. */
const OWN =
  '^(lo_|set_config$|setval|nextval|pg_(advisory|cancel|create|drop|export|logical_emit|log_|ls_|notify|promote|read_|reload|replication|restore|rotate|stat_file|stat_reset|switch|terminate|wal_replay|backup|import|sync|copy|clear|start|stop)|query_to_xml$|database_to_xml$|dblink)';

const FUNCTIONS = `
  SELECT n.nspname || '.' || p.proname AS name, n.nspname || '.' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' AS signature,
    coalesce(ARRAY(SELECT format_type(t, NULL) FROM unnest(p.proargtypes) WITH ORDINALITY u (t, i) ORDER BY i), '{}') AS "argumentTypes"
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE p.prokind IN ('f', 'p') AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype, 'internal'::regtype)
    AND NOT p.proretset AND has_function_privilege('copydesk_app', p.oid, 'EXECUTE')
    AND (n.nspname IN ('app', 'identity', 'pgboss') OR n.nspname = 'pg_catalog' AND p.proname ~ $1)
  UNION ALL
  SELECT n.nspname || '.' || p.proname, n.nspname || '.' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')',
    coalesce(ARRAY(SELECT format_type(t, NULL) FROM unnest(p.proargtypes) WITH ORDINALITY u (t, i) ORDER BY i), '{}')
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE p.proretset AND p.prokind = 'f' AND has_function_privilege('copydesk_app', p.oid, 'EXECUTE')
    AND n.nspname IN ('app', 'identity', 'pgboss')
  ORDER BY 2`;

/** Every function of ours that the API may call, and those of PostgreSQL that do more than compute. */
export async function readFunctions(client: pg.Client): Promise<CallableFunction[]> {
  const { rows } = await client.query<CallableFunction>(FUNCTIONS, [OWN]);
  return rows;
}
