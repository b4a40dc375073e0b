import { afterAll, beforeAll, expect, test } from 'vitest';
import { authCall, call, signInAs } from '../../../../../../tests/support/identity/callers.ts';
import { totpCode } from '../../../../../../tests/support/identity/totp.ts';
import { createWorld, type World } from '../../../../../../tests/support/identity/world.ts';
import { personaPassword } from '../set-up/demo-personas.ts';

let world: World;
let calls = 0;
beforeAll(async () => {
  world = await createWorld({ hasMail: true });
});
afterAll(() => world.close());

const post = (path: string, body: object, cookie?: string) =>
  authCall(world, path, { body, address: `10.1.0.${++calls}`, ...(cookie ? { cookie } : {}) });

test('changes that people make to their own accounts are in the audit trail, without the secrets', async () => {
  const { cookie, userId, authorization } = await signInAs(world, 'staff');
  const password = personaPassword(world.identity, 'staff');
  await post('/update-user', { name: 'New name' }, cookie);
  expect((await call(world, ['GET', '/api/me'], { authorization })).body.data.name).toBe('New name');
  const { body } = await post('/two-factor/enable', { password }, cookie);
  const enrolled = await post('/two-factor/verify-totp', { code: await totpCode(body.totpURI) }, cookie);
  const challenge = await post('/sign-in/email', { email: 'staff@demo.example', password });
  const [code] = body.backupCodes;
  expect((await post('/two-factor/verify-backup-code', { code }, challenge.cookies)).status).toBe(200);
  const renewed = await post(
    '/two-factor/generate-backup-codes',
    { password, code: await totpCode(body.totpURI) },
    enrolled.cookies,
  );
  expect(renewed.status).toBe(200);
  const changed = await post(
    '/change-password',
    { currentPassword: password, newPassword: 'a changed password', code: await totpCode(body.totpURI) },
    enrolled.cookies,
  );
  expect(changed.status).toBe(200);
  const disabled = await post(
    '/two-factor/disable',
    { password: 'a changed password', code: await totpCode(body.totpURI) },
    changed.cookies,
  );
  expect([disabled.status, disabled.body]).toEqual([200, expect.anything()]);
  await post('/request-password-reset', { email: 'staff@demo.example' });
  // Beside the mails about what was changed, in any order.
  const token = () => /reset\?token=(\S+)/.exec(world.mails.map(({ text }) => text).join(' '))?.[1];
  await expect.poll(token).toBeDefined();
  await post('/reset-password', { token: token(), newPassword: 'a third password' });

  const entries = await world.db.read({ kind: 'all' }, (tx) =>
    tx.sql.selectFrom('audit_entry').selectAll().where('actor_id', '=', userId).orderBy('seq').execute(),
  );
  expect(entries.map((entry) => entry.action)).toEqual([
    'user.renamed',
    'user.second_factor_enabled',
    'user.backup_code_used',
    'user.backup_codes_renewed',
    'user.password_changed',
    'user.second_factor_disabled',
    'user.password_reset',
  ]);
  const text = JSON.stringify(entries);
  for (const secret of [password, code, 'a changed password', token]) expect(text).not.toContain(secret);
});

test('changing the password ends the other sessions', async () => {
  const [here, elsewhere] = [await signInAs(world, 'super'), await signInAs(world, 'super')];
  const currentPassword = personaPassword(world.identity, 'super');
  await post('/change-password', { currentPassword, newPassword: 'a changed password' }, here.cookie);
  const other = await world.identity.authenticate(elsewhere.authorization);
  expect(other).toEqual({ ok: false, code: 'invalid_token' });
});
