import type { CallAnswer } from '@copydesk/contract';
import { shortId } from '@copydesk/domain/money';
import { pickCommunity } from './support/communities.ts';
import { answerPayout, refusal } from './support/distribute.ts';
import { expect, FAILED_REQUEST, test } from './support/test.ts';
import { listPayouts, transactionHistory } from './support/transaction-history.ts';

type Transfer = CallAnswer<'GET /api/sweep-operations/{id}'>['data']['transfers'][number];
type Frozen = CallAnswer<'GET /api/super-admin/wallets'>['data'][number];

const AT = '2026-01-02T10:00:00.000Z';
const HASH = `0x${'ab'.repeat(32)}`;
const TRANSFERS: Transfer[] = [
  {
    id: '00000000-0000-4000-8000-0000000000e1',
    kind: 'consolidate',
    state: 'reverted',
    from_address: `0x${'11'.repeat(20)}`,
    to_address: `0x${'22'.repeat(20)}`,
    amount: '120.5',
    nonce: 7,
    problem: 'reverted',
    problem_detail: 'transfer amount exceeds balance',
    attempts: [
      {
        hash: HASH,
        attempt: 1,
        is_cancel: false,
        max_fee_gwei: '1.5',
        created_at: AT,
        broadcast_at: AT,
        refusal: null,
        refusal_detail: null,
        receipt: { block_number: 45_123_456, is_success: false, fee: '0.0000315' },
      },
    ],
  },
  {
    id: '00000000-0000-4000-8000-0000000000e2',
    kind: 'distribute',
    state: 'planned',
    from_address: `0x${'22'.repeat(20)}`,
    to_address: `0x${'33'.repeat(20)}`,
    amount: '120.5',
    nonce: null,
    problem: 'gas_wallet_empty',
    problem_detail: null,
    attempts: [],
  },
];
const FAILED = {
  status: 'failed',
  problem: 'consolidation_reverted',
  transfers: TRANSFERS,
  transfer_count: 2,
  can_retry: true,
  can_cancel: false,
} as const;

async function firstPayout(api: Parameters<typeof listPayouts>[0]) {
  return (await listPayouts(api)).data[0]?.id ?? '';
}

test('a super admin sees every transfer of a payout, and why it does not go on', async ({ page, api }) => {
  const id = await firstPayout(api);
  await answerPayout(page, api, id, FAILED);
  await page.goto(`/transaction-history?payout=${id}`);
  const panel = transactionHistory(page).panel(id);
  await expect(panel).toContainText('Collecting from a deposit address reverted on chain. Nothing was paid.');
  const transfers = panel.getByRole('list', { name: 'Transfers' });
  await expect(transfers).toContainText('Collect from a deposit address');
  await expect(transfers).toContainText('0x1111…1111');
  await expect(transfers).toContainText('Nonce 7');
  await expect(transfers).toContainText('Block 45,123,456 · 0.0000315 BNB');
  await expect(transfers).toContainText('transfer amount exceeds balance');
  await expect(transfers).toContainText('The wallet that pays for gas is empty.');
  await expect(transfers.getByRole('link')).toHaveAttribute('href', `https://bscscan.com/tx/${HASH}`);
});

test('a failed payout is paid again from its row, once that is confirmed', async ({ page, api }) => {
  const id = await firstPayout(api);
  const asked: string[] = [];
  await answerPayout(page, api, id, FAILED);
  await page.route('**/retry', (route) => {
    asked.push(route.request().headers()['idempotency-key'] ?? '');
    return route.fulfill({ json: { success: true, data: { id, status: 'pending', retried_with: [] } } });
  });
  await page.route('**/api/sweep-operations/admin/all?*', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    Object.assign(json.data[0], { id, status: 'failed', problem: 'reverted' });
    await route.fulfill({ response, json });
  });
  await page.goto('/transaction-history');
  const { rows, toast } = transactionHistory(page);
  const choose = async (name: string) => {
    await rows
      .first()
      .getByRole('button', { name: `Actions for payout ${shortId(id)}` })
      .click();
    await expect(page.getByRole('menuitem')).toHaveText(['Retry']);
    await page.getByRole('menuitem', { name }).click();
  };
  await choose('Retry');
  const question = page.getByRole('dialog', { name: 'Retry payout' });
  await question.getByRole('button', { name: 'Back' }).click();
  expect(asked).toEqual([]);
  await choose('Retry');
  await question.getByRole('button', { name: 'Pay again' }).click();
  await expect(toast('Payout ordered again')).toBeVisible();
  await expect(question).toHaveCount(0);
  expect(asked).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
});

