import type { SettingName } from '@copydesk/domain/settings';
import type { LiveSettings } from '../../core/settings/live-settings.ts';
import type { PayoutRules } from '../../core/settings/payout-rules.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { TotalsCache } from '../../platform/db/lists/totals-cache.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { Refusal } from '../../platform/refusal.ts';
import { changeRecipient } from './recipients.service.ts';
import { listRecipients, sumPending } from './recipients.views.ts';
import { approveChange, changeSetting, declineChange } from './settings.service.ts';
import { listSettingChanges, listSettings } from './settings.views.ts';

type SettingCall =
  | `${'GET' | 'PUT'} /api/platform-settings`
  | `POST /api/platform-settings/changes/{id}/${'approve' | 'decline'}`
  | `GET /api/platform-settings/${'changes' | 'recipients' | 'egress-addresses'}`
  | 'PUT /api/platform-settings/recipients/{type}';

const DEFAULT_PAGE = 25;

/** Settings of the whole platform, and its own recipients. */
export function createPlatformSettingRoutes({
  db,
  totals,
  settings,
  rules,
  log,
  now,
}: {
  db: Database;
  totals: TotalsCache;
  settings: LiveSettings;
  rules: PayoutRules;
  log: Logger;
  now: () => Date;
}): Pick<Handlers, SettingCall> {
  const deps = { base: settings.base, rules, now };
  const oneSetting = async (tx: Tx, name: SettingName, callerId: string) => {
    const found = (await listSettings(tx, deps.base, deps, callerId)).find((each) => each.name === name);
    if (!found) throw new Refusal('not_found');
    return { success: true as const, data: found };
  };
  const recipients = async (tx: Tx, callerId: string) => {
    const { value } = await totals.get('platform recipients', () => sumPending(tx));
    return { success: true as const, data: await listRecipients(tx, deps, callerId, value) };
  };
  // The change is committed, so a failure to read it back does not fail the call. The next act reads it
  // again.
  const refreshed = () =>
    settings
      .refresh()
      .catch((error) =>
        log.warn({ err: error }, 'the settings were changed, but could not be read again yet'),
      );

  return {
    'GET /api/platform-settings': async ({ scope, actor }) => ({
      success: true,
      data: await db.read(scope, (tx) => listSettings(tx, deps.base, deps, actor.id)),
    }),

    'PUT /api/platform-settings': async ({ body, actor, once }) => {
      const answer = await once(async (tx) => {
        const [[name, value]] = Object.entries(body.set) as [[SettingName, unknown]];
        await changeSetting(tx, deps, { name, value, version: body.version });
        return oneSetting(tx, name, actor.id);
      });
      await refreshed();
      return answer;
    },

    'POST /api/platform-settings/changes/{id}/approve': async ({ scope, actor, params: { id } }) => {
      const answer = await db.write(scope, actor, async (tx) => {
        const name = await approveChange(tx, deps, id);
        return oneSetting(tx, name, actor.id);
      });
      await refreshed();
      return answer;
    },

    'POST /api/platform-settings/changes/{id}/decline': ({ scope, actor, params: { id } }) =>
      db.write(scope, actor, async (tx) => {
        const name = await declineChange(tx, deps, id);
        return oneSetting(tx, name, actor.id);
      }),

    'GET /api/platform-settings/changes': async ({ scope, query }) => ({
      success: true,
      ...(await db.read(scope, (tx) => listSettingChanges(tx, { limit: DEFAULT_PAGE, offset: 0, ...query }))),
    }),

    'GET /api/platform-settings/egress-addresses': async () => ({
      success: true,
      data: [...settings.current().egress_addresses],
    }),

    'GET /api/platform-settings/recipients': ({ scope, actor }) =>
      db.read(scope, (tx) => recipients(tx, actor.id)),

    'PUT /api/platform-settings/recipients/{type}': ({ actor, params: { type }, body, once }) =>
      once(async (tx) => {
        await changeRecipient(tx, type, body);
        return recipients(tx, actor.id);
      }),
  };
}
