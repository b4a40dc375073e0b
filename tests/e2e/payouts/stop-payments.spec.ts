import { expectAccessible } from '../support/accessibility.ts';
import { createApi } from '../support/api.ts';
import { expect, test } from '../support/test.ts';

// A product whose payments are stopped would fail other tests, and a second attempt of this one.
test.afterEach(async ({ api, baseURL }) => {
  const { stop } = (await api.call('GET /api/payments/stop')).data;
  if (!stop) return;
  if (stop.lift?.state === 'waiting')
    await api.call('POST /api/payments/stop/lifts/{id}/withdraw', { params: { id: stop.lift.id } });
  if (stop.lift?.state !== 'confirmed') {
    const asked = await api.call('POST /api/payments/stop/lifts', {
      body: { stop_id: stop.id, reason: 'Left by a test' },
    });
    const other = await createApi(baseURL ?? '', 'super-2');
    await other.call('POST /api/payments/stop/lifts/{id}/confirm', {
      params: { id: asked.data.stop?.lift?.id ?? '' },
    });
  }
  await expect
    .poll(async () => (await api.call('GET /api/payments/stop')).data.stop, { timeout: 30_000 })
    .toBeNull();
});

test('one super admin stops all payments, another one lifts the stop', async ({ page, baseURL }) => {
  const dialog = page.getByRole('dialog');
  // With the colon: the message that it was done has the same words.
  const banner = page.getByRole('status').filter({ hasText: 'Payments are stopped:' });
  await page.goto('/super-admin');
  await page.getByRole('button', { name: 'Stop all payments' }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Stop all payments' }).click();
  await expect(dialog).toContainText('Enter a reason');
  await dialog.getByLabel('Reason').fill('Wrong recipients in Alpine Traders');
  await page.keyboard.press('Enter');
  await expect(banner).toContainText('Payments are stopped: Wrong recipients in Alpine Traders');
  await expect(banner).toContainText('Stopped by super@demo.example');
  await expect(page.getByRole('button', { name: 'Stop all payments' })).toHaveCount(0);
  await expectAccessible(page);

  // Above every screen, and for staff without the reason.
  await page.goto('/');
  await expect(banner).toContainText('Only cancellations are sent');
  const staff = await createApi(baseURL ?? '', 'staff');
  expect((await staff.call('GET /api/payments/stop')).data).toMatchObject({ stop: null });

  await banner.getByRole('button', { name: 'Lift the stop' }).click();
  await dialog.getByLabel('Why payments may go on').fill('All recipients are right');
  await dialog.getByRole('button', { name: 'Ask for confirmation' }).click();
  await expect(banner).toContainText('Waits for another super admin');
  await expect(banner.getByRole('button', { name: 'Confirm' })).toHaveCount(0);
  await expect(banner.getByRole('button', { name: 'Withdraw' })).toBeVisible();

  // The other one withdraws it, which this screen is told, and asks in turn.
  const other = await createApi(baseURL ?? '', 'super-2');
  const { stop } = (await other.call('GET /api/payments/stop')).data;
  await other.call('POST /api/payments/stop/lifts/{id}/withdraw', { params: { id: stop?.lift?.id ?? '' } });
  await expect(banner.getByRole('button', { name: 'Lift the stop' })).toBeVisible();
  await other.call('POST /api/payments/stop/lifts', {
    body: { stop_id: stop?.id ?? '', reason: 'Compared with the ledger' },
  });
  await expect(banner).toContainText('super-2@demo.example asked to lift it');
  await expect(banner).toContainText('Waits for you.');
  await expectAccessible(page);
  await banner.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog).toContainText('Ask super-2@demo.example by another channel');
  await dialog.getByRole('button', { name: 'Lift the stop' }).click();
  // While a dialog is open, what is behind it has no roles.
  await expect(dialog).toHaveCount(0);
  // A worker carries it out, and the screen is told.
  await expect(banner).toHaveCount(0, { timeout: 30_000 });
  await page.goto('/super-admin');
  await expect(page.getByRole('button', { name: 'Stop all payments' })).toBeVisible();
  await page.goto('/settings');
  const history = page.getByRole('region', { name: 'Stops of payments' });
  await expect(history).toContainText('Stopped: Wrong recipients in Alpine Traders');
  await expect(history).toContainText('asked for by super-2@demo.example, confirmed by super@demo.example');
  await expect(history).toContainText('Compared with the ledger');
});
