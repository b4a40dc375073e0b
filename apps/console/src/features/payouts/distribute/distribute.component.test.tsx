import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  distributionOf,
  MANY,
  PAID_BEFORE,
  paidRecipient,
  pendingOf,
  planOf,
  RECIPIENTS,
  sentOf,
} from '../../../../../../tests/e2e/support/distribute.ts';
import { expectAccessible } from '../../../testing/expect-accessible.ts';
import { pass } from '../../../testing/faked-time.ts';
import { refuse, type Sent } from '../../../testing/serve-calls.ts';
import {
  COMMUNITY,
  DISTRIBUTE,
  funds,
  PAYOUTS,
  PENDING,
  payoutsWith,
  planned,
  showCommunity,
  toastOf,
} from '../../../testing/show-community.ts';

/** The console reads the payouts of an order again after this time. */
const FOLLOW_EVERY_MS = 10_000;
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const { opener, dialog, table, button, pay, row, rows, selected } = funds;
const payouts = dialog.getByRole('grid', { name: 'Payouts' });
const isDry = ({ body }: Sent) => (body as { dry_run?: boolean }).dry_run === true;

beforeEach(() => {
  vi.useRealTimers();
});

test('recipients are selected, all or one by one, and none is when it opens again', async () => {
  const { server } = await showCommunity();
  await opener.click();
  await expect.element(dialog).toHaveTextContent(`Pending recipients of ${COMMUNITY.name}`);
  await expect.element(dialog).toHaveTextContent('1,234.56 USDT for 4 recipients');
  await expect.poll(rows).toHaveLength(5);
  await expect.element(row(0)).toHaveTextContent('0xaaa1…aaa1');
  await expect.element(row(0)).toHaveTextContent('Mark');
  await button('Distribute Selected (0)').click();
  await expect.element(toastOf('Please select at least one recipient')).toBeVisible();
  expect(server.sentTo(DISTRIBUTE)).toEqual([]);
  await button(/^Select All/).click();
  await expect.poll(selected).toHaveLength(5);
  await expect.element(button('Distribute Selected (4)')).toBeVisible();
  await expect.element(dialog).toHaveTextContent('4 recipients selected: 1,234.56 USDT');
  await button('Deselect All').click();
  await expect.poll(selected).toHaveLength(0);
  // One address in two roles: both of its lines.
  await expect
    .element(dialog)
    .toHaveTextContent('An address with several roles is paid for all of them together.');
  await table.getByRole('row').filter({ hasText: 'Community referrer' }).click();
  await expect.poll(selected).toHaveLength(2);
  await expect.element(dialog).toHaveTextContent('1 recipient selected: 200.00 USDT');
  await expectAccessible();
  await button('Cancel').click();
  await expect.element(dialog).not.toBeInTheDocument();
  await opener.click();
  await expect.poll(rows).toHaveLength(5);
  expect(selected()).toHaveLength(0);
});

