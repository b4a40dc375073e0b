import type { CallAnswer } from '@copydesk/contract';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { distributionOf, paidRecipient } from '../../../../../../tests/e2e/support/distribute.ts';
import { expectAccessible } from '../../../testing/expect-accessible.ts';
import { type Answers, refuse } from '../../../testing/serve-calls.ts';
import { idOf, READS_UNDER_WAY, type Shown, showScreen } from '../../../testing/show-screen.tsx';
import { followedRuns } from '../follow/followed-distributions.ts';

const DUE = 'GET /api/super-admin/pending-distributions';
const PLAN = 'POST /api/super-admin/payout-runs/plan';
const ORDER = 'POST /api/super-admin/payout-runs';
const AWAITING = 'GET /api/super-admin/payout-runs';
const DETAIL = 'GET /api/super-admin/payout-runs/{id}';
const LINES = 'GET /api/super-admin/payout-runs/{id}/lines';
const APPROVE = 'POST /api/super-admin/payout-runs/{id}/approve';
const DECLINE = 'POST /api/super-admin/payout-runs/{id}/decline';
type Plan = CallAnswer<typeof PLAN>['data'];
type Run = CallAnswer<typeof AWAITING>['data'][number];

const AT = '2026-01-02T10:00:00.000Z';
const SEEN = 'ab'.repeat(32);
const HARBOR = { id: idOf(1), name: 'Blue Harbor' };
const HOSTILE = { id: idOf(2), name: '‮<b>مجموعة</b>‬ '.repeat(6).trim() };
const EMPTY = { id: idOf(3), name: 'Cedar Circle' };
const due = (community: typeof HARBOR, payable: string): CallAnswer<typeof DUE>['data'][number] => ({
  community: { ...community, is_archived: false },
  amount: '100',
  count: 4,
  payable: { amount: payable, count: payable === '0' ? 0 : 4 },
  held: { amount: '0', count: 0, reasons: [] },
  unaddressed: { amount: '0', count: 0 },
  oldest_at: AT,
  awaiting: null,
  last_distribution: null,
});
const lines: Plan['lines'] = [
  [HARBOR, 'ab', 'community', '60.5'],
  [HARBOR, 'cd', 'mark', '20'],
  [HOSTILE, 'cd', 'mark', '12.25'],
].map(([community, byte, recipientType, amount]) => ({
  community_id: (community as typeof HARBOR).id,
  recipientAddress: `0x${String(byte).repeat(20)}`,
  recipientType: recipientType as Plan['lines'][number]['recipientType'],
  amount: amount as string,
  payableCount: 1,
}));
const KNOWN = ['ab', 'cd'].map((byte) => paidRecipient(`0x${byte.repeat(20)}`));
const NEW = paidRecipient(`0x${'ab'.repeat(20)}`, {
  owners: ['Blue Harbor'],
  paid_count: 0,
  last_paid_at: null,
  usual_amount: null,
  news: ['first_payment'],
});
const part = (community: typeof HARBOR, amount: string, count: number): Plan['communities'][number] => ({
  community,
  amount,
  payout_count: count,
  carried: { amount: '0', count: 0 },
  not_now: '0',
  consolidations: { amount, count: 2 },
  from_address: `0x${'ef'.repeat(20)}`,
});
const planOf = (shown: Partial<Plan> = {}): CallAnswer<typeof PLAN> => ({
  success: true,
  data: {
    seen: SEEN,
    total_amount: '92.75',
    communities: [part(HARBOR, '80.5', 2), part(HOSTILE, '12.25', 1)],
    lines,
    recipients: KNOWN,
    left_out: [],
    carried: { amount: '0.5', count: 1 },
    minimum_payout: '1',
    transaction_count: 7,
    expected_fee: '0.001',
    needs_approval: false,
    approval_reasons: { is_above_limit: false, communities_above: [], own_address_set_by: null },
    approval_limit: null,
    ...shown,
  },
});
const runOf = (shown: Partial<Run> = {}): Run => ({
  id: idOf(9),
  state: 'approved',
  total_amount: '92.75',
  communities: [HARBOR, HOSTILE],
  community_count: 2,
  payout_count: 3,
  requested_by: 'dana@example.com',
  is_own: false,
  approval_refusal: null,
  decided_by: null,
  created_at: AT,
  decided_at: null,
  payouts: { distributed: 1, failed: 1, under_way: 1 },
  carried_amount: '0.5',
  ...shown,
});
const WAITING = runOf({ state: 'awaiting_approval', payouts: { distributed: 0, failed: 0, under_way: 3 } });
const detailOf = (run: Run): CallAnswer<typeof DETAIL> => ({
  success: true,
  data: {
    run,
    distributions: [
      distributionOf({
        id: idOf(11),
        run_id: run.id,
        community: HARBOR,
        total_amount: '80.5',
        payout_count: 2,
        payouts: { distributed: 1, failed: 1, under_way: 0, ordered_again: 0 },
      }),
      distributionOf({
        id: idOf(12),
        run_id: run.id,
        community: HOSTILE,
        total_amount: '12.25',
        payout_count: 1,
      }),
    ],
  },
});

