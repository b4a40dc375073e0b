import type { CallAnswer } from '@copydesk/contract';
import { SETTING_NAMES, type SettingName } from '@copydesk/domain/settings';
import { sql } from 'kysely';
import { type SettingsBase, settingsFrom } from '../../core/settings/live-settings.ts';
import { readStoredSettings } from '../../core/settings/stored-settings.views.ts';
import { boundOf, findWorkerBounds } from '../../core/settings/worker-bounds.ts';
import { type ApproverRules, readApprovers } from '../../core/transfers/orders/approvers.views.ts';
import type { Tx } from '../../platform/db/database.ts';

type Setting = CallAnswer<'GET /api/platform-settings'>['data'][number];
type Change = CallAnswer<'GET /api/platform-settings/changes'>['data'][number];
type Waiting = NonNullable<Setting['waiting']>;

const changeColumns = sql`c.id, c.name, c.previous, c.value, c.state,
  app.iso(c.requested_at) AS requested_at, c.requested_by, app.iso(c.decided_at) AS decided_at, c.decided_by`;

/** Every setting, in the order of the domain. */
export async function listSettings(
  tx: Tx,
  base: SettingsBase,
  rules: ApproverRules,
  callerId: string,
): Promise<Setting[]> {
  const values = settingsFrom(base, await readStoredSettings(tx));
  const { rows: stored } = await sql<{
    name: SettingName;
    version: number;
    changed_at: string | null;
    changed_by: string | null;
  }>`
    SELECT name, version, CASE WHEN value IS NOT NULL THEN app.iso(changed_at) END AS changed_at,
      CASE WHEN value IS NOT NULL THEN changed_by END AS changed_by
    FROM platform_setting`.execute(tx.sql);
  const workerBounds = await findWorkerBounds(tx);
  const waiting = await listWaiting(tx, rules, callerId);
  return SETTING_NAMES.map((name) => {
    const row = stored.find((each) => each.name === name);
    return {
      name,
      value: values[name],
      default: base.defaults[name],
      is_from_environment: base.given.includes(name),
      is_locked: base.locked.includes(name),
      bound: boundOf(name, base, workerBounds),
      version: row?.version ?? 0,
      changed_at: row?.changed_at ?? null,
      changed_by: row?.changed_by ?? null,
      waiting: waiting.find((each) => each.name === name) ?? null,
    };
  });
}

async function listWaiting(tx: Tx, rules: ApproverRules, callerId: string): Promise<Waiting[]> {
  const { rows } = await sql<Omit<Waiting, 'refusal'>>`
    SELECT ${changeColumns}, c.requested_by_id FROM platform_setting_change c WHERE c.state = 'waiting'`.execute(
    tx.sql,
  );
  const authors = [...new Set(rows.map(({ requested_by_id }) => requested_by_id))];
  const refusalOf = await readApprovers(tx, rules, callerId, authors);
  return rows.map((row) => ({ ...row, refusal: refusalOf(row.requested_by_id)?.message ?? null }));
}

/** A page of changes, newest first, and the number of all. */
export async function listSettingChanges(
  tx: Tx,
  { name, limit, offset }: { name?: SettingName | undefined; limit: number; offset: number },
): Promise<{ data: Change[]; meta: { total: number } }> {
  const matching = name ? sql`c.name = ${name}` : sql`true`;
  const { rows } = await sql<Change>`
    SELECT ${changeColumns} FROM platform_setting_change c WHERE ${matching}
    ORDER BY c.number DESC LIMIT ${limit} OFFSET ${offset}`.execute(tx.sql);
  const { rows: counted } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM platform_setting_change c WHERE ${matching}`.execute(tx.sql);
  return { data: rows, meta: { total: counted[0]?.total ?? 0 } };
}