test('a selection is paid once, after a preview', async () => {
  const { server } = await showCommunity({
    answers: {
      [PAYOUTS]: payoutsWith(['consolidating', 'consolidating', 'pending', 'pending', 'pending']),
    },
  });
  await opener.click();
  await row(0).click();
  await row(1).click();
  await button('Distribute Selected (2)').click();
  await expect.element(dialog).toHaveTextContent('900.00 USDT from 2 deposits');
  await expect.element(dialog).toHaveTextContent('7: 2 to collect, 5 to pay');
  await expect.element(dialog).toHaveTextContent('About 0.00105 BNB');
  const selectedRecipients = [RECIPIENTS[0]?.recipientAddress, RECIPIENTS[1]?.recipientAddress];
  expect(server.sentTo(DISTRIBUTE)).toMatchObject([
    { body: { dry_run: true, selectedRecipients, expected_amount: '1200.5' }, key: null },
  ]);
  await expect.element(pay).toHaveTextContent(/^Pay 1,234.56 USDT to 4 recipients$/);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  await pay.click();
  await expect
    .element(toastOf('Payout ordered: 4 recipients, 1,234.56 USDT'))
    .toHaveTextContent('Not sent yet.');
  expect(server.sentTo(DISTRIBUTE).slice(1)).toEqual([
    {
      params: { id: COMMUNITY.id },
      query: {},
      body: { selectedRecipients, expected_amount: '1234.56' },
      key: UUID,
    },
  ]);
  await expect.element(dialog).toHaveTextContent('0 of 5 payouts distributed');
  await expect.element(payouts.getByRole('row').nth(1)).toHaveTextContent('consolidating');
  // Half of it is no success yet.
  server.answer({
    [PAYOUTS]: payoutsWith(['distributed', 'distributed', 'distributed', 'distributing', 'distributing']),
  });
  await pass(FOLLOW_EVERY_MS);
  await expect.element(dialog).toHaveTextContent('3 of 5 payouts distributed');
  expect(toastOf('Funds distributed').elements()).toEqual([]);
  server.answer({ [PAYOUTS]: payoutsWith(RECIPIENTS.map(() => 'distributed')) });
  await expect
    .element(dialog.getByRole('link', { name: 'Open Transaction History' }))
    .toHaveAttribute('href', expect.stringMatching(/^\/transaction-history\?distribution=[0-9a-f-]{36}$/));
  await button('Close').last().click();
  await expect.element(dialog).not.toBeInTheDocument();
  // The dialog is closed: the end is said all the same.
  await expect
    .poll(async () => {
      // What says it is loaded once a distribution is followed, and toasts stay for five seconds.
      await pass(1_000);
      return toastOf('Funds distributed successfully to 2 recipients').elements().length;
    })
    .toBe(1);
});

test('the plan says what is new before it is paid, also at phone width', async () => {
  const [first, ...others] = PAID_BEFORE;
  const swapped = paidRecipient(first?.recipientAddress ?? '', {
    paid_count: 0,
    last_paid_at: null,
    usual_amount: null,
    address_changed_at: '2026-01-01T10:00:00.000Z',
    news: ['first_payment', 'address_changed'],
  });
  await showCommunity({
    width: 390,
    height: 844,
    answers: { [DISTRIBUTE]: planned(planOf({ recipients: [swapped, ...others] })) },
  });
  await opener.click();
  await button('Distribute All').click();
  const news = dialog.getByRole('region', { name: 'New or unusual' });
  await expect.element(news).toHaveTextContent('New or unusual: 1 recipient, 1,000.50 USDT');
  await expect.element(news.getByText(swapped.recipientAddress.slice(-4)).first()).toBeInViewport();
  await expect.element(news).toHaveTextContent('First payment to this address');
  await expect.element(news).toHaveTextContent('Address changed Jan 1, 2026');
  await button('3 recipients paid before, 234.06 USDT').click();
  const lines = dialog.getByRole('grid', { name: 'Recipients to pay' });
  await expect.element(lines).toHaveTextContent('Paid before: 14 times, usually 120.00');
  await expect.element(lines).not.toHaveTextContent(swapped.recipientAddress.slice(2));
  await expect.element(pay).toBeInViewport();
  await expectAccessible();
});

test('failed payouts are reported as failed, never as a success', async () => {
  await showCommunity({
    answers: { [PAYOUTS]: payoutsWith(['distributed', 'failed', 'failed', 'distributed', 'distributed']) },
  });
  await opener.click();
  await button('Distribute All').click();
  await pay.click();
  await expect.element(toastOf('2 of 5 payouts failed')).toHaveTextContent('Nothing was lost');
  expect(toastOf('Funds distributed').elements()).toEqual([]);
});

