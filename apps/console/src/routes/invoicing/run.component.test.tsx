import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { type Answers, refuse } from '../../testing/serve-calls.ts';
import { idOf, READS_UNDER_WAY, STAFF, SUPER_ADMIN, showScreen } from '../../testing/show-screen.tsx';
import { detailOf, lineOf, linesOf, runOf } from '../../testing/some-runs.ts';

const RUN = 'GET /api/invoices/runs/{id}';
const LINES = 'GET /api/invoices/runs/{id}/lines';
const EXCLUDE = 'PATCH /api/invoices/runs/{id}/lines';
const SEND = 'POST /api/invoices/runs/{id}/send';
const DISCARD = 'POST /api/invoices/runs/{id}/discard';
const ID = idOf(1);
const draft = detailOf({
  state: 'draft',
  drafted_at: '2026-07-01T10:00:00Z',
  finished_at: null,
  previous: { id: idOf(7), finished_at: '2026-06-24T06:00:00Z', invoices: 12, amount: '340.25' },
});
const LISTED = [
  lineOf(1),
  lineOf(2, { amount: '40', is_reachable: false }),
  lineOf(3, { outcome: 'excluded', amount: '25' }),
  lineOf(4, { outcome: 'carried', invoices: 0, positions: 0, amount: '0', carried: '0.95' }),
  lineOf(5, { outcome: 'left_out', invoices: 0, positions: 0, amount: '0', reason: 'split_exceeds_invoice' }),
];

const show = (answers: Answers = {}, { at = '', user = SUPER_ADMIN, width = 1440 } = {}) =>
  showScreen(`/invoices/runs/${ID}${at}`, {
    user,
    width,
    answers: {
      ...READS_UNDER_WAY,
      [RUN]: { success: true, data: draft },
      [LINES]: linesOf(LISTED),
      ...answers,
    } as Answers,
  });

const table = page.getByRole('table', { name: 'Traders of the run' });
const rowOf = (name: string) => table.getByRole('row').filter({ hasText: name });
const figures = page.getByLabelText('What it invoices');
const dialog = page.getByRole('dialog');
const tick = (name: string) => page.getByRole('checkbox', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });

test('a draft says what would be invoiced, what not and why, beside the run before it', async () => {
  await show();
  await expect.element(page.getByRole('heading', { name: 'Draft of invoices' })).toBeVisible();
  for (const text of [
    '120.50 USDT',
    '5 invoices',
    'to 4 traders',
    '25.00 USDT',
    '0.95 USDT',
    '1 trader to invoice without',
  ])
    await expect.element(figures).toHaveTextContent(text);
  await expect.element(page.getByText(/The run before it/)).toHaveTextContent('12 invoices, 340.25 USDT');
  await expect.element(rowOf('KAIT-101')).toHaveTextContent(/60\.50.*To invoice/);
  await expect.element(rowOf('KAIT-102')).toHaveTextContent('No Telegram ID: it cannot be told');
  await expect.element(rowOf('KAIT-103')).toHaveTextContent('Left out by hand');
  await expect.element(rowOf('KAIT-104')).toHaveTextContent(/0\.95.*Below the minimum/);
  await expect.element(rowOf('KAIT-105')).toHaveTextContent('The shares exceed the invoice');
  await expect.element(tick('Include KAIT-101')).toBeChecked();
  await expect.element(tick('Include KAIT-103')).not.toBeChecked();
  // Nothing of these can be left out.
  for (const name of ['KAIT-104', 'KAIT-105'])
    await expect.element(tick(`Include ${name}`)).not.toBeInTheDocument();
  for (const [name, count] of [
    ['All', 9],
    ['To invoice', 4],
    ['Left out by hand', 1],
    ['Below the minimum', 1],
    ['Not invoiced', 3],
  ] as const)
    await expect.element(page.getByRole('tab', { name: `${name} ${count}` })).toBeVisible();
  await expectAccessible();
});

