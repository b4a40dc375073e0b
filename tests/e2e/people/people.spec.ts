import { randomUUID } from 'node:crypto';
import { expectAccessible } from '../support/accessibility.ts';
import { embeddedOnly } from '../support/identity-mode.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

const PASSWORD = 'correct horse battery';

test.describe('a colleague', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('is invited, gets a provider, works, and is disabled', async ({ page, browser, baseURL }) => {
    embeddedOnly('Invited people choose passwords of ours');
    const dialog = page.getByRole('dialog');
    const email = `colleague-${randomUUID().slice(0, 8)}@example.com`;
    await page.goto('/people');
    await expect(page.getByRole('link', { name: 'Super admin', exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await expect(dialog).toContainText('Enter an e-mail address');
    await dialog.getByLabel('E-mail').fill(email);
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await expect(dialog).toContainText('It is shown once, works once, and ends in 48 hours.');
    const link = new URL((await dialog.locator('code').textContent()) ?? '');
    await dialog.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Search people' }).click();
    await page.getByRole('searchbox', { name: 'Search people' }).fill(email);
    await expect(page).toHaveURL(/search=colleague/);
    await expect(page.getByRole('table', { name: 'People' }).getByRole('row')).toHaveCount(2);
    await expect(page.getByRole('row').nth(1)).toContainText('Invited');
    await expect(page.getByRole('row').nth(1)).toContainText('No provider');

    const guest = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
    await guest.goto(`${link.pathname}${link.hash}`);
    await guest.getByLabel('Name').fill('Carla Colleague');
    await guest.getByLabel('Password').fill(PASSWORD);
    await guest.getByRole('button', { name: 'Create account' }).click();
    await expect(guest.getByText("You don't have access to any providers.")).toBeVisible();

    await page.getByRole('link', { name: email }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Carla Colleague' })).toBeVisible();
    await expect(page.getByRole('region', { name: /^Sessions/ })).toContainText('Mozilla');
    await expect(page.getByRole('region', { name: 'Invitations' })).toContainText(
      'Invited by super@demo.example',
    );
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await dialog.getByLabel('Aurora Signals').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('region', { name: 'Access' })).toContainText('Aurora Signals');
    await guest.goto('/');
    await expect(guest.getByText('Aurora Signals').first()).toBeVisible();
    await expect(guest.getByRole('link', { name: 'Super Admin' })).toHaveCount(0);
    // What the address bar offers is refused like what the menu hides.
    await guest.goto('/people');
    await expect(guest.getByRole('heading', { name: 'Access Denied' })).toBeVisible();

    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    await dialog.getByRole('button', { name: 'Disable', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('Disabled');
    await expect(page.getByRole('region', { name: /^Sessions/ })).toContainText('No sessions');
    await guest.goto('/');
    await expect(guest).toHaveURL(/\/sign-in/);
    await guest.context().close();
  });
});

test('a program gets a token, shown once, and loses it', async ({ page }) => {
  const dialog = page.getByRole('dialog');
  const name = `Reporting ${randomUUID().slice(0, 8)}`;
  await page.goto('/service-tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await expect(dialog).toContainText('Enter a name');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Read traders, balances and positions').check();
  await dialog.getByLabel('Aurora Signals').check();
  await dialog.getByLabel('Life (days)').fill('400');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await expect(dialog).toContainText('Enter a life of 1 to 365 days');
  await dialog.getByLabel('Life (days)').fill('5');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const token = (await dialog.locator('code').textContent()) ?? '';
  expect(token).toMatch(/^Bot_[\w-]{43}$/);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const read = async () =>
    (await page.request.get('/api/traders?limit=1', { headers: { authorization: token } })).status();
  expect(await read()).toBe(200);
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row).toContainText('Expires soon');
  await expect(row).toContainText('just now');
  await expect(page.getByText(token)).toHaveCount(0);
  await page.getByRole('button', { name: `Revoke ${name}` }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toHaveCount(0);
  expect(await read()).toBe(401);
  await page.getByRole('button', { name: 'Show revoked' }).click();
  await expect(row).toContainText('Revoked');
});

test.describe('with the eyes of another user', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('a super admin sees what staff see, and changes nothing', async ({ page, api }) => {
    const dialog = page.getByRole('dialog');
    const { data } = await api.call('GET /api/users', { query: { search: 'staff@demo' } });
    const [provider] = data[0]?.provider_access ?? [];
    const traders = await api.call('GET /api/traders', { query: { provider_id: provider, limit: '1' } });
    const [trader] = traders.data as { id: string }[];
    await page.goto(`/people/${data[0]?.id}`);
    await page.getByRole('button', { name: 'View as' }).click();
    await dialog.getByRole('button', { name: 'View', exact: true }).click();
    const notice = page.getByText('Viewing as Staff of one provider');
    await expect(notice).toBeVisible();
    await expect(page.getByText('Aurora Signals').first()).toBeVisible();
    await expect(page.getByRole('link', { name: 'Super Admin' })).toHaveCount(0);
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    await page.reload();
    await expect(notice).toBeVisible();
    const refused = page.waitForResponse(
      (answer) => answer.request().method() === 'POST' && answer.url().includes('/api/traders/'),
    );
    await page.goto(`/trader/${trader?.id}`);
    await page.getByRole('region', { name: 'AUM Management' }).getByRole('button').first().click();
    expect((await refused).status()).toBe(403);
    // A name or password typed there would be the viewer's own.
    await page.goto('/profile');
    await expect(page.getByRole('heading', { name: 'Profiles are not part of a view' })).toBeVisible();
    await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0);
    await page.getByRole('button', { name: 'Stop viewing' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Staff of one provider' })).toBeVisible();
    await expect(notice).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Super Admin' })).toBeVisible();
  });
});

test('who asks for access on the sign-in page is approved or declined', async ({
  page,
  browser,
  baseURL,
}) => {
  embeddedOnly('The form is ours, and so is the link of the invitation');
  const dialog = page.getByRole('dialog');
  const email = `asks-${randomUUID().slice(0, 8)}@example.com`;
  const guest = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
  await guest.goto('/sign-in');
  await guest.getByRole('link', { name: 'Ask for access' }).click();
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Ask for access');
  await guest.getByRole('button', { name: 'Send request' }).click();
  await expect(guest.getByText('Required').first()).toBeVisible();
  await guest.getByLabel('E-mail').fill(email);
  await guest.getByLabel('Name').fill('Asta Asks');
  await guest.getByLabel('What you need it for').fill('Support of Aurora');
  await guest.getByRole('button', { name: 'Send request' }).click();
  await expect(guest.getByText('Your request is noted')).toBeVisible();
  await guest.context().close();

  await page.goto('/people');
  const row = page.getByRole('table', { name: 'Waitlist' }).getByRole('row').filter({ hasText: email });
  await expect(row).toContainText('Support of Aurora');
  await page.getByRole('button', { name: `Approve ${email}` }).click();
  await dialog.getByLabel('Aurora Signals').check();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await expect(dialog.locator('code')).toContainText('/sign-in#/accept?token=');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(row).toHaveCount(0);
  await expect(page.getByRole('table', { name: 'People' }).getByText(email)).toBeVisible();
});

test.describe('the own account', () => {
  test.use({ persona: 'staff-multi', expectedComplaint: FAILED_REQUEST });

  test('has a name, a password and sessions', async ({ page, browser, baseURL }) => {
    embeddedOnly('Name, password and sessions are on the page of the service');
    const other = await browser.newContext({ baseURL: baseURL ?? '' });
    await other.request.post('/api/demo/sign-in', { data: { persona: 'staff-multi' } });
    await page.goto('/');
    await page.getByRole('button', { name: /account of/ }).click();
    await page.getByRole('menuitem', { name: 'Profile' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
    const sessions = page.getByRole('table', { name: 'Sessions' });
    await expect(sessions.getByText('This one')).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByText('Use 12 to 128 characters')).toBeVisible();
    await page.getByLabel('Present password').fill('not the password');
    await page.getByLabel('New password').fill('a longer password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByRole('alert').filter({ hasText: /password/i })).toBeVisible();
    await page.getByLabel('Name').fill('Staff of three');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'Name changed' })).toBeVisible();
    await page.getByLabel('Name').fill('Staff of three providers');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('button', { name: /^End the session/ })
      .first()
      .click();
    await expect(page.getByRole('listitem').filter({ hasText: 'Signed out there' })).toBeVisible();
    expect((await other.request.get('/api/auth/token')).status()).toBe(401);
    await other.request.post('/api/demo/sign-in', { data: { persona: 'staff-multi' } });
    await page.reload();
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End sessions' }).click();
    await expect(page.getByText('Signed out everywhere else', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: /^End the session/ })).toHaveCount(0);
    await other.close();
  });
});