test('a distribution that makes no progress says for how long, and why', async () => {
  const standstill = {
    reason: 'gas_wallet_empty' as const,
    detail: null,
    address: `0x${'ab'.repeat(20)}`,
    step: 'distribute' as const,
    since: new Date(Date.now() - 12 * 60_000).toISOString(),
    usual_seconds: 40,
  };
  const stuck = distributionOf({
    progress: 'needs_attention',
    payouts: { distributed: 3, failed: 1, under_way: 1, ordered_again: 0 },
    returned_amount: '34.56',
    standstill,
  });
  await showCommunity(
    {
      answers: {
        'GET /api/super-admin/communities/{id}/distributions': {
          success: true,
          data: [stuck],
          meta: { total: 1 },
        },
      },
    },
    '?tab=money',
  );
  const distributions = page.getByRole('region', { name: 'Distributions' });
  await expect
    .element(distributions)
    .toHaveTextContent('Paying recipients: no progress for 12 min, usually done in 40 s');
  await expect
    .element(distributions)
    .toHaveTextContent('The wallet that pays for gas is empty. Send BNB to it.');
  const line = distributions.getByRole('row').nth(1);
  await expect.element(line).toHaveTextContent('Needs attention');
  await expect.element(line).toHaveTextContent('3 of 5 paid');
  await expect.element(line).toHaveTextContent('34.56 USDT returned to pending');
  await opener.click();
  await button('Distribute All').click();
  await pay.click();
  await expect.element(dialog).toHaveTextContent('no progress for 12 min');
});

test('paying all without names repeats the request until the result is known, and shows no error', async () => {
  let isAtWork = true;
  const { server } = await showCommunity({
    answers: {
      [DISTRIBUTE]: ({ body }) => {
        if (body.dry_run) return planned();
        return isAtWork ? refuse(409, 'idempotency_in_flight', 'At work') : planned(sentOf());
      },
    },
  });
  await opener.click();
  await button('Distribute All').click();
  await pay.click();
  await expect.element(button('Still working...')).toBeVisible();
  expect(dialog.getByRole('alert').elements()).toEqual([]);
  isAtWork = false;
  await expect.element(toastOf('Payout ordered: 4 recipients, 1,234.56 USDT')).toBeVisible();
  const [dry, ...ordered] = server.sentTo(DISTRIBUTE);
  expect(dry?.body).toEqual({ dry_run: true, expected_amount: '1234.56' });
  expect(ordered.length).toBeGreaterThan(1);
  expect(new Set(ordered.map(({ key }) => key)).size).toBe(1);
  for (const { body } of ordered) expect(body).toEqual({ expected_amount: '1234.56' });
});

