import type { CallAnswer } from '@copydesk/contract';
import { shortId } from '@copydesk/domain/money';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../../testing/expect-accessible.ts';
import { refuse } from '../../../../testing/serve-calls.ts';
import { toastOf } from '../../../../testing/show-community.ts';
import { LIST, listOf, payoutOf, showPayouts } from '../../../../testing/show-payouts.ts';
import { idOf, STAFF } from '../../../../testing/show-screen.tsx';

const PREVIEW = 'POST /api/sweep-operations/retry/preview';
const ORDER = 'POST /api/sweep-operations/retry';
type Preview = CallAnswer<typeof PREVIEW>['data'];
type Row = Preview['rows'][number];

const row = (n: number, changes: Partial<Row> = {}): Row => ({
  id: idOf(n),
  community: { id: idOf(1), name: 'Kite Traders' },
  recipient_type: 'community',
  recipient_address: `0x${'ab'.repeat(20)}`,
  amount: '10.5',
  reason: null,
  taken_by: null,
  ...changes,
});
const FAILED = { status: 'failed', problem: 'reverted' } as const;
const ROWS = listOf([payoutOf(1, FAILED), payoutOf(2, FAILED), payoutOf(3), payoutOf(4, FAILED)]);

/** The answer of the server to what is asked: the named ones, and one that comes along with the first. */
const planned =
  (changes: Partial<Preview> = {}) =>
  ({ body }: { body?: unknown }) => {
    const { payout_ids: ids = [idOf(1), idOf(2), idOf(4)] } = (body ?? {}) as { payout_ids?: string[] };
    const along = ids.includes(idOf(1)) ? [row(9, { taken_by: idOf(1), amount: '4' })] : [];
    const rows = [
      ...ids.map((id) => row(0, { id, reason: id === idOf(4) ? 'address_changed' : null })),
      ...along,
    ];
    const will = rows.filter(({ reason }) => reason === null);
    const amount = String(will.reduce((sum, each) => sum + Number(each.amount), 0));
    return {
      success: true as const,
      data: { rows, will: will.length, amount, takes_two: false, refusal: null, ...changes },
    };
  };

const box = (n: number) => page.getByRole('checkbox', { name: `Select payout ${shortId(idOf(n))}` });
const bar = page.getByRole('region', { name: 'Selection' });
const dialog = page.getByRole('dialog', { name: 'Retry payouts' });

test('failed payouts are paid again together, as the server said of each', async () => {
  const { server } = await showPayouts({
    answers: {
      [LIST]: ROWS,
      [PREVIEW]: planned(),
      [ORDER]: { success: true, data: { paid: 2, amount: '14.5' } },
    },
  });
  await box(1).click();
  // Only what has failed can be selected.
  expect(box(3).elements()).toEqual([]);
  await box(2).click();
  await box(4).click();
  await expect.element(bar).toHaveTextContent('3 payouts selected · 31.50 USDT');
  await bar.getByRole('button', { name: 'Retry', exact: true }).click();
  await expect.element(dialog).toHaveTextContent('3 payouts, 25.00 USDT');
  await expect.element(dialog).toHaveTextContent('1 payout, 4.00 USDT');
  await expect.element(dialog).toHaveTextContent(`0x${'abab'.repeat(10)}`);
  await expect.element(dialog).toHaveTextContent('Its recipient has another address now');
  await expectAccessible();
  const boxes = dialog.getByRole('checkbox', { name: 'Include 10.50 USDT to community' });
  await boxes.nth(1).click();
  await expect.element(dialog.getByRole('button', { name: 'Pay 14.50 USDT again' })).toBeVisible();
  await expect.element(boxes.nth(1)).not.toBeChecked();
  await dialog.getByRole('button', { name: 'Pay 14.50 USDT again' }).click();
  await expect.element(toastOf('2 payouts ordered again')).toBeVisible();
  expect(server.sentTo(ORDER)).toMatchObject([
    {
      body: { payout_ids: [idOf(1)], expected_count: 2, expected_amount: '14.5' },
      key: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  ]);
  await expect.element(bar).not.toBeInTheDocument();
});

test('all failed ones that match are asked for by their filters, less those that were unticked', async () => {
  const { server } = await showPayouts(
    { answers: { [LIST]: ROWS, [PREVIEW]: planned() } },
    `?status=failed&community=${idOf(1)}`,
  );
  await page.getByRole('checkbox', { name: 'Select all failed payouts' }).click();
  await expect.element(bar).toHaveTextContent('All failed payouts that match selected');
  await box(2).click();
  await expect.element(bar).toHaveTextContent('without 1 payout');
  await bar.getByRole('button', { name: 'Retry', exact: true }).click();
  await expect.element(dialog).toHaveTextContent('3 payouts, 25.00 USDT');
  expect(server.sentTo(PREVIEW).map(({ body }) => body)).toEqual([
    { matching: { filters: { community_id: idOf(1) }, except: [idOf(2)] } },
  ]);
});

test('who may not pay them again reads why before it is asked', async () => {
  const refusal = 'Ask another super admin to retry it.';
  await showPayouts({ answers: { [LIST]: ROWS, [PREVIEW]: planned({ takes_two: true, refusal }) } });
  await box(1).click();
  await bar.getByRole('button', { name: 'Retry', exact: true }).click();
  await expect.element(dialog).toHaveTextContent(refusal);
  await expect.element(dialog.getByRole('button', { name: /^Pay/ })).toHaveAttribute('aria-disabled', 'true');
});

test('what changed meanwhile is shown as it is now', async () => {
  let isChanged = false;
  const { server } = await showPayouts({
    answers: {
      [LIST]: ROWS,
      [PREVIEW]: (asked) => planned(isChanged ? { will: 1, amount: '10.5' } : {})(asked),
      [ORDER]: () => {
        isChanged = true;
        return refuse(409, 'payouts_changed', 'These payouts have changed meanwhile.');
      },
    },
  });
  await box(2).click();
  await box(1).click();
  await bar.getByRole('button', { name: 'Retry', exact: true }).click();
  await dialog.getByRole('button', { name: 'Pay 25.00 USDT again' }).click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('These payouts have changed meanwhile.');
  await expect.element(dialog.getByRole('button', { name: 'Pay 10.50 USDT again' })).toBeVisible();
  expect(server.sentTo(PREVIEW).length).toBeGreaterThan(1);
});

test('the keyboard selects failed rows, and no others', async () => {
  await showPayouts({ answers: { [LIST]: ROWS } });
  await expect.element(box(1)).toBeVisible();
  const focused = page.getByRole('row').nth(1).element() as HTMLElement;
  focused.focus();
  await userEvent.keyboard('x');
  await expect.element(bar).toHaveTextContent('1 payout selected');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}x');
  await expect.element(bar).toHaveTextContent('1 payout selected');
  await userEvent.keyboard('{ArrowDown}x');
  await expect.element(bar).toHaveTextContent('2 payouts selected');
});

test('staff have no boxes', async () => {
  await showPayouts({ user: STAFF, answers: { [LIST]: ROWS } });
  await expect.element(page.getByRole('row').nth(1)).toBeVisible();
  expect(page.getByRole('checkbox').elements()).toEqual([]);
});