test('traders are left out and taken in again, alone or all of a page, and the figures follow', async () => {
  let excluded: string[] = [];
  const { server } = await show({
    [RUN]: () => ({ success: true, data: { ...draft, invoices: 5 - excluded.length } }),
    [EXCLUDE]: ({ body }) => {
      const { trader_ids: ids = [], excluded: isOut } = body;
      excluded = isOut ? [...excluded, ...ids] : excluded.filter((id) => !ids.includes(id));
      return { success: true, data: runOf({ state: 'draft' }) };
    },
    [LINES]: () =>
      linesOf(
        LISTED.map((line) =>
          excluded.includes(line.trader_id) ? { ...line, outcome: 'excluded' as const } : line,
        ),
      ),
  });
  await tick('Include KAIT-101').click();
  await expect.element(tick('Include KAIT-101')).not.toBeChecked();
  await expect.element(button('Send 4 invoices')).toBeVisible();
  await tick('Include KAIT-101').click();
  await expect.element(button('Send 5 invoices')).toBeVisible();
  await tick('Include all on this page').click();
  const all = [1, 2, 3].map((n) => lineOf(n).trader_id);
  await expect.poll(() => server.sentTo(EXCLUDE).at(-1)?.body).toEqual({ trader_ids: all, excluded: false });
});

test('boxes are ticked by keyboard one after the other, without waiting for the server', async () => {
  const answered = Promise.withResolvers<void>();
  const excluded = new Set<string>();
  const { server } = await show({
    [RUN]: () => ({ success: true, data: { ...draft, invoices: 5 - excluded.size } }),
    [EXCLUDE]: async ({ body: { trader_ids: ids = [] } }) => {
      await answered.promise;
      for (const id of ids) excluded.add(id);
      return { success: true, data: runOf({ state: 'draft' }) };
    },
    [LINES]: () =>
      linesOf(
        LISTED.map((line) =>
          excluded.has(line.trader_id) ? { ...line, outcome: 'excluded' as const } : line,
        ),
      ),
  });
  await expect.element(tick('Include KAIT-101')).toBeChecked();
  (tick('Include KAIT-101').element() as HTMLElement).focus();
  await userEvent.keyboard(' {ArrowDown} {ArrowUp}{ArrowUp}');
  for (const name of ['KAIT-101', 'KAIT-102'])
    await expect.element(tick(`Include ${name}`)).not.toBeChecked();
  // The first of all rows has none above it.
  await expect.element(tick('Include KAIT-101')).toHaveFocus();
  expect(server.sentTo(EXCLUDE)).toHaveLength(1);
  answered.resolve();
  await expect.element(button('Send 3 invoices')).toBeVisible();
  for (const name of ['KAIT-101', 'KAIT-102'])
    await expect.element(tick(`Include ${name}`)).not.toBeChecked();
  expect(server.sentTo(EXCLUDE).map(({ body }) => body)).toEqual(
    [1, 2].map((n) => ({ trader_ids: [lineOf(n).trader_id], excluded: true })),
  );
});

test('a draft is not sent with the figures of before a tick, however slowly the new ones arrive', async () => {
  let excluded: string[] = [];
  let read = Promise.resolve();
  const { server } = await show({
    [RUN]: async () => {
      await read;
      return { success: true, data: { ...draft, invoices: 5 - excluded.length } };
    },
    [EXCLUDE]: ({ body: { trader_ids: ids = [] } }) => {
      excluded = ids;
      return { success: true, data: runOf({ state: 'draft' }) };
    },
    [SEND]: { success: true, data: runOf({ state: 'sending' }) },
    [LINES]: () =>
      linesOf(
        LISTED.map((line) =>
          excluded.includes(line.trader_id) ? { ...line, outcome: 'excluded' as const } : line,
        ),
      ),
  });
  await expect.element(button('Send 5 invoices')).toBeEnabled();
  const slow = Promise.withResolvers<void>();
  read = slow.promise;
  await tick('Include KAIT-101').click();
  await expect.element(rowOf('KAIT-101')).toHaveTextContent('Left out by hand');
  await expect.element(button('Send 5 invoices')).toHaveAttribute('aria-disabled', 'true');
  (button('Send 5 invoices').element() as HTMLElement).click();
  slow.resolve();
  await button('Send 4 invoices').click();
  await dialog.getByRole('button', { name: 'Send 4 invoices' }).click();
  await expect.poll(() => server.sentTo(SEND)).toMatchObject([{ body: { invoices: 4 } }]);
});