test('a payout that is not on chain yet is taken back', async ({ page, api }) => {
  const id = await firstPayout(api);
  await answerPayout(page, api, id, {
    ...FAILED,
    status: 'distributing',
    problem: null,
    can_retry: false,
    can_cancel: true,
  });
  await page.route('**/cancel', (route) =>
    route.fulfill({ json: { success: true, data: { id, status: 'distributing' } } }),
  );
  await page.goto(`/transaction-history?payout=${id}`);
  const { panel, toast } = transactionHistory(page);
  await expect(panel(id).getByRole('button', { name: 'Retry' })).toHaveCount(0);
  await panel(id).getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel payout' }).click();
  await expect(toast('Cancellation requested')).toBeVisible();
});

const FROZEN: Frozen = {
  id: '00000000-0000-4000-8000-0000000000f1',
  role: 'gas',
  owner_id: '00000000-0000-4000-8000-0000000000f2',
  address: `0x${'44'.repeat(20)}`,
  frozen_because: 'balance_short',
  frozen_at: AT,
};

test('a frozen wallet is reported, and released with a reason', async ({ page }) => {
  let data = [FROZEN];
  const asked: unknown[] = [];
  await page.route('**/api/super-admin/wallets?*', (route) =>
    route.fulfill({ json: { success: true, data, meta: { total: data.length } } }),
  );
  await page.route('**/unfreeze', (route) => {
    asked.push(route.request().postDataJSON());
    data = [];
    return route.fulfill({ json: { success: true, data: { id: FROZEN.id } } });
  });
  await page.goto('/transaction-history');
  await expect(page.getByText('The wallet that pays for gas is frozen')).toBeVisible();
  await expect(page.getByText(/The wallet holds less on chain than the ledger says\./)).toBeVisible();
  await page.getByRole('button', { name: 'Unfreeze' }).click();
  const dialog = page.getByRole('dialog', { name: 'Unfreeze' });
  await expect(dialog.getByRole('textbox')).toBeFocused();
  await dialog.getByRole('button', { name: 'Unfreeze' }).click();
  await expect(dialog).toContainText('Please describe what you found');
  expect(asked).toEqual([]);
  await dialog.getByRole('textbox').fill('A transfer by hand, booked since');
  await dialog.getByRole('button', { name: 'Unfreeze' }).click();
  await expect(transactionHistory(page).toast('Wallet unfrozen')).toBeVisible();
  expect(asked).toEqual([{ reason: 'A transfer by hand, booked since' }]);
  await expect(page.getByText('The wallet that pays for gas is frozen')).toHaveCount(0);
});

test('a community shows its own wallet only', async ({ page, api }) => {
  const { id, name } = await pickCommunity(api);
  const own = { ...FROZEN, id: '00000000-0000-4000-8000-0000000000f3', role: 'community', owner_id: id };
  await page.route('**/api/super-admin/wallets?*', (route) =>
    route.fulfill({ json: { success: true, data: [FROZEN, own], meta: { total: 2 } } }),
  );
  await page.goto(`/community-settings/${id}`);
  await expect(page.getByText(`The wallet of ${name} is frozen`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Unfreeze' })).toHaveCount(1);
});

test.describe('as staff', () => {
  test.use({ persona: 'staff' });

  test('the reason is shown, without actions or requests', async ({ page, api }) => {
    const id = await firstPayout(api);
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/super-admin/') && asked.push(request.url()));
    await answerPayout(page, api, id, { ...FAILED, can_cancel: true });
    await page.goto(`/transaction-history?payout=${id}`);
    const panel = transactionHistory(page).panel(id);
    await expect(panel.getByRole('list', { name: 'Steps' })).toBeVisible();
    await expect(panel.getByRole('button', { name: /Retry|Cancel/ })).toHaveCount(0);
    await expect(panel.getByRole('list', { name: 'Transfers' })).toHaveCount(0);
    await expect(panel).toContainText('A super admin can pay it again.');
    expect(asked).toEqual([]);
  });
});

test.describe('when it fails', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('uncertain results are shown where they were requested', async ({ page, api }) => {
    const id = await firstPayout(api);
    const told = 'The outcome of this payout on chain is not certain yet. Nothing was changed.';
    await answerPayout(page, api, id, FAILED);
    await page.route('**/retry', (route) => route.fulfill(refusal(409, 'payout_not_safe', told)));
    await page.goto(`/transaction-history?payout=${id}`);
    await transactionHistory(page).panel(id).getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pay again' }).click();
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(told);
  });
});
