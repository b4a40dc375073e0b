import { expectAccessible } from '../support/accessibility.ts';
import { pickCommunity, putBack, settingsScreen } from '../support/communities.ts';
import { embeddedOnly } from '../support/identity-mode.ts';
import { letRecentAuthAge, recentAuthDialog } from '../support/recent-auth.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';
import { pickWithAccounts, traderDetail } from '../support/trader-detail.ts';

// The browser reports every answer of 403.
test.use({ expectedComplaint: FAILED_REQUEST });

const SETTINGS = /\/api\/super-admin\/communities\/[^/]+$/;

test('a sensitive change asks for confirmation once, and then completes automatically', async ({
  page,
  api,
}) => {
  embeddedOnly('The service asks in a dialog of its own');
  const community = await pickCommunity(api);
  const sent = await letRecentAuthAge(page, SETTINGS);
  await page.goto(`/community-settings/${community.id}`);
  const { settings } = settingsScreen(page);
  await settingsScreen(page).edit('minimum balance').click();
  const edit = page.getByRole('dialog');
  await edit.getByRole('textbox').fill(String(community.minimum_balance + 1));
  await edit.getByRole('button', { name: 'Save' }).click();
  const { dialog, button } = recentAuthDialog(page);
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

test('cancelling the confirmation changes nothing, with a calm message', async ({ page, api }) => {
  embeddedOnly('The service asks in a dialog of its own');
  const community = await pickCommunity(api);
  const sent = await letRecentAuthAge(page, SETTINGS);
  await page.goto(`/community-settings/${community.id}`);
  await settingsScreen(page).edit('minimum balance').click();
  const edit = page.getByRole('dialog');
  await edit.getByRole('textbox').fill(String(community.minimum_balance + 2));
  await edit.getByRole('button', { name: 'Save' }).click();
  const { dialog, button } = recentAuthDialog(page);
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
  test(`an account that has a ${way} must enter it, and sees an error for a wrong one`, async ({
    page,
    api,
  }) => {
    embeddedOnly('The service asks in a dialog of its own');
    const community = await pickCommunity(api);
    await letRecentAuthAge(page, SETTINGS);
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
            message: 'That is not correct. Please try again.',
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
    const { dialog, button } = recentAuthDialog(page);
    const field = dialog.getByLabel(label);
    await expect(field).toBeFocused();
    await button('Confirm').click();
    await expect(dialog).toContainText('Required');
    await field.fill(wrong);
    await button('Confirm').click();
    await expect(dialog.getByRole('alert')).toHaveText('That is not correct. Please try again.');
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

test('hovering over a secret asks nothing; a click confirms, reveals, and shows the viewer', async ({
  page,
  api,
}) => {
  embeddedOnly('The service asks in a dialog of its own');
  const trader = await pickWithAccounts(api, ['bybit'], 1);
  const [account] = trader.exchanges;
  if (!account) throw new Error('no account');
  const sent = await letRecentAuthAge(page, '**/exchange/reveal');
  await page.goto(`/trader/${trader.id}`);
  const card = traderDetail(page).card(account);
  const secret = card.getByRole('button', { name: /Reveal API Key|click to reveal/ });
  const hint = card.getByText('Confirm it is you: click to reveal');
  const { dialog, button } = recentAuthDialog(page);
  // A live read may add a position above the card, which moves the secret from under the pointer.
  await expect(async () => {
    await secret.hover();
    await expect(hint).toBeVisible({ timeout: 3_000 });
    await expect(dialog).toHaveCount(0);
    await hint.click({ timeout: 1_000 });
  }).toPass();
  // By keyboard, so that the pointer stays where it is.
  await expect(button('Confirm')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(card.getByText('API Key revealed by you, just now')).toBeVisible();
  // Refused with the old token (pointer, click, perhaps the focus in between), then answered with the new one.
  const tokens = sent.map((request) => request.headers().authorization);
  const renewed = tokens.findIndex((token) => token !== tokens[0]);
  expect(renewed).toBeGreaterThan(0);
  expect(new Set(tokens.slice(renewed)).size).toBe(1);
});

test.describe('for staff', () => {
  test.use({ persona: 'staff', expectedComplaint: null });

  test('a provider that leaves it to super admins has nothing to reveal, and the page says so', async ({
    page,
    api,
  }) => {
    const trader = await pickWithAccounts(api, ['bybit'], 1);
    const [account] = trader.exchanges;
    if (!account) throw new Error('no account');
    await page.route(`**/api/traders/${trader.id}?*`, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      for (const one of json.data.exchanges ?? []) one.reveal_super_only = true;
      return route.fulfill({ response, json });
    });
    await page.goto(`/trader/${trader.id}`);
    const card = traderDetail(page).card(account);
    await expect(card.getByText('Only super admins may reveal these secrets.')).toBeVisible();
    await expect(card.getByRole('button', { name: /^(Reveal|Copy) (API|Secret) Key$/ })).toHaveCount(0);
    await expectAccessible(page);
  });
});

test.describe('the access check', () => {
  test.use({ expectedComplaint: /could not be read|Failed to load resource/ });

  test('asks for the communities of the person, and goes on without them', async ({ page }) => {
    const asked: string[] = [];
    await page.route('**/api/users/*/communities', (route) => {
      asked.push(route.request().url());
      return route.fulfill({ status: 500, json: { success: false, error: 'internal_error', message: 'x' } });
    });
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect.poll(() => asked.length).toBe(1);
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
});