test('of more traders than a page shows, all that match are left out or taken in', async () => {
  const { server } = await show({
    [EXCLUDE]: { success: true, data: runOf({ state: 'draft' }) },
    [LINES]: linesOf(LISTED, { total: 9 }),
  });
  await expect.element(page.getByText('All 9 traders that match, on every page:')).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Leave out', exact: true }).click();
  await expect.poll(() => server.sentTo(EXCLUDE).at(-1)?.body).toEqual({ matching: {}, excluded: true });
  await page.getByRole('button', { name: 'Include', exact: true }).click();
  await expect.poll(() => server.sentTo(EXCLUDE).at(-1)?.body).toEqual({ matching: {}, excluded: false });
  await page.getByRole('tab', { name: /^To invoice/ }).click();
  await expect.element(page.getByText(/that match, on every page/)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Include', exact: true })).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Leave out', exact: true }).click();
  await expect
    .poll(() => server.sentTo(EXCLUDE).at(-1)?.body)
    .toEqual({ matching: { outcome: 'invoice' }, excluded: true });
});

test('it is sent as it was seen, after a question', async () => {
  let isSent = false;
  const { server } = await show({
    [RUN]: () => ({
      success: true,
      data: isSent ? { ...draft, state: 'sending', traders: 1, invoices: 2, amount: '80' } : draft,
    }),
    [SEND]: () => {
      isSent = true;
      return { success: true, data: runOf({ state: 'sending' }) };
    },
  });
  await button('Send 5 invoices').click();
  for (const text of ['All traders', '120.50 USDT', 'Cannot be told', 'Left out by hand1: 25.00 USDT'])
    await expect.element(dialog).toHaveTextContent(text);
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Send 5 invoices' }).dblClick();
  await expect.element(page.getByText('Invoicing is running...')).toBeVisible();
  await expect.element(page.getByText('1 trader of 4 traders')).toBeVisible();
  expect(server.sentTo(SEND)).toMatchObject([{ body: { invoices: 5, amount: '120.5' } }]);
  await expect.element(tick('Include KAIT-101')).not.toBeInTheDocument();
});

test('of many invoices the number is typed, and what changed meanwhile is said', async () => {
  const { server } = await show({
    [RUN]: { success: true, data: { ...draft, invoices: 341 } },
    [SEND]: refuse(409, 'run_changed', 'What this run would send has changed. Please look at it again.'),
  });
  await button('Send 341 invoices').click();
  const send = dialog.getByRole('button', { name: 'Send 341 invoices' });
  await send.click();
  await expect.element(dialog).toHaveTextContent('Type 341 to confirm');
  expect(server.sentTo(SEND)).toEqual([]);
  await dialog.getByRole('textbox', { name: /^Type the number/ }).fill('341');
  await send.click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('has changed. Please look at it again');
});

test('a draft is discarded after a question', async () => {
  const { server } = await show({ [DISCARD]: { success: true, data: runOf({ state: 'discarded' }) } });
  await button('Discard').click();
  await expect.element(dialog).toHaveAccessibleDescription(/^No trader is invoiced or notified/);
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.sentTo(DISCARD)).toHaveLength(1);
});

