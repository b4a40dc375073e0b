import type { CallAnswer } from '@copydesk/contract';
import { shortId } from '@copydesk/domain/money';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { HELD_FROM, numberedAddress, planOf } from '../../../../../../../tests/e2e/support/distribute.ts';
import { queryClient } from '../../../../app/query-client.ts';
import { refuse } from '../../../../testing/serve-calls.ts';
import { COMMUNITY, planned, showCommunity, toastOf } from '../../../../testing/show-community.ts';
import {
  AT,
  detailOf,
  LIST,
  listOf,
  panelOf,
  payoutOf,
  showPayouts,
} from '../../../../testing/show-payouts.ts';
import { idOf, STAFF } from '../../../../testing/show-screen.tsx';

type Detail = CallAnswer<'GET /api/sweep-operations/{id}'>['data'];
type Frozen = CallAnswer<'GET /api/super-admin/wallets'>['data'][number];

const GET = 'GET /api/sweep-operations/{id}';
const RETRY = 'POST /api/sweep-operations/{id}/retry';
const RESEND = 'POST /api/sweep-operations/{id}/resend';
const WALLETS = 'GET /api/super-admin/wallets';
const UNFREEZE = 'POST /api/super-admin/wallets/{id}/unfreeze';
const HASH = `0x${'ab'.repeat(32)}`;
const TRANSFERS: Detail['transfers'] = [
  {
    id: idOf(901),
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
    id: idOf(902),
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
const FAILED: Partial<Detail> = {
  status: 'failed',
  problem: 'consolidation_reverted',
  transfers: TRANSFERS,
  transfer_count: 2,
  can_retry: true,
};
const detail = (changes: Partial<Detail>) => ({ success: true as const, data: detailOf(1, changes) });
const panel = panelOf(1);
const OPEN = `?payout=${idOf(1)}`;

test('a super admin sees every transfer of a payout, and why it does not go on', async () => {
  await showPayouts({ answers: { [GET]: detail(FAILED) } }, OPEN);
  await expect
    .element(panel)
    .toHaveTextContent('Collecting from a deposit address reverted on chain. Nothing was paid.');
  const transfers = panel.getByRole('list', { name: 'Transfers' });
  for (const text of [
    'Collect from a deposit address',
    '0x1111…1111',
    'Nonce 7',
    'Block 45,123,456 · 0.0000315 BNB',
    'transfer amount exceeds balance',
    'The wallet that pays for gas is empty.',
  ])
    await expect.element(transfers).toHaveTextContent(text);
  await expect
    .element(transfers.getByRole('link'))
    .toHaveAttribute('href', `https://explorer.example/tx/${HASH}`);
});

test('a failed payout is paid again from its row, once that is confirmed', async () => {
  const { server } = await showPayouts({
    answers: {
      [LIST]: listOf([payoutOf(1, { status: 'failed', problem: 'reverted' }), payoutOf(2)]),
      [GET]: detail(FAILED),
      [RETRY]: { success: true, data: { id: idOf(1), status: 'pending', retried_with: [] } },
    },
  });
  const choose = async (name: string) => {
    await page.getByRole('button', { name: `Actions for payout ${shortId(idOf(1))}` }).click();
    await expect.element(page.getByRole('menuitem')).toHaveTextContent(/^Retry$/);
    await page.getByRole('menuitem', { name }).click();
  };
  await choose('Retry');
  const question = page.getByRole('dialog', { name: 'Retry payout' });
  await question.getByRole('button', { name: 'Back' }).click();
  expect(server.sentTo(RETRY)).toEqual([]);
  await choose('Retry');
  await question.getByRole('button', { name: 'Pay again' }).click();
  await expect.element(toastOf('Payout ordered again')).toBeVisible();
  await expect.element(question).not.toBeInTheDocument();
  expect(server.sentTo(RETRY)).toMatchObject([
    { params: { id: idOf(1) }, key: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  ]);
});

test('a payout that is not on chain yet is taken back', async () => {
  await showPayouts(
    {
      answers: {
        [GET]: detail({
          ...FAILED,
          status: 'distributing',
          problem: null,
          can_retry: false,
          can_cancel: true,
        }),
        'POST /api/sweep-operations/{id}/cancel': {
          success: true,
          data: { id: idOf(1), status: 'distributing' },
        },
      },
    },
    OPEN,
  );
  await panel.getByRole('button', { name: 'Cancel' }).click();
  expect(panel.getByRole('button', { name: 'Retry' }).elements()).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel payout' }).click();
  await expect.element(toastOf('Cancellation requested')).toBeVisible();
});

test('a failed payout is ordered again at the new address, with a reason and its hold', async () => {
  const held: Partial<Detail> = {
    status: 'failed',
    problem: 'reverted',
    can_retry: true,
    can_resend: true,
    current_address: numberedAddress(0xddd1),
    current_address_payable_from: HELD_FROM,
    current_address_owner_word: { kind: 'not_me', read_at: HELD_FROM },
  };
  const dialog = page.getByRole('dialog', { name: 'Send to new address' });
  const ask = page.getByRole('button', { name: 'Send to new address' });
  const { unmount } = await showPayouts({ answers: { [GET]: detail(held) } }, OPEN);
  await ask.click();
  await expect.element(dialog).toHaveTextContent(numberedAddress(0xddd1));
  await expect.element(dialog).toHaveTextContent('payable from Nov 23, 14:05 UTC');
  await expect.element(dialog).toHaveTextContent('The owner said: not me');
  await expect
    .element(dialog.getByRole('button', { name: 'Order payout' }))
    .toHaveAttribute('aria-disabled', 'true');
  await unmount();
  queryClient.clear();

  const free = { ...held, current_address_payable_from: null, current_address_owner_word: null };
  const { server } = await showPayouts(
    {
      answers: {
        [GET]: detail(free),
        [RESEND]: planned(planOf({ total_amount: '12.5', payouts: [] })),
      },
    },
    OPEN,
  );
  await ask.click();
  await expect.element(dialog).not.toHaveTextContent('The owner said');
  await dialog.getByRole('button', { name: 'Order payout' }).click();
  await expect.element(dialog).toHaveTextContent('Explain how you know that it was not paid');
  expect(server.sentTo(RESEND)).toEqual([]);
  await dialog.getByLabelText('Why it was not paid').fill('The transfer reverted');
  await dialog.getByRole('button', { name: 'Order payout' }).click();
  await expect.element(toastOf('Payout ordered: 1 recipient, 12.50 USDT')).toBeVisible();
  expect(server.sentTo(RESEND).map(({ body }) => body)).toEqual([{ reason: 'The transfer reverted' }]);
});

const FROZEN: Frozen = {
  id: idOf(911),
  role: 'gas',
  owner_id: idOf(912),
  address: `0x${'44'.repeat(20)}`,
  frozen_because: 'balance_short',
  frozen_at: AT,
};

test('a frozen wallet is reported, and released with a reason', async () => {
  let data = [FROZEN];
  const { server } = await showPayouts({
    answers: {
      [WALLETS]: () => ({ success: true, data, meta: { total: data.length } }),
      [UNFREEZE]: () => {
        data = [];
        return { success: true, data: { id: FROZEN.id } };
      },
    },
  });
  const notice = page.getByText('The wallet that pays for gas is frozen');
  await expect.element(notice).toBeVisible();
  await expect.element(page.getByText(/The wallet holds less on chain than the ledger says\./)).toBeVisible();
  await page.getByRole('button', { name: 'Unfreeze' }).click();
  const dialog = page.getByRole('dialog', { name: 'Unfreeze' });
  await expect.element(dialog.getByRole('textbox')).toHaveFocus();
  await dialog.getByRole('button', { name: 'Unfreeze' }).click();
  await expect.element(dialog).toHaveTextContent('Please describe what you found');
  expect(server.sentTo(UNFREEZE)).toEqual([]);
  await dialog.getByRole('textbox').fill('A transfer by hand, booked since');
  await dialog.getByRole('button', { name: 'Unfreeze' }).click();
  await expect.element(toastOf('Wallet unfrozen')).toBeVisible();
  expect(server.sentTo(UNFREEZE).map(({ body }) => body)).toEqual([
    { reason: 'A transfer by hand, booked since' },
  ]);
  await expect.element(notice).not.toBeInTheDocument();
});

test('a community shows its own wallet only', async () => {
  const own: Frozen = { ...FROZEN, id: idOf(913), role: 'community', owner_id: COMMUNITY.id };
  await showCommunity({
    answers: { [WALLETS]: { success: true, data: [FROZEN, own], meta: { total: 2 } } },
  });
  await expect.element(page.getByText(`The wallet of ${COMMUNITY.name} is frozen`)).toBeVisible();
  expect(page.getByRole('button', { name: 'Unfreeze' }).elements()).toHaveLength(1);
});

test('staff see the reason, without actions or requests', async () => {
  const { server } = await showPayouts(
    { user: STAFF, answers: { [GET]: detail({ ...FAILED, can_cancel: true }) } },
    OPEN,
  );
  await expect.element(panel.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  await expect.element(panel).toHaveTextContent('A super admin can pay it again.');
  expect(panel.getByRole('button', { name: /Retry|Cancel/ }).elements()).toEqual([]);
  expect(panel.getByRole('list', { name: 'Transfers' }).elements()).toEqual([]);
  expect(server.sentKeys().filter((key) => key.includes('/super-admin/'))).toEqual([]);
});

test('uncertain results are shown where they were requested', async () => {
  const told = 'The outcome of this payout on chain is not certain yet. Nothing was changed.';
  await showPayouts(
    { answers: { [GET]: detail(FAILED), [RETRY]: refuse(409, 'payout_not_safe', told) } },
    OPEN,
  );
  await panel.getByRole('button', { name: 'Retry' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Pay again' }).click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(told);
});