const ANSWERS: Answers = {
  ...READS_UNDER_WAY,
  [DUE]: {
    success: true,
    data: [due(HARBOR, '81'), due(HOSTILE, '12.25'), due(EMPTY, '0')],
    meta: { amount: '300', count: 12, communities: 3, totals_at: AT },
  },
  'GET /api/super-admin/distributions/awaiting': { success: true, data: [], meta: { total: 0 } },
  [AWAITING]: { success: true, data: [], meta: { total: 0 } },
  [PLAN]: planOf(),
  [ORDER]: { success: true, data: runOf() },
  [DETAIL]: detailOf(runOf()),
  [LINES]: { success: true, data: { seen: SEEN, lines, recipients: [NEW, ...KNOWN.slice(1)] } },
};
const open = ({ answers, ...shown }: Shown = {}) => {
  // What one test has ordered is not followed in the next.
  onTestFinished(() => followedRuns.set([]));
  return showScreen('/payouts/due', { answers: { ...ANSWERS, ...answers }, ...shown });
};
const all = page.getByLabelText('Select all that can be paid');
const dialog = page.getByRole('dialog', { name: 'Distribute together' });
const review = async () => {
  await all.click();
  await page.getByRole('button', { name: 'Review and pay' }).click();
};

test('the ticked communities are one plan, and what was seen of it is ordered and followed', async () => {
  const { server } = await open();
  await expect.element(all).toBeVisible();
  await expect.element(page.getByLabelText('Select Cedar Circle')).not.toBeInTheDocument();
  await all.click();
  await expect
    .element(page.getByRole('region', { name: 'Selection' }))
    .toHaveTextContent('2 communities selected · 93.25 USDT payable now');
  await expectAccessible();
  await page.getByRole('button', { name: 'Review and pay' }).click();
  await expect.element(dialog).toHaveTextContent('3 payouts of 2 communities');
  await expect.element(dialog).toHaveTextContent('0.50 USDT in 1 payout below 1.00 USDT');
  await expect.element(dialog).toHaveTextContent('7: 4 to collect, 3 to pay');
  await expect.element(dialog).not.toHaveTextContent('roles');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Pay 92.75 USDT to 2 recipients of 2 communities' }).click();
  await expect.element(dialog).toHaveTextContent('1 of 3 payouts distributed, 1 failed');
  await expect
    .element(dialog.getByRole('link', { name: 'Blue Harbor' }))
    .toHaveAttribute('href', expect.stringContaining('/community-settings/'));
  await expectAccessible();
  expect(server.sentTo(ORDER)).toMatchObject([
    { body: { community_ids: [HARBOR.id, HOSTILE.id], seen: SEEN } },
  ]);
});

test('its end is announced once for all its distributions', async () => {
  const over = runOf({ payouts: { distributed: 3, failed: 0, under_way: 0 } });
  await open({ answers: { [DETAIL]: detailOf(over) } });
  await review();
  await dialog.getByRole('button', { name: /^Pay 92.75/ }).click();
  await expect
    .element(page.getByText('Funds distributed successfully to all recipients', { exact: true }).first())
    .toBeVisible();
});

test('what changed meanwhile is not paid: it is shown again', async () => {
  let plans = 0;
  await open({
    answers: {
      [PLAN]: () => (plans++ === 0 ? planOf() : planOf({ total_amount: '95', seen: 'cd'.repeat(32) })),
      [ORDER]: () =>
        refuse(409, 'recipients_changed', 'Pending shares have changed. Please review them again.'),
    },
  });
  await review();
  await dialog.getByRole('button', { name: /^Pay 92.75/ }).click();
  await expect.element(dialog).toHaveTextContent('What is pending has changed');
  await expect.element(dialog.getByRole('button', { name: /^Pay 95.00/ })).toBeVisible();
});

