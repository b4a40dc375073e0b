import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveAccess } from '../../../../../../tests/support/identity/give-access.ts';
import { accept, enrol, invite } from '../../../../../../tests/support/identity/people.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { confirmSuperAdmin } from './operator.service.ts';

const SECOND = 'super-2@demo.example';
let product: TestApp;
let first: string;
let secondId: string;
/** What the first super admin wants, and one person cannot have. */
let waiting: string;
beforeAll(async () => {
  product = await createTestApp();
  first = await product.signIn('super');
  secondId = await idOf(await product.signIn('super-2'));
});
afterAll(() => product.close());

/** Asks for younger approvers, against this version of the setting. */
const ask = async (hours: number, version: number) => {
  const body = { set: { approver_min_hours: hours }, version };
  const asked = await send(product.app, 'PUT /api/platform-settings', { body }, first);
  waiting = asked.json().data.waiting.id;
};
const idOf = async (who: string) => (await send(product.app, 'GET /api/me', {}, who)).json().data.id;
const approve = async (who: string) =>
  (
    await send(
      product.app,
      'POST /api/platform-settings/changes/{id}/approve',
      { params: { id: waiting } },
      who,
    )
  ).json();
const act = (call: string, id: string, who: string, body?: object) =>
  send(product.app, call, { params: { id }, ...(body && { body }) }, who);
const confirm = async (id: string, who: string) =>
  (await act('POST /api/users/{id}/confirm', id, who)).json().error;
const confirmAsOperator = () =>
  product.operatorDb.write(WHOLE_SCOPE, { kind: 'system', id: 'operator', name: 'Operator' }, (tx) =>
    confirmSuperAdmin(tx, SECOND, new Date()),
  );

test('a removed second factor is no way to approve alone: the account has to be confirmed again', async () => {
  await ask(12, 0);
  const second = await product.signIn('super-2');
  const removed = await act('DELETE /api/users/{id}/second-factor', secondId, first);
  expect(removed.json().data).toMatchObject({ two_factor_enabled: false, confirmed: false });
  // Sessions end at once.
  expect((await send(product.app, 'GET /api/me', {}, second)).statusCode).toBe(401);

  // Whoever knows the password is in now, as that account.
  const taken = await product.signIn('super-2');
  expect((await approve(taken)).error).toBe('approver_not_independent');
  expect(await confirm(secondId, first)).toBe('operator_confirmation_required');
  expect(await confirm(secondId, taken)).toBe('own_confirmation');
  await expect(
    asOwner(
      product.ownerUrl,
      `UPDATE identity.user_access SET confirmed_at = now(), confirmed_by_id = $1 WHERE user_id = $2`,
      [await idOf(first), secondId],
    ),
  ).rejects.toThrow('confirmed by an independent');
  const { sponsors } = (await act('GET /api/users/{id}', secondId, first)).json().data;
  expect(sponsors[0]).toMatchObject({ act: 'reset', by: 'super@demo.example' });

  await confirmAsOperator();
  expect((await approve(await product.signIn('super-2'))).success).toBe(true);
});

test('a super admin who disables the only other approver stops it at once, and approves nothing alone', async () => {
  await ask(1, 1);
  const second = await product.signIn('super-2');
  expect((await act('PATCH /api/users/{id}', secondId, first, { disabled: true })).statusCode).toBe(200);
  expect((await send(product.app, 'GET /api/me', {}, second)).statusCode).toBe(401);

  expect((await approve(first)).error).toBe('own_approval');
  // Another account of the same person.
  const email = 'puppet@example.com';
  const invited = await invite(product, first, { email, super: true });
  const puppet = await enrol(product, await accept(product, { ...invited, email }));
  expect((await approve(puppet.authorization)).error).toBe('approver_not_independent');
  expect(await confirm(puppet.id, first)).toBe('operator_confirmation_required');
  expect(await confirm(puppet.id, puppet.authorization)).toBe('own_confirmation');

  // The other account, taken back into service by the one who disabled it.
  expect((await giveAccess(product, first, secondId, { disabled: false })).status).toBe(200);
  const again = await product.signIn('super-2');
  expect((await approve(again)).error).toBe('approver_not_independent');
  expect(await confirm(secondId, first)).toBe('operator_confirmation_required');
  await confirmAsOperator();
  expect((await approve(again)).error).toBe('approver_too_new');
});
