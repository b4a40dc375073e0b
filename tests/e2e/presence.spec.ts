import { expectAccessible } from './support/accessibility.ts';
import { pickCommunity, putBack, settingsScreen } from './support/communities.ts';
import { letPresenceAge, presenceDialog } from './support/presence.ts';
import { expect, FAILED_REQUEST, test } from './support/test.ts';

// The browser reports every answer of 403.
test.use({ expectedComplaint: FAILED_REQUEST });

const SETTINGS = /\/api\/super-admin\/communities\/[^/]+$/;

test('a sensitive change asks once who it is, and then goes through by itself', async ({ page, api }) => {
  const community = await pickCommunity(api);
  const sent = await letPresenceAge(page, SETTINGS);
  await page.goto(`/community-settings/${community.id}`);
  const { settings } = settingsScreen(page);
  await settingsScreen(page).edit('minimum balance').click();
  const edit = page.getByRole('dialog');
  await edit.getByRole('textbox').fill(String(community.minimum_balance + 1));
  await edit.getByRole('button', { name: 'Save' }).click();
  const { dialog, button } = presenceDialog(page);
  await expect(dialog).toContainText(
    'Money, payout addresses, secrets and users need a sign-in from the last 10 minutes.',
  );
  await expect(dialog).toContainText('super@demo.example');
  await expect(button('Confirm')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(settings).toContainText(`${(community.minimum_balance + 1).toLocaleString('en-US')} USDT`);
  expect(sent).toHaveLength(2);
  const [first, second] = sent.map((request) => request.headers());
  expect(first?.['idempotency-key']).toBe(second?.['idempotency-key']);
  expect(first?.authorization).not.toBe(second?.authorization);
  await putBack(api, community);
});

test('who does not confirm changes nothing, and is told so calmly', async ({ page, api }) => {
  const community = await pickCommunity(api);
  const sent = await letPresenceAge(page, SETTINGS);
  await page.goto(`/community-settings/${community.id}`);
  await settingsScreen(page).edit('minimum balance').click();
  const edit = page.getByRole('dialog');
  await edit.getByRole('textbox').fill(String(community.minimum_balance + 2));
  await edit.getByRole('button', { name: 'Save' }).click();
  const { dialog, button } = presenceDialog(page);
  await button('Cancel').click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('alert').filter({ hasText: 'Nothing was changed' })).toContainText(
    'because you did not confirm that it is you',
  );
  expect(sent).toHaveLength(1);
});

for (const [way, label, wrong, right] of [
  ['password', 'Password', 'not it', 'a long password'],
  ['code', 'Code', '000000', '123 456'],
] as const) {
  test(`an account that has a ${way} is asked for it, and told when it is wrong`, async ({ page, api }) => {
    const community = await pickCommunity(api);
    await letPresenceAge(page, SETTINGS);
    await page.route('**/api/me', async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      json.data.reauthenticates_by = way;
      return route.fulfill({ response, json });
    });
    const proofs: unknown[] = [];
    await page.route('**/api/reauthenticate', (route) => {
      proofs.push(route.request().postDataJSON());
      if (proofs.length === 1)
        return route.fulfill({
          status: 403,
          json: {
            success: false,
            error: 'reauthentication_failed',
            message: 'That is not right. Please try again.',
          },
        });
      // The persona's own way, for a real token.
      return route.continue({ postData: JSON.stringify({ one_click: true }) });
    });
    await page.goto(`/community-settings/${community.id}`);
    const { settings } = settingsScreen(page);
    await settingsScreen(page).edit('minimum balance').click();
    const edit = page.getByRole('dialog');
    await edit.getByRole('textbox').fill(String(community.minimum_balance + 3));
    await edit.getByRole('button', { name: 'Save' }).click();
    const { dialog, button } = presenceDialog(page);
    const field = dialog.getByLabel(label);
    await expect(field).toBeFocused();
    await button('Confirm').click();
    await expect(dialog).toContainText('Required');
    await field.fill(wrong);
    await button('Confirm').click();
    await expect(dialog.getByRole('alert')).toHaveText('That is not right. Please try again.');
    await expectAccessible(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await field.fill(right);
    await button('Confirm').click();
    await expect(dialog).toHaveCount(0);
    await expect(settings).toContainText(`${(community.minimum_balance + 3).toLocaleString('en-US')} USDT`);
    expect(proofs).toEqual([{ [way]: wrong }, { [way]: right.replace(way === 'code' ? ' ' : '', '') }]);
    await putBack(api, community);
  });
}
