import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  distributionOf,
  PAID_BEFORE,
  paidRecipient,
  pendingOf,
  planOf,
  sentOf,
} from '../../../../../../tests/e2e/support/distribute.ts';
import { expectAccessible } from '../../../testing/expect-accessible.ts';
import { never, refuse } from '../../../testing/serve-calls.ts';
import {
  DISTRIBUTE,
  distributing,
  funds,
  NONE,
  PAID,
  PAYOUTS,
  PENDING,
  payoutsWith,
  planned,
  showCommunity,
  toastOf,
} from '../../../testing/show-community.ts';
import { idOf, showScreen } from '../../../testing/show-screen.tsx';

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const APPROVE = 'POST /api/super-admin/distributions/{id}/approve';
const AWAITING = 'GET /api/super-admin/distributions/awaiting';
const LISTED = 'GET /api/super-admin/communities/{id}/distributions';
const WAIT = payoutsWith(['pending', 'pending', 'pending', 'pending', 'pending']);
const OTHERS = distributionOf({ state: 'awaiting_approval', total_amount: '8100', payout_count: 5 });
const OWN = distributionOf({
  id: idOf(12),
  state: 'awaiting_approval',
  requested_by: 'super@demo.example',
  is_own: true,
  approval_refusal: {
    code: 'own_approval',
    message: 'Another super admin must approve your request',
  },
});
const approved = { success: true as const, data: { ...OTHERS, state: 'approved' as const } };
const { opener, dialog, button } = funds;
const question = page.getByRole('dialog', { name: 'Approve distribution' });

test('above the limit another super admin is asked, and no success is claimed', async () => {
  const distribution = distributionOf({ state: 'awaiting_approval' });
  await showCommunity({
    answers: {
      ...distributing(
        planOf({ needs_approval: true, expected_fee: null }),
        sentOf({ needs_approval: true, distribution }),
      ),
      [PAYOUTS]: WAIT,
    },
  });
  await opener.click();
  await button('Distribute All').click();
  await expect.element(dialog).toHaveTextContent('Another super admin must approve this');
  await expect.element(dialog).toHaveTextContent('Not known yet');
  await button('Request approval to pay 1,234.56 USDT to 4 recipients').click();
  await expect.element(toastOf('Approval requested')).toBeVisible();
  expect(toastOf('Funds distributed').elements()).toEqual([]);
  await expect.element(dialog).toHaveTextContent('Waiting for another super admin');
});

test('a payout above the largest one is ordered when the person allows it once, and takes two further ones', async () => {
  const above = { needs_approval: true, above_maximum: { maximum: '500', payout_count: 1 } };
  const waiting = (...names: string[]) =>
    distributionOf({ state: 'awaiting_approval', approvals: { needed: 2, given_by: names } });
  const { server, unmount } = await showCommunity({
    answers: {
      ...distributing(planOf(above), sentOf({ ...above, distribution: waiting() })),
      [PAYOUTS]: WAIT,
    },
  });
  await opener.click();
  await button('Distribute All').click();
  await expect.element(dialog).toHaveTextContent('1 payout is above the largest payout of 500.00 USDT');
  await expect.element(dialog).not.toHaveTextContent('Another super admin must approve this');
  const pay = button(/^Request approval to pay/);
  await expect.element(pay).toHaveAttribute('aria-disabled', 'true');
  await pay.click({ force: true });
  await dialog.getByLabelText('Allow once').click();
  await expectAccessible();
  await pay.click();
  await expect.element(toastOf('two further super admins approve it')).toBeVisible();
  expect(server.sentTo(DISTRIBUTE).map(({ body }) => body)).toEqual([
    { expected_amount: expect.any(String), dry_run: true },
    { expected_amount: expect.any(String), allow_once: true },
  ]);
  await unmount();

  let awaiting = [waiting()];
  await showCommunity({
    answers: {
      [PENDING]: () => pendingOf({ awaiting }),
      [APPROVE]: () => {
        awaiting = [waiting('first@example.com')];
        return { success: true, data: waiting('first@example.com') };
      },
    },
  });
  await opener.click();
  await expect.element(dialog).toHaveTextContent('Above the largest payout: 0 of 2 approvals');
  await button('Approve').click();
  await expect.element(question).toHaveTextContent('one more super admin must approve it after you');
  await question.getByRole('button', { name: /^Approve 1,234.56/ }).click();
  await expect.element(toastOf('One more super admin must approve it')).toBeVisible();
  await expect.element(dialog).toHaveTextContent('1 of 2 approvals, by first@example.com');
});

