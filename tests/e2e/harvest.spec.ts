import { expectAccessible } from './support/accessibility.ts';
import { withoutNews } from './support/news.ts';
import {
  answerPool,
  answerPools,
  someArrival,
  someArrivals,
  someMovement,
  somePool,
  someProgress,
} from './support/pools.ts';
import { superAdminScreen } from './support/super-admin.ts';
import { expect, FAILED_REQUEST, test } from './support/test.ts';

test.use({ viewport: { width: 1440, height: 1400 } });

test.describe('refusals', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('a global start that is refused names every pool in its way, and nothing is announced', async ({
    page,
  }) => {
    const pools = [somePool(0, 'stopped'), somePool(1, 'stopped')];
    const { harvest } = superAdminScreen(page);
    await withoutNews(page);
    await answerPools(page, pools);
    await page.goto('/super-admin');
    await expect(harvest.getByRole('button', { name: 'Stop Global Harvest' })).toHaveCount(0);
    await harvest.getByRole('button', { name: 'Start Global Harvest' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('Notify owners to withdraw manually');
    await page.route('**/api/pooled-accounts/global/harvest', (route) =>
      route.fulfill({
        status: 409,
        json: {
          success: false,
          error: 'open_positions_exist',
          message: 'Positions or orders are still open on the exchange. Close them first.',
          details: [{ path: pools[1]?.id, message: `${pools[1]?.community.name}: 2 positions, 0 orders` }],
        },
      }),
    );
    await dialog.getByRole('button', { name: 'Start Global Harvest' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Close them first. Nothing has changed.');
    await expect(dialog.getByRole('list', { name: 'Pools that stand in the way' })).toHaveText(
      `${pools[1]?.community.name}: 2 positions, 0 orders`,
    );
    await expect(page.getByText('Global harvest starting')).toHaveCount(0);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });
});

test('an accepted start says that it begins, and a run says what failed and what is retried', async ({
  page,
}) => {
  const failed = somePool(0, 'failed');
  const { harvest } = superAdminScreen(page);
  await withoutNews(page);
  await answerPools(page, [failed, somePool(1, 'stopped')]);
  const run = {
    id: failed.id,
    action: 'start',
    goal: 'start',
    requested_by: 'ada@example.com',
    at: '2026-01-22T14:02:05.000Z',
    state: 'done_with_failures',
    pools: 1,
    counts: { moving: 0, awaiting: 0, done: 0, failed: 1 },
    failed: [{ pool_id: failed.id, community: failed.community.name, reason: 'deadline_passed' }],
  };
  await page.route('**/api/pooled-accounts/global/harvest/status', async (route) => {
    const { json } = { json: await (await route.fetch()).json() };
    await route.fulfill({
      json: {
        success: true,
        data: {
          ...json.data,
          status: 'mixed',
          actions: ['start'],
          counts: { ...json.data.counts, failed: 1, stopped: 1 },
          last_run: run,
        },
      },
    });
  });
  let sent: unknown;
  await page.route('**/api/pooled-accounts/global/harvest', (route) => {
    sent = route.request().postDataJSON();
    expect(route.request().headers()['idempotency-key']).toBeTruthy();
    return route.fulfill({ json: { success: true, data: { ...run, state: 'running', failed: [] } } });
  });
  await page.goto('/super-admin');
  await expect(harvest).toContainText('Global start by ada@example.com');
  await expect(harvest).toContainText(`${failed.community.name}: The deadline passed.`);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 1400 });
  await harvest.getByRole('button', { name: 'Retry failed pools' }).click();
  await expect(page.getByRole('dialog')).toContainText(failed.community.name);
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  await harvest.getByRole('button', { name: 'Start Global Harvest' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start Global Harvest' }).click();
  await expect(page.getByText('Global harvest starting').first()).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(sent).toEqual({ action: 'start' });
});

test('a valuation shows its result and why it waits; another super admin approves the read on screen', async ({
  page,
}) => {
  const one = somePool(0, 'processing_invoices', {});
  const valuation = {
    result: '-48000.5',
    reasons: ['large_result' as const],
    uncovered: '0',
    is_approved: false,
    is_booked: false,
    foreign: [],
    set_aside: '0',
    missing: '0',
  };
  const waiting = someProgress({
    awaited: 'super_admin',
    waits_because: 'approval_required',
    valuation,
    actions: [{ action: 'approve', refusal: 'own_approval' }],
  });
  await withoutNews(page);
  await answerPool(page, one, { isSuper: true });
  const progress = `**/api/pooled-accounts/${one.id}/harvest/progress`;
  const answer = (data: object) =>
    page.route(progress, (route) => route.fulfill({ json: { success: true, data } }));
  await answer(waiting);
  await page.goto(`/pools/${one.id}`);
  const cycle = page.getByRole('region', { name: /^Harvest Cycle/ });
  await expect(cycle).toContainText('The result is more than 30% of the pool.');
  await expect(cycle.getByRole('button', { name: 'Approve valuation' })).toBeDisabled();
  await expect(cycle).toContainText('You started this harvest: another super admin must approve.');
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 1400 });

  await answer({ ...waiting, actions: [{ action: 'approve', refusal: null }] });
  await page.reload();
  let sent: unknown;
  await page.route(`**/api/pooled-accounts/${one.id}/harvest`, (route) => {
    sent = route.request().postDataJSON();
    return route.fulfill({ json: { success: true, data: one } });
  });
  await cycle.getByRole('button', { name: 'Approve valuation' }).click();
  await expect(page.getByRole('dialog')).toContainText('-48,000.50 USDT');
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 1400 });
  await page.getByRole('dialog').getByRole('button', { name: 'Approve valuation' }).click();
  await expect(page.getByText('Valuation approved').first()).toBeVisible();
  expect(sent).toEqual({
    action: 'approve',
    version: one.current_harvest_cycle.version,
    evidence_id: waiting.evidence?.id,
  });
});