test('a run that is done says what did not arrive, with a link to it', async () => {
  await show({
    [RUN]: { success: true, data: detailOf({ problem_count: 1, messages: { waiting: 0, failed: 2 } }) },
  });
  await expect.element(page.getByRole('heading', { name: 'Invoicing run' })).toBeVisible();
  await expect.element(figures).toHaveTextContent('2 messages did not arrive');
  await expect
    .element(figures.getByRole('link', { name: '2 messages' }))
    .toHaveAttribute('href', `/messages?run=${ID}&outcome=not_delivered`);
  await expect.element(rowOf('KAIT-101')).toHaveTextContent('Invoiced');
  await expect.element(page.getByRole('checkbox')).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: /^Send/ })).not.toBeInTheDocument();
});

test('tabs, search and the figures narrow its traders; empty says what comes next', async () => {
  const { server } = await show({
    [LINES]: ({ query }) => (query?.search ? linesOf([], { total: 0 }) : linesOf(LISTED)),
  });
  await page.getByRole('tab', { name: /^Not invoiced/ }).click();
  await expect.poll(() => server.sentTo(LINES).at(-1)?.query).toMatchObject({ outcome: 'left_out' });
  await figures.getByRole('link', { name: '1 trader', exact: true }).last().click();
  await expect
    .poll(() => server.sentTo(LINES).at(-1)?.query)
    .toMatchObject({ outcome: 'invoice', unreachable: 'true' });
  await button('Search the traders of this run').click();
  await page.getByRole('searchbox', { name: 'Search the traders of this run' }).fill('nowhere');
  await expect.element(page.getByText('No trader here')).toBeVisible();
  await button('Show all').click();
  await expect.element(rowOf('KAIT-105')).toBeVisible();
});

test('a draft without anything to invoice cannot be sent', async () => {
  const none = { traders: 0, amount: '0' };
  const outcomes = { invoice: none, excluded: none, carried: none, left_out: none };
  await show({
    [RUN]: { success: true, data: { ...draft, invoices: 0, amount: '0' } },
    [LINES]: linesOf([], { total: 0, outcomes, unreachable: 0 }),
  });
  await expect.element(page.getByText('Nothing to invoice')).toBeVisible();
  await expect.element(button('Send 0 invoices')).toHaveAttribute('aria-disabled', 'true');
});

test('a missing run leads back to the list', async () => {
  await show({ [RUN]: refuse(404, 'not_found', 'Not found') });
  await expect.element(page.getByRole('heading', { name: 'Run not found' })).toBeVisible();
});

test('traders that could not be loaded can be asked for again', async () => {
  await show({ [LINES]: refuse(400, 'internal', 'Something went wrong') });
  await expect.element(page.getByText('The traders could not be loaded')).toBeVisible();
  await expect.element(figures).toHaveTextContent('120.50 USDT');
});

test('staff may not see runs', async () => {
  await show({}, { user: STAFF });
  await expect.element(button('Back to Traders')).toBeVisible();
});

test('the runs are listed, with their drafts and what to look at', async () => {
  await showScreen('/invoices/runs', {
    user: SUPER_ADMIN,
    width: 1440,
    answers: {
      ...READS_UNDER_WAY,
      'GET /api/communities': { success: true, data: [], meta: { totals_at: null } },
      'GET /api/invoices/runs': {
        success: true,
        data: [
          runOf({ state: 'draft', finished_at: null }),
          runOf({
            id: idOf(2),
            problem_count: 3,
            messages: { waiting: 0, failed: 1 },
            sent_by: 'other@x.example',
          }),
        ],
        meta: { total: 2 },
      },
    } as Answers,
  });
  const runs = page.getByRole('table', { name: 'Invoicing runs, latest first' });
  await expect.element(runs.getByRole('row').nth(1)).toHaveTextContent(/All traders.*Draft.*5.*120\.50/);
  const second = runs.getByRole('row').nth(2);
  await expect.element(second).toHaveTextContent(/Done.*other@x\.example.*3 problems, 1 message failed/);
  await expect
    .element(second.getByRole('link', { name: '1 message failed' }))
    .toHaveAttribute('href', `/messages?run=${idOf(2)}&outcome=not_delivered`);
  await expectAccessible();
});