test('a request of another person is approved after a look at its recipients', async () => {
  const told = 'You made this account of the person who asked';
  let awaiting = [OTHERS];
  let isRefused = true;
  const { server } = await showCommunity({
    answers: {
      [PENDING]: () => pendingOf({ awaiting }),
      [APPROVE]: () => {
        if (isRefused) {
          isRefused = false;
          return refuse(403, 'own_approval', told);
        }
        awaiting = [];
        return approved;
      },
    },
  });
  await opener.click();
  await expect.element(dialog).toHaveTextContent('8,100.00 USDT in 5 payouts, requested by dana@example.com');
  await button('Approve').click();
  const lines = question.getByRole('grid').getByRole('row');
  await expect.poll(() => lines.elements().slice(1)).toHaveLength(5);
  expect(server.sentTo(APPROVE)).toEqual([]);
  const approve = question.getByRole('button', { name: 'Approve 8,100.00 USDT in 5 payouts' });
  await approve.click();
  await expect.element(question.getByRole('alert')).toHaveTextContent(told);
  expect(dialog.element().textContent).toContain('Waiting for approval');

  await approve.click();
  await expect.element(toastOf('Distribution approved')).toBeVisible();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(dialog).not.toHaveTextContent('Waiting for approval');
  expect(server.sentTo(APPROVE).map(({ key }) => key)).toEqual([UUID, UUID]);
});

const [FIRST = '', SECOND = '', THIRD = '', FOURTH = ''] = PAID_BEFORE.map((each) => each.recipientAddress);

test('an approver sees what is new first and whole, and the others folded with their sum', async () => {
  await showCommunity({
    answers: {
      [PENDING]: pendingOf({ awaiting: [OTHERS] }),
      [PAYOUTS]: WAIT,
      [PAID]: {
        success: true,
        data: [
          paidRecipient(FIRST, {
            owners: ['Atlas Quant'],
            usual_amount: '240',
            most_amount: '1000.5',
            news: ['above_usual'],
          }),
          paidRecipient(SECOND),
          paidRecipient(THIRD, {
            owners: ['KAIT-1042', 'KAIT-7', 'KAIT-9'],
            owner_count: 5,
            address_changed_at: '2026-01-01T10:00:00.000Z',
            news: ['address_changed'],
          }),
          paidRecipient(FOURTH, {
            owners: ['tip'],
            paid_count: 0,
            last_paid_at: null,
            usual_amount: null,
            news: ['first_payment'],
          }),
        ],
      },
    },
  });
  await opener.click();
  await button('Approve').click();
  const news = question.getByRole('region', { name: 'New or unusual' });
  await expect.element(news).toHaveTextContent('New or unusual: 3 recipients, 1,034.56 USDT');
  const item = (nth: number) => news.getByRole('listitem').filter({ hasText: /0x/ }).nth(nth);
  await expect.element(item(2)).toHaveTextContent(`Atlas Quant Mark${FIRST}`);
  await expect.element(item(2)).toHaveTextContent('Usually 240.00 USDT: 1,000.50 USDT is 4.1 times as much');
  await expect.element(item(2)).toHaveTextContent('Paid before: 14 times, last Jan 1, 2026');
  await expect.element(item(1)).toHaveTextContent('KAIT-1042, KAIT-7, KAIT-9 and 2 more Trader referrer');
  await expect.element(item(1)).toHaveTextContent('Address changed Jan 1, 2026');
  await expect.element(item(0)).toHaveTextContent(`Tip ${FOURTH}First payment to this address`);
  await expect.element(item(0)).not.toHaveTextContent('Paid before');
  expect(question.getByRole('grid').elements()).toEqual([]);
  await expectAccessible();
  await question.getByRole('button', { name: '1 recipient paid before, 200.00 USDT' }).click();
  const lines = question.getByRole('grid').getByRole('row');
  await expect.poll(() => lines.elements().slice(1)).toHaveLength(2);
  await expect.element(lines.nth(1)).toHaveTextContent('14 times, usually 120.00');
  await expectAccessible();
});

