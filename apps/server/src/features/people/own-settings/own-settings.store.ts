import type { CallAnswer } from '@copydesk/contract';
import {
  type ListLayout,
  type ListName,
  PERSON_DEFAULTS,
  type PersonSettings,
} from '@copydesk/domain/settings';
import { sql } from 'kysely';
import { seenVersion } from '../../../platform/audit/seen-version.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

type OwnSettings = Pick<CallAnswer<'GET /api/me'>['data'], 'settings' | 'lists'>;
type Row = { [Name in keyof PersonSettings]: PersonSettings[Name] | null };

const NAMES = Object.keys(PERSON_DEFAULTS) as (keyof PersonSettings)[];
const VERSION = seenVersion<'PUT /api/me/lists/{list}'>({
  order: sql`list_layout.layout->'order'`,
  hidden: sql`list_layout.layout->'hidden'`,
  widths: sql`list_layout.layout->'widths'`,
  pinned: sql`list_layout.layout->'pinned'`,
});
const COLUMNS = sql.join(NAMES.map((name) => sql.ref(name)));

/** A person's settings and layouts are private and independent of scope: the transaction has to be the person's own. */
export async function readOwnSettings(tx: Tx, userId: string): Promise<OwnSettings> {
  const [settings, lists] = await Promise.all([
    sql<Row>`SELECT ${COLUMNS} FROM person_settings WHERE user_id = ${userId}`.execute(tx.sql),
    sql<{ list: ListName; layout: ListLayout & { version: string } }>`
      SELECT list, layout || jsonb_build_object('version', ${VERSION}) AS layout FROM list_layout WHERE user_id = ${userId}`.execute(
      tx.sql,
    ),
  ]);
  return {
    settings: withDefaults(settings.rows[0]),
    lists: Object.fromEntries(lists.rows.map(({ list, layout }) => [list, layout])),
  };
}

/** Changes the named settings. A change of others at the same time, in another tab, stays. */
export async function changeSettings(
  tx: WriteTx,
  userId: string,
  change: { [Name in keyof PersonSettings]?: PersonSettings[Name] | undefined },
): Promise<PersonSettings> {
  const named = NAMES.filter((name) => change[name] !== undefined);
  const columns = named.map((name) => sql`, ${sql.ref(name)}`);
  const values = named.map((name) => sql`, ${change[name]}`);
  const changes = named.map((name) => sql`, ${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`);
  const { rows } = await sql<Row>`
    INSERT INTO person_settings (user_id${sql.join(columns, sql``)})
    VALUES (${userId}${sql.join(values, sql``)})
    ON CONFLICT (user_id) DO UPDATE SET updated_at = now()${sql.join(changes, sql``)}
    RETURNING ${COLUMNS}`.execute(tx.sql);
  return withDefaults(rows[0]);
}

/**
 * Arranges the columns of a list, unless another tab has meanwhile.
 * @param seen the version that was changed; null: the list had no layout; undefined: whatever there is
 * @returns the new version; null: the layout is another one than was seen
 */
export async function saveLayout(
  tx: WriteTx,
  userId: string,
  list: ListName,
  { layout, seen }: { layout: ListLayout; seen: string | null | undefined },
): Promise<string | null> {
  const stored = sql`${JSON.stringify(layout)}::jsonb`;
  const insert = sql`INSERT INTO list_layout (user_id, list, layout) VALUES (${userId}, ${list}, ${stored})`;
  const set = sql`layout = ${stored}, updated_at = now()`;
  // Each is one statement, so that of two at once the later one finds what the earlier one stored.
  const change =
    seen === undefined
      ? sql`${insert} ON CONFLICT (user_id, list) DO UPDATE SET ${set}`
      : seen === null
        ? sql`${insert} ON CONFLICT (user_id, list) DO NOTHING`
        : sql`UPDATE list_layout SET ${set} WHERE user_id = ${userId} AND list = ${list} AND ${VERSION} = ${seen}`;
  const { rows } = await sql<{ version: string }>`${change} RETURNING ${VERSION} AS version`.execute(tx.sql);
  return rows[0]?.version ?? null;
}

export async function deleteLayout(tx: WriteTx, userId: string, list: ListName): Promise<void> {
  await sql`DELETE FROM list_layout WHERE user_id = ${userId} AND list = ${list}`.execute(tx.sql);
}

function withDefaults(row: Row | undefined): PersonSettings {
  const chosen = Object.entries(row ?? {}).filter(([, value]) => value !== null);
  return { ...PERSON_DEFAULTS, ...Object.fromEntries(chosen) };
}
