import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';

let before: TestApp;
beforeAll(async () => {
  before = await createTestApp();
});
afterAll(() => before.close());

const settingOf = async (app: TestApp, name: string) =>
  (await send(app.app, 'GET /api/platform-settings', {}, await app.signIn('super')))
    .json()
    .data.find((each: { name: string }) => each.name === name);
const put = async (app: TestApp, name: string, value: unknown) => {
  const { version } = await settingOf(app, name);
  const body = { set: { [name]: value }, version };
  return send(app.app, 'PUT /api/platform-settings', { body }, await app.signIn('super'));
};
/** The same installation, started again with these variables. */
async function restarted<T>(env: Record<string, string>, work: (app: TestApp) => Promise<T>): Promise<T> {
  const app = await createTestApp({ sharing: before, env });
  return work(app).finally(() => app.close());
}

test('the end of a lock does not bring back what the console had set before', async () => {
  // Tighter than the default of that time, so one person was enough.
  expect((await put(before, 'payout_max_per_day', 90_000)).json().data).toMatchObject({ value: 90_000 });
  const asked = await put(before, 'payout_max_per_day', null);
  const waiting = asked.json().data.waiting.id;

  await restarted({ PAYOUT_MAX_PER_DAY: '5000', LOCKED_SETTINGS: 'payout_max_per_day' }, async (app) => {
    expect(await settingOf(app, 'payout_max_per_day')).toMatchObject({ value: 5000, waiting: null });
    expect(app.logged.join()).toContain('a lock has removed the value that the console had set');
  });
  await restarted({ PAYOUT_MAX_PER_DAY: '5000' }, async (app) => {
    expect(await settingOf(app, 'payout_max_per_day')).toMatchObject({
      value: 5000,
      is_locked: false,
      version: 2,
      changed_at: null,
      changed_by: null,
    });
    const approved = await send(
      app.app,
      'POST /api/platform-settings/changes/{id}/approve',
      { params: { id: waiting } },
      await app.signIn('super-2'),
    );
    expect(approved.json().error).toBe('not_found');
    // Beyond the environment there is no way back.
    const refused = await put(app, 'payout_max_per_day', 90_000);
    expect(refused.json().error).toBe('setting_above_bound');
    expect((await put(app, 'payout_max_per_day', 4000)).json().data).toMatchObject({
      value: 4000,
      version: 3,
    });
  });
  const [change] = await asOwner<Record<string, unknown>>(
    before.ownerUrl,
    `SELECT previous, value, state, requested_by, decided_by FROM platform_setting_change
     WHERE requested_by_id = 'operator'`,
  );
  expect(change).toEqual({
    previous: 90_000,
    value: 5000,
    state: 'applied',
    requested_by: 'Operator',
    decided_by: null,
  });
  const audited = await asOwner(
    before.ownerUrl,
    `SELECT action FROM audit_entry WHERE actor_id = 'operator' AND target_id = 'payout_max_per_day' ORDER BY seq`,
  );
  expect(audited).toEqual([{ action: 'setting.declined' }, { action: 'setting.locked' }]);
});

test('a lock of a setting that the console never changed leaves no trace', async () => {
  await restarted({ LOCKED_SETTINGS: 'all' }, async (app) => {
    expect(await settingOf(app, 'approver_min_hours')).toMatchObject({ version: 0, is_locked: true });
  });
  const changes = await asOwner(
    before.ownerUrl,
    `SELECT FROM platform_setting_change WHERE name = 'approver_min_hours'`,
  );
  expect(changes).toEqual([]);
});

test('a variable without effect is reported at the start', async () => {
  await put(before, 'invoice_due_days', 9);
  await restarted({ INVOICE_DUE_DAYS: '5' }, async (app) => {
    expect(await settingOf(app, 'invoice_due_days')).toMatchObject({ value: 9 });
    expect(app.logged.join()).toContain('a variable has no effect');
  });
});

test('a change that is committed succeeds even when the settings cannot be read afterwards', async () => {
  // The right to read goes with the commit of the change, and comes back for the next act.
  await asOwner(
    before.ownerUrl,
    `CREATE FUNCTION take_right() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
     BEGIN REVOKE SELECT ON platform_setting FROM copydesk_app; RETURN NULL; END $$;
     CREATE CONSTRAINT TRIGGER take_right AFTER INSERT ON platform_setting_change
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION take_right()`,
  );
  const changed = await put(before, 'approver_min_hours', 30);
  await asOwner(
    before.ownerUrl,
    `DROP TRIGGER take_right ON platform_setting_change; GRANT SELECT ON platform_setting TO copydesk_app`,
  );
  expect(changed.statusCode, changed.body).toBe(200);
  expect(changed.json().data).toMatchObject({ value: 30 });
  expect(before.logged.join()).toContain('could not be read again yet');
  expect(await settingOf(before, 'approver_min_hours')).toMatchObject({ value: 30 });
});
