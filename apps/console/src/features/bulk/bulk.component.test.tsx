import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createRefresher } from '../../app/create-refresher.ts';
import { queryClient } from '../../app/query-client.ts';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { type Answers, never, refuse, type Sent } from '../../testing/serve-calls.ts';
import { idOf, READS_UNDER_WAY, STAFF, SUPER_ADMIN, showScreen } from '../../testing/show-screen.tsx';
import { showTraders, traders } from '../../testing/show-traders.ts';
import { toast } from '../../ui/feedback/toast-store.ts';

const PREVIEW = 'POST /api/bulk-acts/preview';
const ORDER = 'POST /api/bulk-acts';
const LIST = 'GET /api/bulk-acts';
const ROWS = 'GET /api/bulk-acts/{id}/rows';
const STOP = 'POST /api/bulk-acts/{id}/stop';
const RETRY = 'POST /api/bulk-acts/{id}/retry';
type Act = CallAnswer<typeof LIST>['data'][number];
type Preview = CallAnswer<typeof PREVIEW>['data'];

const AT = new Date(Date.now() - 3_600_000).toISOString();
const actOf = (n: number, changes: Partial<Act> = {}): Act => ({
  id: idOf(n),
  act: 'notify',
  status: null,
  state: 'waiting',
  total: 341,
  done: 0,
  left_out: 21,
  failed: 0,
  begins_at: new Date(Date.parse(AT) + 10_000).toISOString(),
  created_at: AT,
  finished_at: null,
  ...changes,
});
const rowOf = (n: number, changes: Partial<Preview['rows'][number]> = {}): Preview['rows'][number] => ({
  trader_id: idOf(1000 + n),
  name: null,
  telegram_username: `trader_${n}`,
  reference_number: `KAIT-${1000 + n}`,
  reason: null,
  before: null,
  amount: '12.5',
  ...changes,
});
const named = (n: number) => {
  const { amount: _, before: __, ...row } = rowOf(n);
  return row;
};
const previewOf = (changes: Partial<Preview> = {}): { success: true; data: Preview } => ({
  success: true,
  data: {
    total: 3,
    will: 2,
    left_out: [{ reason: 'not_reachable', count: 1 }],
    amount: '25',
    rows: [
      rowOf(0),
      rowOf(1, { name: 'Иван', telegram_username: null }),
      rowOf(2, { reason: 'not_reachable' }),
    ],
    ...changes,
  },
});

const bar = page.getByRole('region', { name: 'Selection', exact: true });
const box = (n: number) => traders.grid.getByRole('checkbox', { name: `Select trader_${n}`, exact: true });
const button = (name: string | RegExp) => page.getByRole('button', { name });
const dialog = page.getByRole('dialog');
const asked = (server: { sentTo(call: string): Sent[] }, call: string) =>
  server.sentTo(call).map(({ body }) => body as Record<string, unknown>);

async function showSelected(answers: Answers = {}, user = SUPER_ADMIN) {
  const shown = await showTraders('?tab=connected', { answers, user });
  await box(0).click();
  await box(1).click();
  await box(2).click();
  await expect.element(bar).toHaveTextContent('3 traders selected');
  return shown;
}

test('traders are selected by box and by key, all that match at once, and a new filter begins anew', async () => {
  await showTraders('?tab=connected');
  await box(0).click();
  (traders.row(2) as HTMLElement).focus();
  await userEvent.keyboard('x');
  await expect.element(bar).toHaveTextContent('2 traders selected');
  await expectAccessible();
  await button('Select all 1,050 that match').click();
  await expect.element(bar).toHaveTextContent('1,050 traders selected · all that match');
  await box(1).click();
  await expect.element(bar).toHaveTextContent('1,049 traders selected');
  await button('Balance').first().click();
  await expect.element(bar).toHaveTextContent('1,049 traders selected');
  await page.getByRole('tab', { name: 'Delinquent' }).click();
  await expect.element(bar).not.toBeInTheDocument();
});

test('a preview says what would be done; what is unticked is left out of figures and order', async () => {
  const { server } = await showSelected({
    [PREVIEW]: ({ body }: Sent) => {
      const ids = (body as { trader_ids: string[] }).trader_ids;
      return previewOf(ids.length === 3 ? {} : { total: 2, will: 1, amount: '12.5' });
    },
    [ORDER]: { success: true, data: actOf(1) },
  });
  await button('Notify').click();
  await expect.element(dialog).toHaveTextContent('Selected3 traders');
  await expect.element(dialog).toHaveTextContent('Unpaid, of these25.00 USDT');
  await expect.element(dialog).toHaveTextContent('1: no Telegram ID');
  await expect.element(dialog.getByRole('checkbox', { name: 'Include trader_2' })).toBeDisabled();
  await expectAccessible();
  await dialog.getByRole('checkbox', { name: 'Include Иван' }).click();
  await expect.element(dialog).toHaveTextContent('Unpaid, of these12.50 USDT');
  await button('Notify of unpaid invoices: 1 trader').click();
  await expect.element(page.getByText('Begins in ten seconds.', { exact: true })).toBeVisible();
  await expect.element(bar).not.toBeInTheDocument();
  expect(asked(server, ORDER)).toEqual([
    { act: 'notify', trader_ids: [idOf(1000), idOf(1002)], expected_count: 1 },
  ]);
});