test('a withdrawal is requested for a member, and a queued request is cancelled', async ({ page }) => {
  const one = somePool(0, 'harvesting');
  await withoutNews(page);
  await answerPool(page, one, { isSuper: true });
  const queued = {
    kind: 'withdrawal',
    id: '00000000-0000-4000-8000-0000000000aa',
    member_id: '00000000-0000-4000-8000-0000000000ab',
    trader: {
      id: '00000000-0000-4000-8000-0000000000ac',
      reference_number: 'KAIT-1',
      telegram_username: null,
    },
    transaction_hash: null,
    at: '2026-01-22T14:02:05.000Z',
    state: 'queued',
    amount: null,
    is_everything: true,
    waits_because: 'address_held',
    refusal: null,
    available: null,
    requested_by: 'ada@example.com',
  };
  await page.route(`**/api/pooled-accounts/${one.id}/requests?*`, (route) =>
    route.fulfill({ json: { success: true, data: [queued], meta: { total: 1 } } }),
  );
  const bodies: unknown[] = [];
  await page.route(`**/api/pooled-accounts/${one.id}/withdrawals`, (route) => {
    bodies.push(route.request().postDataJSON());
    return route.fulfill({
      status: 201,
      json: { success: true, data: { id: queued.id, suggests_all: false } },
    });
  });
  await page.route(`**/api/pooled-accounts/${one.id}/withdrawals/*/cancel`, (route) => {
    bodies.push(new URL(route.request().url()).pathname.split('/').at(-2));
    return route.fulfill({ json: { success: true, data: { id: queued.id } } });
  });
  await page.goto(`/pools/${one.id}`);
  const requests = page.getByRole('region', { name: /^Requests/ });
  await expect(requests.getByRole('row').nth(1)).toContainText('WaitingAddress changed recentlyEverything');
  await page.getByRole('button', { name: 'Withdraw' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Amount (USDT)' }).fill('12.5');
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 1400 });
  await dialog.getByRole('button', { name: 'Request withdrawal' }).click();
  await expect(page.getByText('It is paid while the pool is open.').first()).toBeVisible();
  await requests.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByRole('button', { name: 'Cancel withdrawal' }).click();
  await expect(page.getByText('Withdrawal cancelled').first()).toBeVisible();
  expect(bodies).toEqual([{ member_id: expect.any(String), amount: '12.5' }, queued.id]);
});