test('above a limit another super admin is asked, and it says whose limit', async () => {
  await open({
    answers: {
      [PLAN]: planOf({
        needs_approval: true,
        approval_reasons: {
          is_above_limit: true,
          communities_above: ['Blue Harbor'],
          own_address_set_by: null,
        },
        approval_limit: { above: '50', ordered_by_caller: '0' },
        left_out: [{ community: EMPTY, reason: 'above_maximum', amount: '9000' }],
      }),
      [ORDER]: { success: true, data: WAITING },
      [DETAIL]: detailOf(WAITING),
    },
  });
  await review();
  await expect
    .element(dialog)
    .toHaveTextContent('Within 24 hours Blue Harbor would be paid more than the limit of 50.00 USDT.');
  await expect
    .element(dialog.getByRole('region', { name: 'Not paid now' }))
    .toHaveTextContent(/Cedar Circle.*Distribute it alone, and allow it once.*9,000.00/);
  await dialog.getByRole('button', { name: /^Request approval to pay 92.75/ }).click();
  await expect.element(dialog).toHaveTextContent('Waiting for another super admin');
});

test('a plan that cannot be made says why, and is tried again', async () => {
  let isBroken = true;
  await open({
    answers: {
      [PLAN]: () =>
        isBroken
          ? refuse(422, 'run_too_large', 'More than 5000 payouts cannot be ordered as one.')
          : planOf(),
    },
  });
  await review();
  await expect.element(dialog).toHaveTextContent('More than 5000 payouts cannot be ordered as one.');
  expect(dialog.getByRole('button', { name: /^Pay/ }).elements()).toEqual([]);
  isBroken = false;
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await expect.element(dialog.getByRole('button', { name: /^Pay/ })).toBeVisible();
});

test('an approver sees everyone whom the run pays, and approves what was seen', async () => {
  let run = WAITING;
  const { server } = await open({
    answers: {
      [AWAITING]: () => ({ success: true, data: run.state === 'approved' ? [] : [run], meta: { total: 1 } }),
      [DETAIL]: () => detailOf(run),
      [APPROVE]: () => {
        run = runOf({ decided_by: 'super@demo.example' });
        return { success: true, data: run };
      },
    },
  });
  const waiting = page.getByRole('region', { name: 'Waiting for approval' });
  await expect.element(waiting).toHaveTextContent(/92.75 USDT in 3 payouts of 2 communities: Blue Harbor/);
  await waiting.getByRole('button', { name: 'Approve' }).click();
  const question = page.getByRole('dialog', { name: 'Approve distributions' });
  await expect.element(question).toHaveTextContent('dana@example.com requested them as one');
  const news = question.getByRole('region', { name: 'New or unusual' });
  await expect.element(news).toHaveTextContent(/Blue Harbor.*abab.*First payment to this address.*60.50/);
  await expect
    .element(question.getByRole('button', { name: '1 recipient paid before, 32.25 USDT' }))
    .toBeVisible();
  await expectAccessible();
  await question.getByRole('button', { name: 'Approve 92.75 USDT in 3 payouts of 2 communities' }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(server.sentTo(APPROVE)).toMatchObject([{ params: { id: WAITING.id }, body: { seen: SEEN } }]);
});

test('what was decided meanwhile is not asked again, and a refusal stands in the dialog', async () => {
  let run = WAITING;
  await open({
    answers: {
      [AWAITING]: () => ({ success: true, data: [WAITING], meta: { total: 1 } }),
      [DETAIL]: () => detailOf(run),
      [DECLINE]: () => refuse(409, 'distribution_decided', 'This distribution has already been decided'),
    },
  });
  const waiting = page.getByRole('region', { name: 'Waiting for approval' });
  await waiting.getByRole('button', { name: 'Decline' }).click();
  const question = page.getByRole('dialog', { name: 'Decline distributions' });
  await question.getByRole('button', { name: 'Decline 92.75 USDT' }).click();
  await expect.element(question).toHaveTextContent('This distribution has already been decided');
  await question.getByRole('button', { name: 'Back' }).click();
  run = runOf();
  await waiting.getByRole('button', { name: 'Approve' }).click();
  await expect
    .element(page.getByRole('dialog', { name: 'Approve distributions' }))
    .toHaveTextContent('It waits no longer: it was decided meanwhile.');
});

test('on a phone the acts stand at the foot, and nothing scrolls sideways', async () => {
  await open({ width: 390, height: 844 });
  await page.getByLabelText('Select Blue Harbor').click();
  await expectAccessible();
  await page.getByRole('button', { name: 'Review and pay' }).click();
  await expect.element(dialog.getByRole('button', { name: /^Pay/ })).toBeVisible();
  const shown = dialog.element();
  expect(shown.scrollWidth - shown.clientWidth).toBe(0);
  await expectAccessible();
});