test('nothing is approved before what was paid before is read, or could not be', async () => {
  const read = Promise.withResolvers<ReturnType<typeof refuse>>();
  const { server } = await showCommunity({
    answers: {
      [PENDING]: pendingOf({ awaiting: [OTHERS] }),
      [PAYOUTS]: WAIT,
      [PAID]: () => read.promise,
      [APPROVE]: approved,
    },
  });
  await opener.click();
  await button('Approve').click();
  const approve = question.getByRole('button', { name: 'Approve 8,100.00 USDT in 5 payouts' });
  await expect.element(question).toHaveTextContent('Reading what was paid to these recipients before');
  await expect.element(approve).toHaveAttribute('aria-disabled', 'true');
  await approve.click({ force: true });
  expect(server.sentTo(APPROVE)).toEqual([]);

  read.resolve(refuse(400, 'broken', 'Broken'));
  await expect.element(question).toHaveTextContent('What was paid before could not be loaded');
  await expect.poll(() => question.getByRole('grid').getByRole('row').elements()).toHaveLength(6);
  await expect.element(approve).toHaveAttribute('aria-disabled', 'false');
  server.answer({ [PAID]: { success: true, data: PAID_BEFORE } });
  await question.getByRole('button', { name: 'Retry' }).click();
  await expect.element(question.getByRole('grid')).toHaveTextContent('14 times, usually 120.00');
  await expect.element(question).not.toHaveTextContent('could not be loaded');
  await approve.click();
  await expect.element(toastOf('Distribution approved')).toBeVisible();
});

test.each(['/communities', '/transaction-history'])(
  'an approver finds waiting distributions at %s without knowing their community',
  async (path) => {
    let awaiting: CallAnswer<typeof AWAITING>['data'] = [OTHERS];
    await showScreen(path, {
      answers: {
        [AWAITING]: () => ({ success: true, data: awaiting, meta: { total: awaiting.length } }),
        'GET /api/super-admin/payout-runs': NONE,
        [PAYOUTS]: payoutsWith([
          'distributing',
          'distributing',
          'distributing',
          'distributing',
          'distributing',
        ]),
        [PAID]: { success: true, data: PAID_BEFORE },
        [APPROVE]: () => {
          awaiting = [];
          return approved;
        },
        'GET /api/pooled-accounts': never,
        'GET /api/super-admin/communities': never,
        'GET /api/super-admin/payout-addresses': NONE,
        'GET /api/super-admin/wallets': NONE,
        'GET /api/super-admin/deposit-reading': never,
        'GET /api/sweep-operations/admin/all': never,
        'GET /api/sweep-operations/summary': never,
      },
    });
    const waiting = page.getByRole('region', { name: 'Waiting for approval' });
    await expect.element(waiting.getByRole('heading', { name: 'Waiting for approval: 1' })).toBeVisible();
    await expect.element(waiting).toHaveTextContent('of Blue Harbor, requested by dana@example.com');
    await expect
      .element(waiting.getByRole('link', { name: 'Blue Harbor' }))
      .toHaveAttribute('href', `/community-settings/${OTHERS.community.id}?tab=money`);
    await expectAccessible();
    await waiting.getByRole('button', { name: 'Approve' }).click();
    await question.getByRole('button', { name: /^Approve 8/ }).click();
    await expect.element(waiting).not.toBeInTheDocument();
  },
);

