import type { CallableFunction, Column, Table } from './sql-catalogue.ts';

/** One statement to try. */
export interface Attempt {
  /** What the list of what remains possible names: a table or function. */
  on: string;
  /** INSERT, DELETE, TRUNCATE, CALL, or the column that an UPDATE sets. */
  act: string;
  statement: string;
}

/** The key to this address does not exist. */
export const THIEF = '0x00000000000000000000000000000000000bad01';
/** Rows of a table that updates are tried on: of as many states as there are, up to this number. */
const ROWS = 3;

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Expressions to set a column to, over the row `t`. Each is one that constraints may accept. */
function candidatesOf({ name, type, isNullable, refersTo, words, isAddress }: Column): string[] {
  const column = `t."${name}"`;
  const others = refersTo
    ? [
        `(SELECT r."${refersTo[1]}" FROM ${refersTo[0]} r WHERE r."${refersTo[1]}" IS DISTINCT FROM ${column} LIMIT 1)`,
      ]
    : [];
  const values: string[] = [];
  if (words.length > 0) values.push(...words.map(literal));
  else if (isAddress || /address/.test(name)) values.push(literal(THIEF));
  else if (refersTo) values.push(...others);
  else if (/_id$/.test(name) && type === 'text')
    values.push(
      `(SELECT user_id::text FROM identity.user_access WHERE super AND user_id::text IS DISTINCT FROM ${column} LIMIT 1)`,
    );
  else if (type === 'text') values.push(`coalesce(${column}, '') || 'x'`);
  else if (type === 'boolean') values.push(`NOT ${column}`, 'true');
  else if (type === 'uuid') values.push('gen_random_uuid()');
  else if (/^timestamp/.test(type)) values.push("timestamptz '2001-01-01'", "now() + interval '1 year'");
  else if (type === 'date') values.push("date '2001-01-01'");
  else if (/^(numeric|bigint|integer|smallint|double|real)/.test(type))
    values.push(
      `coalesce(${column}, 0) + 1`,
      `coalesce(${column}, 0) - 1`,
      `coalesce(${column}, 0) + 1000000`,
      '0',
    );
  else if (type === 'jsonb')
    values.push(`'1000000000'::jsonb`, `'null'::jsonb`, `'[]'::jsonb`, `'{}'::jsonb`);
  else if (type === 'bytea') values.push(`decode('00', 'hex')`);
  else if (type.endsWith('[]')) values.push(`'{}'::${type}`);
  else if (type === 'interval') values.push("interval '1 second'");
  else values.push(`${column}`);
  if (isNullable) values.push('NULL');
  return values;
}

/** The value of a column in a row that is inserted beside `t`, or in place of none. */
function insertedValue(column: Column, hasRow: boolean): string {
  const { name, type, isKey, refersTo, isNullable } = column;
  if (hasRow && !(isKey && !refersTo)) return `t."${name}"`;
  if (type === 'uuid' && !refersTo) return 'gen_random_uuid()';
  if (type === 'text' && isKey && column.words.length === 0)
    return column.isAddress || /address|hash/.test(name)
      ? "'0x' || substr(md5(random()::text) || md5(random()::text), 1, 40)"
      : 'gen_random_uuid()::text';
  if (/^(bigint|integer|smallint|numeric)$/.test(type) && isKey && !refersTo)
    return hasRow
      ? `(SELECT coalesce(max(m."${name}"), 0) + 1 FROM ${column.refersTo ?? '__table__'} m)`
      : '1';
  if (hasRow) return `t."${name}"`;
  if (isNullable) return 'NULL';
  const [first = 'NULL'] = candidatesOf(column);
  return first.replaceAll(`t."${name}"`, refersTo ? 'NULL' : 'NULL');
}

/** Personas of a demo world need no sponsor. */
const ORDINARY = `WHERE s.user_id IN (SELECT id FROM identity."user" WHERE email NOT LIKE '%@demo.example')`;