test('an order can be undone until it begins', async () => {
  const { server } = await showSelected({
    [PREVIEW]: previewOf(),
    [ORDER]: { success: true, data: actOf(1) },
    [STOP]: { success: true, data: actOf(1, { state: 'cancelled', finished_at: AT }) },
  });
  await button('Notify').click();
  await button(/^Notify of unpaid invoices: 2 traders$/).click();
  await button('Undo').click();
  await expect.element(page.getByText('Nothing had been done yet.', { exact: true })).toBeVisible();
  expect(server.sentTo(STOP).map(({ params }) => params)).toEqual([{ id: idOf(1) }]);
});

test('of more than a hundred the number is typed', async () => {
  const { server } = await showSelected({
    [PREVIEW]: previewOf({ total: 341, will: 320 }),
    [ORDER]: { success: true, data: actOf(1) },
  });
  await button('Select all 1,050 that match').click();
  await button('Set status').click();
  await page.getByRole('menuitem', { name: 'Delinquent' }).click();
  const confirm = button('Set status Delinquent: 320 traders');
  await confirm.click();
  await expect.element(dialog).toHaveTextContent('Type 320 to confirm');
  expect(server.sentTo(ORDER)).toEqual([]);
  await dialog.getByRole('textbox').fill('320');
  await confirm.click();
  await expect
    .poll(() => asked(server, ORDER))
    .toEqual([
      {
        act: 'status',
        status: 'delinquent',
        matching: {
          list: 'traders',
          query: { tab: 'connected', orderBy: 'aum', orderDir: 'desc' },
          except: [],
        },
        expected_count: 320,
      },
    ]);
});

test('what has changed since the preview is previewed again, and refused is not done', async () => {
  let will = 2;
  const { server } = await showSelected({
    [PREVIEW]: () => previewOf({ will }),
    [ORDER]: refuse(
      409,
      'bulk_selection_changed',
      'The selected traders have changed. Please review them again.',
    ),
  });
  await button('Read accounts').click();
  const confirm = button('Read accounts: 2 traders');
  await expect.element(confirm).toBeVisible();
  will = 1;
  await confirm.click();
  await expect
    .element(dialog)
    .toHaveTextContent('The selected traders have changed. Please review them again.');
  await expect.element(button('Read accounts: 1 trader')).toBeVisible();
  expect(server.sentTo(PREVIEW)).toHaveLength(2);
});

test('staff who may not notify are not offered it, viewers select nothing, and neither does a view', async () => {
  const { unmount } = await showSelected({}, STAFF);
  await expect.element(button('Read accounts')).toBeVisible();
  await expect.element(button('Notify')).not.toBeInTheDocument();
  await unmount();
  const viewer = { ...STAFF, providers: STAFF.providers.map((of) => ({ ...of, role: 'viewer' as const })) };
  for (const user of [viewer, { ...STAFF, viewed_by: 'Super Admin' }]) {
    const shown = await showTraders('?tab=connected', { user });
    await expect.element(traders.first).toBeVisible();
    await expect.element(box(0)).not.toBeInTheDocument();
    await shown.unmount();
  }
});

test('on a phone the selection is at the foot, and nothing scrolls sideways', async () => {
  const { unmount } = await showTraders('?tab=connected', { width: 390 });
  await expect.element(traders.first).toBeVisible();
  await box(0).click();
  await expect.element(bar).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(390);
  await unmount();
});

const EVERY: Act[] = [
  actOf(1),
  actOf(2, { state: 'running', done: 99 }),
  actOf(3, { act: 'status', status: 'delinquent', state: 'done', done: 317, failed: 3, finished_at: AT }),
  actOf(4, { act: 'read', state: 'done', done: 320, left_out: 0, finished_at: AT }),
  actOf(5, { state: 'cancelled', done: 7, finished_at: AT }),
];
const showActs = (data: Act[], answers: Answers = {}, width = 1440) =>
  showScreen('/bulk-acts', {
    width,
    answers: { ...READS_UNDER_WAY, [LIST]: { success: true, data }, ...answers },
  });
const table = page.getByRole('table', { name: 'Your bulk acts, newest first' });
const act = (nth: number) => table.getByRole('row').nth(nth);