test('an unexplained arrival is proposed by one super admin and reviewed by another', async ({ page }) => {
  const one = somePool(0, 'awaiting_bybit_withdrawal');
  const decision = {
    id: one.id,
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
  await withoutNews(page);
  await answerPools(page, [one]);
  await answerPool(page, one, { isSuper: true });
  await page.route(`**/api/pooled-accounts/${one.id}/arrivals?*`, (route) =>
    route.fulfill({ json: { success: true, ...someArrivals(arrivals) } }),
  );
  const sent: unknown[] = [];
  await page.route(`**/api/pooled-accounts/${one.id}/arrivals/*/decisions**`, (route) => {
    sent.push([route.request().url().split('/arrivals/')[1], route.request().postDataJSON()]);
    return route.fulfill({ json: { success: true, data: { id: one.id } } });
  });
  await page.goto(`/pools/${one.id}`);
  const panel = page.getByRole('region', { name: /^Arrivals/ });
  await expect(panel.getByRole('row')).toHaveCount(4);
  await expect(panel).toContainText('Send it back: 120.00 USDT, proposed');
  await expect(panel).toContainText('379.50 unexplained');
  await expect(panel).toContainText('Withdrawal from Bybit');
  await expectAccessible(page);

  await panel.getByRole('button', { name: 'Decide' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('At most 499.50 USDT at present');
  await dialog.getByLabel('What becomes of it').selectOption('Send it back');
  await expect(dialog.getByLabel('Amount (USDT)')).toHaveValue('120');
  await dialog.getByLabel('To address').fill(decision.to_address);
  await dialog.getByLabel('Evidence').fill('ticket 7');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Propose' }).click();
  await expect(page.getByText('Decision proposed').first()).toBeVisible();
  expect(sent[0]).toEqual([
    `${arrivals[0]?.id}/decisions`,
    { kind: 'sent_back', amount: '120', evidence: 'ticket 7', to_address: decision.to_address },
  ]);

  await panel.getByRole('button', { name: 'Review' }).click();
  await expect(dialog).toContainText(decision.to_address);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Confirm decision' }).click();
  await expect(page.getByText('It is booked when its transfer is final.').first()).toBeVisible();
  await panel.getByRole('button', { name: 'Review' }).click();
  await dialog.getByRole('button', { name: 'Withdraw the proposal' }).click();
  await expect(page.getByText('Decision withdrawn').first()).toBeVisible();
  expect(sent.slice(1)).toEqual([
    [`${arrivals[1]?.id}/decisions/${decision.id}/confirm`, null],
    [`${arrivals[1]?.id}/decisions/${decision.id}/withdraw`, null],
  ]);
});

test('a withdrawal at Bybit is linked to the arrival that fits, and a link is undone', async ({ page }) => {
  const one = somePool(0, 'awaiting_bybit_withdrawal');
  const arrival = someArrival(3);
  const shown = (({ id, state, amount, from_address, transaction_hash, at }) => ({
    id,
    state,
    amount,
    from_address,
    transaction_hash,
    at,
  }))(arrival);
  const movements = [
    someMovement(4, { match: 'suggested', fits: 'sender', arrival: shown }),
    someMovement(3, {
      match: 'linked',
      arrival: { ...shown, id: one.id, state: 'resolved' },
      decision: { id: one.id, state: 'done', may_undo: true },
    }),
    someMovement(2, { kind: 'deposit', match: 'matched', fee: null }),
    someMovement(1),
  ];
  await withoutNews(page);
  await answerPools(page, [one]);
  await answerPool(page, one, { isSuper: true });
  await page.route(`**/api/pooled-accounts/${one.id}/movements?*`, (route) =>
    route.fulfill({ json: { success: true, data: movements, meta: { total: movements.length } } }),
  );
  const sent: unknown[] = [];
  await page.route(`**/api/pooled-accounts/${one.id}/arrivals/*/decisions**`, (route) => {
    sent.push([route.request().url().split('/arrivals/')[1], route.request().postDataJSON()]);
    return route.fulfill({ json: { success: true, data: { id: one.id } } });
  });
  await page.goto(`/pools/${one.id}`);
  const panel = page.getByRole('region', { name: /^Deposits and Withdrawals at Bybit/ });
  await expect(panel.getByRole('row')).toHaveCount(5);
  await expect(panel).toContainText('499.50 USDT from 0x5aAe…eAed, sent from where it went');
  await expect(panel).toContainText("The pool's funding");
  await expect(panel).toContainText('To another address');
  await expectAccessible(page);

  await panel.getByRole('button', { name: 'Link' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Evidence').fill('both show the hash of the owner');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Propose link' }).click();
  await expect(page.getByText('Link proposed').first()).toBeVisible();
  await panel.getByRole('button', { name: 'Undo' }).click();
  await dialog.getByLabel('Reason').fill('the owner paid for somebody else');
  await dialog.getByRole('button', { name: 'Undo decision' }).click();
  await expect(page.getByText('Decision undone').first()).toBeVisible();
  expect(sent).toEqual([
    [
      `${arrival.id}/decisions`,
      {
        kind: 'is_return',
        amount: '499.5',
        evidence: 'both show the hash of the owner',
        movement_id: movements[0]?.id,
      },
    ],
    [`${one.id}/decisions/${one.id}/undo`, { reason: 'the owner paid for somebody else' }],
  ]);
});