test('an own request can be declined, and not approved', async () => {
  await showCommunity({
    answers: {
      [PENDING]: pendingOf({ awaiting: [OWN] }),
      'POST /api/super-admin/distributions/{id}/decline': {
        success: true,
        data: { ...OWN, state: 'declined' },
      },
    },
  });
  await opener.click();
  await expect.element(button('Approve')).toHaveAttribute('aria-disabled', 'true');
  await expect.element(button('Approve')).toHaveAccessibleDescription(/Another super admin must approve/);
  await button('Approve').click({ force: true });
  expect(page.getByRole('dialog').elements()).toHaveLength(1);
  await button('Decline').click();
  const decline = page.getByRole('dialog', { name: 'Decline distribution' });
  await expect.element(decline).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(decline).not.toBeInTheDocument();
  await expect.element(button('Decline')).toHaveFocus();
  await button('Decline').click();
  await decline.getByRole('button', { name: 'Decline 1,234.56 USDT' }).click();
  await expect.element(toastOf('Distribution declined')).toBeVisible();
  await expect.element(dialog).toBeVisible();
});

test('the distributions of a community, a page at a time', async () => {
  await showCommunity(
    {
      answers: {
        [LISTED]: ({ query }) => {
          const offset = Number(query.offset);
          return {
            success: true,
            data: [
              distributionOf({ id: idOf(100 + offset), total_amount: String(100 + offset) }),
              distributionOf({ id: idOf(200 + offset), state: 'declined', decided_by: 'kim@example.com' }),
              distributionOf({ id: idOf(300 + offset), state: 'awaiting_approval' }),
            ],
            meta: { total: 8 },
          };
        },
      },
    },
    '?tab=money',
  );
  const panel = page.getByRole('region', { name: 'Distributions' });
  const row = (nth: number) => panel.getByRole('row').nth(nth);
  await expect.element(row(1)).toHaveTextContent('dana@example.com');
  await expect.element(row(1)).toHaveTextContent('100.00');
  await expect.element(row(1)).toHaveTextContent('Not needed');
  await expect.element(row(2)).toHaveTextContent('kim@example.com');
  await expect.element(row(3)).toHaveTextContent('Awaiting approval');
  await panel.getByRole('button', { name: 'Next page' }).click();
  await expect.element(row(1)).toHaveTextContent('105.00');
});

const AVAILABLE = 'GET /api/communities/{id}/available-for-withdrawal';
const WITHDRAW = 'POST /api/communities/{id}/withdraw';
const available = (over: Partial<CallAnswer<typeof AVAILABLE>['data']> = {}) => ({
  success: true as const,
  data: { amount: '150', payable_count: 3, address: `0x${'ab'.repeat(20)}`, ...over },
});

test('a withdrawal is paid after a preview', async () => {
  const own = { total_amount: '150', transaction_count: 1, consolidations: { count: 0, amount: '0' } };
  const { server } = await showCommunity({
    answers: {
      [AVAILABLE]: available(),
      [WITHDRAW]: ({ body }) => {
        const plan = body.dry_run ? planOf(own) : sentOf(own);
        return planned({ ...plan, payouts: plan.payouts.slice(1, 2) });
      },
    },
  });
  await expect.element(page.getByRole('region', { name: 'Wallets' })).toHaveTextContent('150.00 USDT');
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  const withdraw = page.getByRole('dialog', { name: 'Withdraw' });
  await expect.element(withdraw).toHaveTextContent('Nothing: the wallet holds enough');
  await withdraw.getByRole('button', { name: 'Pay 150.00 USDT to 0xaaa2…aaa2' }).click();
  await expect.element(toastOf('Payout ordered: 1 recipient, 150.00 USDT')).toBeVisible();
  expect(server.sentTo(WITHDRAW).map(({ body }) => body)).toEqual([
    { dry_run: true, expected_amount: '150' },
    { expected_amount: '150' },
  ]);
});

test.each([
  [{ amount: '0', payable_count: 0 }, 'Nothing to withdraw'],
  [{ address: null }, 'No payable external address'],
] as const)('a withdrawal is not offered: %s', async (over, why) => {
  await showCommunity({ answers: { [AVAILABLE]: available(over) } });
  await expect.element(page.getByText(why)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Withdraw', exact: true })).toBeDisabled();
});