test('on a phone each trader is a card with its box', async () => {
  await show({}, { width: 390 });
  const card = page.getByRole('listitem').filter({ hasText: 'KAIT-102' });
  await expect.element(card).toHaveTextContent('No Telegram ID');
  await expect.element(card.getByRole('checkbox', { name: 'Include KAIT-102' })).toBeChecked();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});

test('a discarded draft does not say that it invoiced', async () => {
  await show({ [RUN]: { success: true, data: { ...draft, state: 'discarded' } } });
  await expect.element(figures).toHaveTextContent('Would have invoiced120.50 USDT');
});

describe('recalling the invoices of a run', () => {
  const PREVIEW = 'POST /api/invoices/admin/preview';
  const RECALL = 'POST /api/invoices/admin/recall';
  const plan = {
    success: true as const,
    data: {
      ...{ selected: 341, traders: 300, changing: 320, sum: '35475.5', given_up: '0', on_chain: 0 },
      left_out: [
        { reason: 'paid' as const, invoices: 20 },
        { reason: 'payment_on_its_way' as const, invoices: 1 },
      ],
    },
  };

  test('says what stays and why, and takes the typed number; above the limit it waits', async () => {
    const { server } = await show({
      [RUN]: { success: true, data: detailOf({ invoices: 341 }) },
      [PREVIEW]: plan,
      [RECALL]: { success: true, data: { state: 'awaiting_approval', order_id: idOf(9) } },
    });
    await button('Recall invoices').click();
    await expect
      .element(dialog)
      .toHaveTextContent(
        'To recall320 invoicesPaid, in part at least20 invoices stayWith a payment on its way1 invoice stays',
      );
    await expect.element(dialog).toHaveTextContent('35,475.50 USDT');
    await expectAccessible();
    await dialog.getByLabelText('Reason').fill('The wrong rate');
    await button('Recall 320 invoices').click();
    await expect.element(dialog).toHaveTextContent('Type 320 to confirm');
    await dialog.getByRole('textbox', { name: /^Type the number of invoices/ }).fill('320');
    await button('Recall 320 invoices').click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(page.getByText('Waits for another super admin').first()).toBeVisible();
    expect(server.sentTo(RECALL).map(({ body }) => body)).toEqual([
      { run_id: ID, expected_count: 341, reason: 'The wrong rate' },
    ]);
  });

  test('what was recalled stands beside what was invoiced; where nothing is left, or known, none is', async () => {
    await show({
      [RUN]: { success: true, data: detailOf({ recalled: 4, recalled_amount: '100.25' }) },
      [PREVIEW]: refuse(404, 'not_found', 'Not found'),
    });
    await expect.element(figures).toHaveTextContent('4 recalled: 100.25 USDT');
    await button('Recall invoices').click();
    await expect.element(dialog).toHaveTextContent('None of its invoices is known by this run');
    await expect.element(button('Recall')).toHaveAttribute('aria-disabled', 'true');
  });

  test('is not offered for a draft, nor where all were recalled', async () => {
    await show({ [RUN]: { success: true, data: detailOf({ recalled: 5, recalled_amount: '120.5' }) } });
    await expect.element(figures).toHaveTextContent('5 recalled');
    await expect.element(button('Recall invoices')).not.toBeInTheDocument();
  });
});

test('the traders of a draft are there as soon as it is ready', async () => {
  let isReady = false;
  await show({
    [RUN]: () => ({
      success: true,
      data: isReady ? draft : { ...draft, state: 'preparing', drafted_at: null },
    }),
    [LINES]: () => linesOf(isReady ? LISTED : []),
  });
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  isReady = true;
  // Followed every two seconds; a draft is read every ten.
  await expect.element(tick('Include KAIT-101'), { timeout: 6_000 }).toBeChecked();
});