test('each act says how far it is, what became of it and what can be done', async () => {
  await showActs(EVERY);
  await expect.element(act(1)).toHaveTextContent('Notify of unpaid invoicesWaiting21 of 341');
  await expect.element(act(1).getByRole('button', { name: /^Undo/ })).toBeVisible();
  await expect.element(act(2)).toHaveTextContent('Running120 of 341');
  await expect
    .element(act(3))
    .toHaveTextContent('Failed in part317 set to Delinquent · 21 left out · 3 failed');
  await expect
    .element(act(3).getByRole('button', { name: /^Retry/ }))
    .toHaveTextContent('Retry the 3 failed');
  await expect.element(act(4)).toHaveTextContent('Read accountsDone320 to be read next');
  await expect.element(act(5)).toHaveTextContent('Stopped7 notified · 21 left out');
  await expectAccessible();
});

test('what became of each trader is shown by result', async () => {
  const { server } = await showActs(EVERY.slice(2, 3), {
    [ROWS]: ({ query }) => ({
      success: true,
      data: [
        query.outcome === 'left_out'
          ? { ...named(7), outcome: 'left_out', reason: 'has_status' }
          : { ...named(7), outcome: 'done', reason: null },
        { ...named(8), trader_id: null, outcome: null, reason: null },
      ],
      meta: { total: 2 },
    }),
    [RETRY]: { success: true, data: actOf(3) },
  });
  await button(/^Show traders/).click();
  await expect
    .element(dialog.getByRole('link', { name: 'trader_7' }))
    .toHaveAttribute('href', `/trader/${idOf(1007)}`);
  await expect.element(dialog).toHaveTextContent('No longer there for youWaiting');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Left out' }).click();
  await expect.element(dialog).toHaveTextContent('has that status already');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await button(/^Retry the 3 failed/).click();
  await expect.poll(() => server.sentTo(RETRY)).toHaveLength(1);
});

test('while they load it says so, when they do not it says why, and without any it says how to begin', async () => {
  const { unmount } = await showActs([], { [LIST]: never });
  await expect.element(page.getByText('Loading your bulk acts...')).toBeVisible();
  await unmount();
  const failed = await showActs([], { [LIST]: refuse(500, 'internal_error', 'It failed.') });
  await expect
    .element(page.getByRole('heading', { name: 'Your bulk acts could not be loaded' }))
    .toBeVisible();
  await failed.unmount();
  await showActs([], {}, 390);
  await expect.element(page.getByRole('heading', { name: 'No bulk acts yet' })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(390);
});

test('the end of an act is said once, and nothing of it can be undone any more', async () => {
  const { server } = await showActs([actOf(31, { state: 'running', done: 5 })]);
  const refresh = createRefresher(queryClient);
  const change = () => refresh({ topic: 'bulk_act', id: idOf(31), trader_id: null, at: AT });
  await expect.element(table).toHaveTextContent('26 of 341');
  toast({ tone: 'positive', title: 'Ordered', action: { label: 'Undo', of: idOf(31), onSelect: () => {} } });
  await expect.element(button('Undo')).toBeVisible();
  server.answer({
    [LIST]: { success: true, data: [actOf(31, { state: 'done', done: 320, finished_at: AT })] },
  });
  change();
  await expect.element(act(1)).toHaveTextContent('Done320 notified · 21 left out');
  const said = page.getByRole('list').getByText('320 notified · 21 left out', { exact: true });
  await expect.element(said).toBeVisible();
  await expect.element(button('Undo')).not.toBeInTheDocument();
  const asked = server.sentTo(LIST).length;
  change();
  await expect.poll(() => server.sentTo(LIST).length).toBeGreaterThan(asked);
  expect(said.elements()).toHaveLength(1);
});

test('the selected traders alone are exported, or all that match less some', async () => {
  const EXPORT = 'POST /api/exports';
  const refused = refuse(409, 'exports_unfinished', 'Three exports of yours are not finished.');
  const { server } = await showSelected({ [EXPORT]: refused });
  const order = { orderBy: 'aum', orderDir: 'desc' };
  await bar.getByRole('button', { name: 'Export selected' }).click();
  await expect.element(page.getByText('Three exports of yours are not finished.')).toBeVisible();
  expect(asked(server, EXPORT)).toEqual([
    { list: 'traders', query: order, selected: { ids: [idOf(1000), idOf(1001), idOf(1002)] } },
  ]);
  await button('Select all 1,050 that match').click();
  await box(1).click();
  await bar.getByRole('button', { name: 'Export selected' }).click();
  await expect
    .poll(() => asked(server, EXPORT).at(-1))
    .toEqual({
      list: 'traders',
      query: { tab: 'connected', ...order },
      selected: { except: [idOf(1001)] },
    });
});