/** INSERT, UPDATE of each column, DELETE and TRUNCATE of one table. @param hasRow whether the world has one to start from */
export function attemptsOnTable(table: Table, hasRow: boolean): Attempt[] {
  const { name, columns } = table;
  const given = columns.filter(({ isComputed }) => !isComputed);
  // Where the role may insert some columns only, the others have their defaults. Nothing else would be refused by a rule.
  const insertable = given.filter(({ isInsertable }) => isInsertable);
  const added = insertable.length > 0 ? insertable : given;
  const names = added.map((column) => `"${column.name}"`).join(', ');
  const from = hasRow ? `FROM (SELECT * FROM ${name} LIMIT 1) t` : '';
  const inserted = (columnsOf: Column[]) =>
    columnsOf.map((column) => insertedValue(column, hasRow).replaceAll('__table__', name)).join(', ');
  const attempts: Attempt[] = [
    {
      on: name,
      act: 'INSERT',
      statement: `INSERT INTO ${name} (${names}) SELECT ${inserted(added)} ${from}`,
    },
    // Keys that refer to other rows may be unique.
    ...added
      .filter(({ isKey, refersTo }) => hasRow && isKey && refersTo)
      .map((key) => ({
        on: name,
        act: 'INSERT',
        statement: `INSERT INTO ${name} (${names}) SELECT ${added
          .map((column) =>
            (column === key ? (candidatesOf(column)[0] as string) : insertedValue(column, true)).replaceAll(
              '__table__',
              name,
            ),
          )
          .join(', ')} ${from}`,
      })),
    { on: name, act: 'TRUNCATE', statement: `TRUNCATE ${name}` },
    {
      on: name,
      act: 'DELETE',
      statement: `DELETE FROM ${name} t WHERE t.ctid IN (SELECT ctid FROM ${name} LIMIT 1)`,
    },
    { on: name, act: 'DELETE', statement: `DELETE FROM ${name}` },
  ];
  const state = columns.find((column) => column.words.length > 1);
  const rows = state
    ? `SELECT DISTINCT ON (s."${state.name}") s.ctid FROM ${name} s ORDER BY s."${state.name}" LIMIT ${ROWS}`
    : `SELECT s.ctid FROM ${name} s ${name === 'identity.user_access' ? ORDINARY : ''} LIMIT 1`;
  for (const column of given)
    for (const value of candidatesOf(column))
      for (let row = 0; row < (state ? ROWS : 1); row += 1)
        attempts.push({
          on: name,
          act: column.name,
          statement: `UPDATE ${name} t SET "${column.name}" = ${value}
            WHERE t.ctid = (SELECT ctid FROM (${rows}) r OFFSET ${row} LIMIT 1) AND t."${column.name}" IS DISTINCT FROM ${value}`,
        });
  return attempts;
}

/** Tables whose ids are arguments of functions that order, cancel or release. */
const IDS = [
  'payout',
  'payable',
  'transfer',
  'chain_wallet',
  'pool_deposit',
  'pool_arrival_decision',
  'harvest_cycle',
  'trader',
  'identity.user_access',
];
const idOf = (table: string) => (table === 'identity.user_access' ? 'user_id' : 'id');

function argumentsOf(type: string): string[] {
  if (type === 'uuid') return IDS.map((table) => `(SELECT ${idOf(table)} FROM ${table} LIMIT 1)`);
  if (type === 'uuid[]')
    return IDS.map((table) => `ARRAY(SELECT ${idOf(table)} FROM ${table} LIMIT 3)::uuid[]`);
  if (type === 'text')
    return [`'reverted'`, `'cancelled'`, literal(THIEF), `'/etc/passwd'`, `'copydesk.bulk'`];
  if (/^(integer|bigint|smallint)$/.test(type)) return ['56', '1', '0'];
  if (type === 'boolean') return ['true'];
  if (type === 'jsonb') return [`'{}'::jsonb`];
  if (type === 'json') return [`'{}'::json`];
  if (type === 'name') return [`'attack'::name`];
  if (type === 'pg_lsn') return [`'0/1'::pg_lsn`];
  if (type === 'regnamespace') return [`'public'::regnamespace`];
  if (type === 'oid') return ['1260'];
  if (type === 'regclass') return [`'transfer'::regclass`];
  if (type === 'bytea') return [`decode('00', 'hex')`];
  if (type.endsWith('[]')) return [`'{}'::${type}`];
  if (/^timestamp/.test(type)) return ["timestamptz '2001-01-01'"];
  return [`NULL::${type}`];
}

const MOST_CALLS = 60;

/** Calls of one function, with ids of real rows and texts of attackers. */
export function attemptsOnFunction({ name, signature, argumentTypes }: CallableFunction): Attempt[] {
  const choices = argumentTypes.map(argumentsOf);
  const wanted = Math.min(
    MOST_CALLS,
    choices.reduce((all, each) => all * each.length, 1),
  );
  return Array.from({ length: wanted }, (_, number) => {
    let rest = number;
    const picked = choices.map((each) => {
      const value = each[rest % each.length] as string;
      rest = Math.floor(rest / each.length);
      return value;
    });
    return { on: signature, act: 'CALL', statement: `SELECT ${name}(${picked.join(', ')})` };
  });
}