test('by keyboard: space selects, the focus stays within and goes back', async () => {
  await showCommunity();
  await expect.element(opener).toBeVisible();
  (opener.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(rows).toHaveLength(5);
  (row(0).element() as HTMLElement).focus();
  await userEvent.keyboard(' {ArrowDown}{ArrowDown} ');
  await expect.poll(selected).toHaveLength(3);
  await userEvent.keyboard(' ');
  await expect.poll(selected).toHaveLength(1);
  for (let step = 0; step < 20; step++) {
    await userEvent.keyboard('{Tab}');
    expect(dialog.element().contains(document.activeElement)).toBe(true);
  }
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
});

test('a thousand recipients are a few rows in the page', async () => {
  await showCommunity({ answers: { [PENDING]: MANY } });
  await opener.click();
  await expect.element(table).toHaveAttribute('aria-rowcount', '1001');
  expect(rows().length).toBeLessThan(60);
  await button(/^Select All/).click();
  await expect.element(button('Distribute Selected (1000)')).toBeVisible();
  (row(0).element() as HTMLElement).focus();
  await userEvent.keyboard('{End}');
  await expect.element(table).toHaveTextContent('0x1000…1000');
});

test('an address is copied in full', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await showCommunity();
  await opener.click();
  const copy = row(0).getByRole('button', { name: /^Copy address/ });
  await copy.click();
  await expect.element(row(0).getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(copied).toHaveBeenCalledWith(RECIPIENTS[0]?.recipientAddress);
  expect(selected()).toHaveLength(0);
  await expect.element(copy).toBeVisible();
  copied.mockRestore();
});

test('nothing pending, and shares that cannot be paid', async () => {
  const nothing = pendingOf({
    totalAmount: '0',
    recipients: [],
    unaddressed: [{ recipientType: 'trader_referrer', amount: '12.5', payableCount: 3 }],
  });
  await showCommunity({ answers: { [PENDING]: nothing } });
  await opener.click();
  await expect.element(dialog).toHaveTextContent('Nothing is pending for distribution');
  await expect.element(dialog).toHaveTextContent('These recipients have no wallet address');
  await expect.element(dialog).toHaveTextContent('Trader referrer · 3 shares');
  expect(button(/^Distribute/).elements()).toEqual([]);
});

test('an archived community pays out what it owes', async () => {
  await showCommunity({
    answers: { 'GET /api/communities/{id}': { success: true, data: { ...COMMUNITY, is_archived: true } } },
  });
  await expect.element(opener).toBeEnabled();
});

test('at phone width every recipient is a card, and nothing sticks out', async () => {
  await showCommunity({ width: 390, height: 844 });
  document.documentElement.classList.add('dark');
  await opener.click();
  await row(1).click();
  await expect.element(button('Distribute Selected (1)')).toBeInViewport();
  const box = dialog.element().getBoundingClientRect();
  expect(box.left).toBeGreaterThanOrEqual(0);
  expect(box.right).toBeLessThanOrEqual(390);
  await button('Distribute All').click();
  await expect.element(pay).toBeInViewport();
});

test("a refusal shows the server's words, or ours when it has none, and can be retried", async () => {
  const told = "The community's wallet is not set up yet.";
  const { server } = await showCommunity({
    answers: {
      [DISTRIBUTE]: ({ body }) => (body.dry_run ? planned() : refuse(409, 'wallet_not_ready', told)),
    },
  });
  await opener.click();
  await button('Distribute All').click();
  await pay.click();
  await expect.element(toastOf(told)).toBeVisible();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(told);
  for (const [answer, text] of [
    [refuse(502, '', ''), 'Failed to distribute funds'],
    [refuse(200, '', ''), 'Distribution failed'],
  ] as const) {
    await expect.element(pay).toHaveAttribute('aria-disabled', 'false');
    server.answer({ [DISTRIBUTE]: answer });
    await pay.click();
    await expect.element(toastOf(text)).toBeVisible();
  }
});

test('a change meanwhile reloads the list, with a message', async () => {
  let reads = 0;
  const { server } = await showCommunity({
    answers: {
      [PENDING]: () => {
        reads += 1;
        return reads === 1
          ? pendingOf()
          : pendingOf({ recipients: RECIPIENTS.slice(1), totalAmount: '234.06' });
      },
      [DISTRIBUTE]: (sent) =>
        isDry(sent)
          ? planned()
          : refuse(409, 'recipients_changed', 'Pending shares have changed. Please review them again.'),
    },
  });
  await opener.click();
  await button(/^Select All/).click();
  await button('Distribute Selected (4)').click();
  await pay.click();
  await expect.element(toastOf('Pending shares have changed. Please review them again.')).toBeVisible();
  await expect.element(dialog).toHaveTextContent('Nothing was sent. This list is up to date.');
  await expect.poll(rows).toHaveLength(4);
  await expect.element(button('Distribute Selected (3)')).toBeVisible();
  expect(server.sentTo(DISTRIBUTE)).toHaveLength(2);
});

test('pending shares are requested again', async () => {
  const { server } = await showCommunity({
    answers: { [PENDING]: refuse(500, 'internal_error', 'Broken') },
  });
  await opener.click();
  await expect
    .element(dialog.getByRole('alert'), { timeout: 15_000 })
    .toHaveTextContent('Pending shares could not be loaded');
  server.answer({ [PENDING]: pendingOf() });
  await button('Retry').click();
  await expect.poll(rows).toHaveLength(5);
});
