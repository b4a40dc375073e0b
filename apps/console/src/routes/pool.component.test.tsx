import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../testing/expect-accessible.ts';
import { showPool as open, POOL, region } from '../testing/show-pool.ts';
import { someArrival, someArrivals, someMovement, somePool, someProgress } from '../testing/some-pools.ts';

const PROGRESS = `${POOL}/harvest/progress` as const;
const ACT = 'POST /api/pooled-accounts/{id}/harvest';

const dialog = page.getByRole('dialog');
const button = (name: string) => dialog.getByRole('button', { name });
const toast = (text: string) => page.getByText(text).first();

test('a valuation shows its result and why it waits; another super admin approves the read on screen', async () => {
  const pool = somePool(0, 'processing_invoices');
  const waiting = someProgress({
    awaited: 'super_admin',
    waits_because: 'approval_required',
    valuation: {
      result: '-48000.5',
      reasons: ['large_result'],
      uncovered: '0',
      is_approved: false,
      is_booked: false,
      foreign: [],
      set_aside: '0',
      missing: '0',
    },
    actions: [{ action: 'approve', refusal: 'own_approval' }],
  });
  const cycle = region('Harvest Cycle');
  const { unmount } = await open(pool, { [PROGRESS]: { success: true, data: waiting } });
  await expect.element(cycle).toHaveTextContent('The result is more than 30% of the pool.');
  await expect.element(cycle.getByRole('button', { name: 'Approve valuation' })).toBeDisabled();
  await expect
    .element(cycle)
    .toHaveTextContent('You started this harvest: another super admin must approve.');
  await expectAccessible();
  await unmount();

  const { server } = await open(pool, {
    [PROGRESS]: { success: true, data: { ...waiting, actions: [{ action: 'approve', refusal: null }] } },
    [ACT]: { success: true, data: pool } as never,
  });
  await cycle.getByRole('button', { name: 'Approve valuation' }).click();
  await expect.element(dialog).toHaveTextContent('-48,000.50 USDT');
  await expectAccessible();
  await button('Approve valuation').click();
  await expect.element(toast('Valuation approved')).toBeVisible();
  expect(server.sentTo(ACT).map(({ body }) => body)).toEqual([
    { action: 'approve', version: pool.current_harvest_cycle.version, evidence_id: waiting.evidence?.id },
  ]);
});

test('a withdrawal is requested for a member, and a queued request is cancelled', async () => {
  const pool = somePool(0, 'harvesting');
  const id = '00000000-0000-4000-8000-0000000000aa';
  const queued = {
    kind: 'withdrawal' as const,
    id,
    member_id: '00000000-0000-4000-8000-0000000000ab',
    trader: {
      id: '00000000-0000-4000-8000-0000000000ac',
      reference_number: 'KAIT-1',
      telegram_username: null,
    },
    transaction_hash: null,
    at: '2026-01-22T14:02:05.000Z',
    state: 'queued' as const,
    order_state: null,
    waits_for_stop: false,
    is_part: false,
    amount: null,
    is_everything: true,
    waits_because: 'address_held' as const,
    refusal: null,
    available: null,
    requested_by: 'ada@example.com',
  };
  const { server } = await open(pool, {
    'GET /api/pooled-accounts/{id}/requests': { success: true, data: [queued], meta: { total: 1 } },
    'POST /api/pooled-accounts/{id}/withdrawals': {
      success: true,
      data: { id, state: 'done', order_id: null, suggests_all: false },
    },
    'POST /api/pooled-accounts/{id}/withdrawals/{withdrawalId}/cancel': { success: true, data: { id } },
  });
  const requests = region('Requests');
  await expect
    .element(requests.getByRole('row').nth(1))
    .toHaveTextContent('WaitingAddress changed recentlyEverything');
  await page.getByRole('button', { name: 'Withdraw' }).first().click();
  await dialog.getByRole('textbox', { name: 'Amount (USDT)' }).fill('12.5');
  await expectAccessible();
  await button('Request withdrawal').click();
  await expect.element(toast('It is paid while the pool is open.')).toBeVisible();
  await requests.getByRole('button', { name: 'Cancel' }).click();
  await button('Cancel withdrawal').click();
  await expect.element(toast('Withdrawal cancelled')).toBeVisible();
  expect(server.sentTo('POST /api/pooled-accounts/{id}/withdrawals').map(({ body }) => body)).toEqual([
    { member_id: expect.any(String), amount: '12.5' },
  ]);
  expect(
    server
      .sentTo('POST /api/pooled-accounts/{id}/withdrawals/{withdrawalId}/cancel')
      .map(({ params }) => params),
  ).toEqual([{ id: pool.id, withdrawalId: id }]);
});

const DECIDE = 'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions';
const CONFIRM = `${DECIDE}/{decisionId}/confirm` as const;
const WITHDRAW = `${DECIDE}/{decisionId}/withdraw` as const;
const UNDO = `${DECIDE}/{decisionId}/undo` as const;

const decided = (id: string) => ({ success: true, data: { id } }) as never;

