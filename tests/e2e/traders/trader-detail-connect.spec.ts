import { createSpareAccounts, credentialsOf } from '../../../apps/simulators/src/world/index.ts';
import type { Api } from '../support/api.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';
import { traderDetail } from '../support/trader-detail.ts';
import { listTraders } from '../support/traders-list.ts';

// A key that is refused, or an exchange that does not answer.
test.use({ expectedComplaint: FAILED_REQUEST });

/** An account at the simulated exchange that belongs to no trader. */
function spare(kind: string) {
  const found = createSpareAccounts().find(
    ({ name, account }) => name === kind && account.exchange === 'bybit',
  );
  if (!found) throw new Error(`no spare account ${kind}`);
  const { apiKey = '', secretKey = '' } = credentialsOf(found.account) as {
    apiKey?: string;
    secretKey?: string;
  };
  return { accUid: found.account.accUid, apiKey, secretKey };
}

/** A trader whose community has a provider that works with bybit. */
async function pickConnectable(api: Api): Promise<string> {
  const { data } = await listTraders(api, { tab: 'connected', limit: '40' });
  for (const { id } of data) {
    const available = await api.call('GET /api/traders/{id}/available-exchanges', { params: { id } });
    if (available.data.some(({ exchange }) => exchange === 'bybit')) return id;
  }
  throw new Error('The demo world has no such trader.');
}

test('an account is connected with its credentials once its key is good, and removed after a question', async ({
  page,
  api,
}) => {
  const id = await pickConnectable(api);
  const account = spare('may_withdraw');
  const { keys, dialog, card } = traderDetail(page);
  const shown = card({ acc_uid: account.accUid });
  await page.goto(`/trader/${id}`);
  await keys.getByRole('button', { name: 'Connect exchange' }).click();
  await expect(dialog).toHaveAccessibleName('Connect exchange');
  await dialog.getByRole('combobox', { name: 'Exchange' }).selectOption('bybit');
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(dialog.getByText('For other exchanges, apiKey and secretKey are required.')).toHaveCount(2);
  for (const [kind, text] of [
    ['revoked', 'Setup failed: The exchange does not accept these credentials.'],
    ['ip_restricted_without_us', "Setup failed: Our address is not on the key's IP whitelist."],
  ] as const) {
    const { apiKey, secretKey } = spare(kind);
    await dialog.getByRole('textbox', { name: 'API Key' }).fill(apiKey);
    await dialog.getByLabel('Secret Key').fill(secretKey);
    // An exchange that does not answer says so, and the person tries again.
    await expect(async () => {
      await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
      await expect(dialog.getByRole('alert')).toHaveText(text, { timeout: 12_000 });
    }).toPass({ timeout: 90_000 });
  }
  await dialog.getByRole('textbox', { name: 'API Key' }).fill(account.apiKey);
  await dialog.getByLabel('Secret Key').fill(account.secretKey);
  const reason = dialog.getByRole('textbox', { name: 'Why this key may withdraw' });
  await expect(async () => {
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(reason).toBeVisible({ timeout: 12_000 });
  }).toPass({ timeout: 90_000 });
  await reason.fill('The trader insists');
  await expect(async () => {
    await dialog.getByRole('button', { name: 'Connect anyway' }).click();
    await expect(dialog).toHaveCount(0, { timeout: 12_000 });
  }).toPass({ timeout: 90_000 });
  await expect(shown.getByRole('heading', { name: 'Bybit' })).toBeVisible();
  await expect(shown.getByText('Withdrawals allowed')).toBeVisible();
  await expect(shown.getByText('Subaccount', { exact: true })).toBeVisible();
  // The answer waits for the slowest exchange of the trader.
  await expect(shown.getByText('3 Allowed IP(s)')).toBeVisible();

  // What was typed is gone with the dialog.
  await keys.getByRole('button', { name: 'Connect exchange' }).click();
  await dialog.getByRole('combobox', { name: 'Exchange' }).selectOption('bybit');
  await expect(dialog.getByLabel('Secret Key')).toHaveValue('');
  await page.keyboard.press('Escape');

  await shown.getByRole('button', { name: 'Remove Bybit' }).click();
  await expect(dialog).toHaveAccessibleName('Remove exchange');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(shown).toHaveCount(1);
  await shown.getByRole('button', { name: 'Remove Bybit' }).click();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(shown).toHaveCount(0);
});
