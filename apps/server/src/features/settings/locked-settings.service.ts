import { needsSecondPerson, type SettingName } from '@copydesk/domain/settings';
import type { SettingsBase } from '../../core/settings/live-settings.ts';
import { readStoredSettings } from '../../core/settings/stored-settings.views.ts';
import type { AuditValue } from '../../platform/audit/audit.ts';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import { decline, isSame } from './settings.service.ts';
import * as store from './settings.store.ts';

const OPERATOR = { kind: 'system', id: 'operator', name: 'Operator' } as const;

interface LockDeps {
  db: Database;
  base: SettingsBase;
  log: Logger;
  now: () => Date;
  /**
   * Whether the process may remove a value that is tighter than the lock's. The database accepts this from
   * workers only: it loosens a protection, and only the operator's variables may do that.
   */
  mayLoosen: boolean;
}

/**
 * Notes the defaults of a worker's environment for settings that the console has not set. The database judges
 * changes against these, not against what their author claims.
 */
export async function recordDefaults({
  db,
  base,
  now,
}: Pick<LockDeps, 'db' | 'base' | 'now'>): Promise<void> {
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => store.saveDefaults(tx, base.defaults, now()));
}

/**
 * Removes the values of locked settings that the console has set, and declines the changes of them that wait. Otherwise
 * the end of a lock would bring back an earlier, perhaps looser value without an approval. Also warns of variables that
 * have no effect, because the console has set another value.
 */
export async function clearLocked({ db, base, log, now, mayLoosen }: LockDeps): Promise<void> {
  for (const name of base.locked) {
    const cleared = await db.write(WHOLE_SCOPE, OPERATOR, (tx) =>
      clearOne(tx, { base, name, mayLoosen }, now()),
    );
    if (cleared)
      log.warn({ setting: name, removed: cleared.value, holds: base.defaults[name] }, LOCK_REMOVED_VALUE);
  }
  const stored = await db.read(WHOLE_SCOPE, readStoredSettings);
  for (const name of base.given.filter((each) => !base.locked.includes(each)))
    if (name in stored && !isSame(stored[name], base.defaults[name]))
      log.warn({ setting: name, holds: stored[name], variable: base.defaults[name] }, VARIABLE_HAS_NO_EFFECT);
}

const LOCK_REMOVED_VALUE =
  'a lock has removed the value that the console had set: it will not come back when the lock ends';
const VARIABLE_HAS_NO_EFFECT =
  'a variable has no effect, because the console has set another value: LOCKED_SETTINGS would enforce the variable';

async function clearOne(
  tx: WriteTx,
  { base: { defaults }, name, mayLoosen }: Pick<LockDeps, 'base' | 'mayLoosen'> & { name: SettingName },
  at: Date,
): Promise<{ value: unknown } | null> {
  const version = await store.lockSetting(tx, name);
  const waiting = await store.findWaiting(tx, name);
  if (waiting) await decline(tx, waiting, at);
  const stored = await readStoredSettings(tx);
  if (!(name in stored)) return null;
  if (!mayLoosen && needsSecondPerson(name, stored[name] as never, defaults[name] as never)) return null;
  const change = { name, previous: stored[name], value: defaults[name], basedOn: version };
  await store.insertChange(tx, change, 'applied', at);
  await store.clearSetting(tx, name, at);
  tx.audit({
    action: 'setting.locked',
    target: { kind: 'setting', id: name },
    before: { value: stored[name] as AuditValue },
    after: { value: defaults[name] as AuditValue },
  });
  return { value: stored[name] };
}