test('an unexplained arrival is proposed by one super admin and reviewed by another', async () => {
  const pool = somePool(0, 'awaiting_bybit_withdrawal');
  const decision = {
    id: pool.id,
    kind: 'sent_back' as const,
    amount: '120',
    to_address: '0x52908400098527886E0F7030069857D2E4169EE7',
    evidence: 'the sender wrote to support',
    state: 'proposed' as const,
    movement_id: null,
    may_undo: false,
    requested_by: 'ada@example.com',
    decided_by: null,
    is_own: false,
    problem: null,
    transaction_hash: null,
    at: '2026-01-22T14:02:05.000Z',
  };
  const arrivals = [
    someArrival(3),
    someArrival(2, { unexplained: '379.5', decisions: [decision] }),
    someArrival(1, { state: 'returned', unexplained: '0' }),
  ];
  const { server } = await open(pool, {
    'GET /api/pooled-accounts/{id}/arrivals': { success: true, ...someArrivals(arrivals) } as never,
    [DECIDE]: decided(pool.id),
    [CONFIRM]: decided(pool.id),
    [WITHDRAW]: decided(pool.id),
  });
  const panel = region('Arrivals');
  await expect.element(panel).toHaveTextContent('Send it back: 120.00 USDT, proposed');
  expect(panel.getByRole('row').elements()).toHaveLength(4);
  await expect.element(panel).toHaveTextContent('379.50 unexplained');
  await expect.element(panel).toHaveTextContent('Withdrawal from Bybit');
  await expectAccessible();

  await panel.getByRole('button', { name: 'Decide' }).click();
  await expect.element(dialog).toHaveTextContent('At most 499.50 USDT at present');
  await dialog.getByLabelText('What becomes of it').selectOptions('Send it back');
  await expect.element(dialog.getByLabelText('Amount (USDT)')).toHaveValue('120');
  await dialog.getByLabelText('To address').fill(decision.to_address);
  await dialog.getByLabelText('Evidence').fill('ticket 7');
  await expectAccessible();
  await button('Propose').click();
  await expect.element(toast('Decision proposed')).toBeVisible();
  expect(server.sentTo(DECIDE)).toMatchObject([
    {
      params: { arrivalId: arrivals[0]?.id },
      body: { kind: 'sent_back', amount: '120', evidence: 'ticket 7', to_address: decision.to_address },
    },
  ]);

  await panel.getByRole('button', { name: 'Review' }).click();
  await expect.element(dialog).toHaveTextContent(decision.to_address);
  await expectAccessible();
  await button('Confirm decision').click();
  await expect.element(toast('It is booked when its transfer is final.')).toBeVisible();
  await panel.getByRole('button', { name: 'Review' }).click();
  await button('Withdraw the proposal').click();
  await expect.element(toast('Decision withdrawn')).toBeVisible();
  const place = { id: pool.id, arrivalId: arrivals[1]?.id, decisionId: decision.id };
  expect(server.sentTo(CONFIRM).map(({ params }) => params)).toEqual([place]);
  expect(server.sentTo(WITHDRAW).map(({ params }) => params)).toEqual([place]);
});

test('a withdrawal at Bybit is linked to the arrival that fits, and a link is undone', async () => {
  const pool = somePool(0, 'awaiting_bybit_withdrawal');
  const { id, state, amount, from_address, transaction_hash, at } = someArrival(3);
  const shown = { id, state, amount, from_address, transaction_hash, at };
  const movements = [
    someMovement(4, { match: 'suggested', fits: 'sender', arrival: shown }),
    someMovement(3, {
      match: 'linked',
      arrival: { ...shown, id: pool.id, state: 'resolved' },
      decision: { id: pool.id, state: 'done', may_undo: true },
    }),
    someMovement(2, { kind: 'deposit', match: 'matched', fee: null }),
    someMovement(1),
  ];
  const { server } = await open(pool, {
    'GET /api/pooled-accounts/{id}/movements': {
      success: true,
      data: movements,
      meta: { total: movements.length },
    },
    [DECIDE]: decided(pool.id),
    [UNDO]: decided(pool.id),
  });
  const panel = region('Deposits and Withdrawals at Bybit');
  await expect.element(panel).toHaveTextContent('499.50 USDT from 0x5aAe…eAed, sent from where it went');
  expect(panel.getByRole('row').elements()).toHaveLength(5);
  await expect.element(panel).toHaveTextContent("The pool's funding");
  await expect.element(panel).toHaveTextContent('To another address');
  await expectAccessible();

  await panel.getByRole('button', { name: 'Link' }).click();
  await dialog.getByLabelText('Evidence').fill('both show the hash of the owner');
  await expectAccessible();
  await button('Propose link').click();
  await expect.element(toast('Link proposed')).toBeVisible();
  await panel.getByRole('button', { name: 'Undo' }).click();
  await dialog.getByLabelText('Reason').fill('the owner paid for another account');
  await button('Undo decision').click();
  await expect.element(toast('Decision undone')).toBeVisible();
  expect(server.sentTo(DECIDE)).toMatchObject([
    {
      params: { arrivalId: id },
      body: {
        kind: 'is_return',
        amount: '499.5',
        evidence: 'both show the hash of the owner',
        movement_id: movements[0]?.id,
      },
    },
  ]);
  expect(server.sentTo(UNDO)).toMatchObject([
    {
      params: { arrivalId: pool.id, decisionId: pool.id },
      body: { reason: 'the owner paid for another account' },
    },
  ]);
});
