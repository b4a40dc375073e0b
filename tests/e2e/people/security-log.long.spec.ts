import { createApi } from '../support/api.ts';
import { embeddedOnly } from '../support/identity-mode.ts';
import { expect, test } from '../support/test.ts';

/** Refused attempts of staff: a call of super admins, and a password that is wrong. */
async function beRefused(baseURL: string) {
  const staff = await createApi(baseURL, 'staff');
  for (let n = 0; n < 2; n += 1)
    await expect(staff.call('GET /api/waitlist', { query: {} })).rejects.toThrow(
      'Super admin access required',
    );
  const answer = await fetch(`${baseURL}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseURL },
    body: JSON.stringify({ email: 'staff@demo.example', password: 'not-the-password' }),
  });
  expect(answer.status).toBe(401);
}

test('refused attempts are listed, narrowed, exported, and shown with their person', async ({
  page,
  baseURL,
}) => {
  embeddedOnly('Wrong passwords are the business of the service');
  await beRefused(baseURL ?? '');
  await page.goto('/audit');
  await page.getByText('Security Log', { exact: true }).click();
  await expect(page).toHaveURL(/\/audit\?view=security$/);
  const table = page.getByRole('table', { name: 'Refused attempts, newest first' });
  const row = (attempt: string) =>
    table.getByRole('row').filter({ hasText: 'staff@demo.example' }).filter({ hasText: attempt });
  // Attempts are written every five seconds.
  await expect(async () => {
    await page.reload();
    await expect(row('Wrong password for the account of staff@demo.example')).toHaveCount(1, {
      timeout: 15_000,
    });
  }).toPass();
  const access = row('Tried something that only super admins may do').filter({
    hasText: 'GET /api/waitlist',
  });
  await expect(access).toContainText('Access denied');
  await expect(access.getByRole('cell').last()).toHaveText(/^([2-9]|\d\d+)$/);
  await expect(access).toContainText('127.0.0.1');

  await page.getByRole('button', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'Sign-in refused' }).click();
  await expect(page).toHaveURL(/kind=authentication/);
  await expect(access).toHaveCount(0);
  await expect(row('Signing in with a password')).toHaveCount(1);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^security-log-\d{4}-\d\d-\d\d\.csv$/);
  await row('Wrong password for the account of staff@demo.example')
    .getByRole('button', { name: '127.0.0.1' })
    .click();
  await expect(page.getByRole('button', { name: /^Remove filter Network/ })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(/\/audit\?view=security$/);

  await page.getByRole('button', { name: 'Date' }).click();
  await page.getByLabel('Last day').fill('2020-01-01');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('No refused attempts')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();

  await row('Wrong password for the account of staff@demo.example')
    .getByRole('link', { name: 'staff@demo.example' })
    .click();
  const refusals = page.getByRole('region', { name: /^Refused Attempts/ });
  await expect(refusals).toContainText('Access denied');
  await expect(refusals).toContainText('Sign-in refused');
  await refusals.getByRole('link', { name: 'Open security log' }).click();
  await expect(page).toHaveURL(/\/audit\?.*view=security/);
  await expect(row('Wrong password for the account of staff@demo.example')).toHaveCount(1);
  // The person stays chosen among the changes.
  await page.getByText('Changes', { exact: true }).click();
  await expect(page).toHaveURL(/\/audit\?actor=/);
  await expect(page.getByRole('button', { name: /^Person: staff@demo.example/ })).toBeVisible();
});
