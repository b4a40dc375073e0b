import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/expect-accessible.ts';
import { type Answers, refuse } from '../../../testing/serve-calls.ts';
import { showAccount, tokenFor } from '../../../testing/show-account.ts';
import { COMMUNITY } from '../../../testing/show-community.ts';
import { SUPER_ADMIN } from '../../../testing/show-screen.tsx';

const GET = 'GET /api/communities/{id}';
const CHANGE = 'PATCH /api/super-admin/communities/{id}';
const PROVE = 'POST /api/reauthenticate';
type Community = CallAnswer<typeof GET>['data'];

const community = (changes: Partial<Community> = {}): Answers => ({
  [GET]: { success: true, data: { ...COMMUNITY, ...changes } },
});
const proven = () => ({ success: true as const, token: tokenFor(SUPER_ADMIN) });

const dialog = page.getByRole('dialog', { name: 'Confirm it is you' });
const button = (name: string) => dialog.getByRole('button', { name, exact: true });
const settings = page.getByRole('region', { name: 'Settings', exact: true });

/** Changes the minimum balance, which the server refuses until the person has authenticated again. */
async function changeAfterLong(
  way: 'one_click' | 'password' | 'code',
  prove: Exclude<Answers[typeof PROVE], undefined> = proven,
) {
  let isProven = false;
  const screen = await showAccount(`/community-settings/${COMMUNITY.id}`, {
    person: { ...SUPER_ADMIN, reauthenticates_by: way },
    answers: {
      ...community(),
      [PROVE]: async (sent) => {
        const answer = typeof prove === 'function' ? await prove(sent) : prove;
        isProven = 'token' in answer;
        return answer;
      },
      [CHANGE]: ({ body }) => {
        if (!isProven) return refuse(403, 'reauthentication_required', 'Confirm that it is you');
        const changes = { minimum_balance: body.minimum_balance ?? 0, version: 'fedcba9876543210' };
        screen.server.answer(community(changes));
        return { success: true, data: { ...COMMUNITY, ...changes, owes_shares: false } };
      },
    },
  });
  await page.getByRole('button', { name: 'Edit minimum balance', exact: true }).click();
  const edit = page.getByRole('dialog');
  await edit.getByRole('textbox').fill('12345');
  await edit.getByRole('button', { name: 'Save' }).click();
  return screen;
}

test('a sensitive change asks for confirmation once, and then completes automatically', async () => {
  const { server } = await changeAfterLong('one_click');
  await expect
    .element(dialog)
    .toHaveTextContent('Money, payout addresses, secrets and users need a sign-in from the last 10 minutes.');
  await expect.element(dialog).toHaveTextContent(SUPER_ADMIN.email);
  await expect.element(button('Confirm')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(settings).toHaveTextContent('12,345 USDT');
  expect(server.sentTo(PROVE).map(({ body }) => body)).toEqual([{ one_click: true }]);
  const keys = server.sentTo(CHANGE).map(({ key }) => key);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

test('cancelling the confirmation changes nothing, with a calm message', async () => {
  const { server } = await changeAfterLong('one_click');
  await button('Cancel').click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect
    .element(page.getByRole('alert').filter({ hasText: 'Nothing was changed' }))
    .toHaveTextContent('because you did not confirm that it is you');
  expect(server.sentTo(CHANGE)).toHaveLength(1);
  expect(server.sentTo(PROVE)).toEqual([]);
});

test.each([
  ['password', 'Password', 'not it', 'a long password'],
  ['code', 'Code', '000000', '123 456'],
] as const)(
  'an account that has a %s must enter it, and sees an error for a wrong one',
  async (way, label, wrong, right) => {
    const { server } = await changeAfterLong(way, ({ body }) =>
      (body as Record<string, string>)[way] === wrong
        ? refuse(403, 'reauthentication_failed', 'That is not correct. Please try again.')
        : proven(),
    );
    const field = dialog.getByLabelText(label);
    await expect.element(field).toHaveFocus();
    await button('Confirm').click();
    await expect.element(dialog).toHaveTextContent('Required');
    await field.fill(wrong);
    await button('Confirm').click();
    await expect
      .element(dialog.getByRole('alert'))
      .toHaveTextContent(/^That is not correct\. Please try again\.$/);
    await expectAccessible();
    await field.fill(right);
    await button('Confirm').click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(settings).toHaveTextContent('12,345 USDT');
    expect(server.sentTo(PROVE).map(({ body }) => body)).toEqual([
      { [way]: wrong },
      { [way]: right.replace(way === 'code' ? ' ' : '', '') },
    ]);
  },
);
