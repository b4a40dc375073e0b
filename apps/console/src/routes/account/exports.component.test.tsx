import type { CallAnswer } from '@copydesk/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { createRefresher } from '../../app/create-refresher.ts';
import { queryClient } from '../../app/query-client.ts';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { type Answers, never, refuse } from '../../testing/serve-calls.ts';
import { listOf, payoutOf, showPayouts } from '../../testing/show-payouts.ts';
import { idOf, READS_UNDER_WAY, STAFF, SUPER_ADMIN, showScreen } from '../../testing/show-screen.tsx';

const LIST = 'GET /api/exports';
const BEGIN = 'POST /api/exports';
const REMOVE = 'DELETE /api/exports/{id}';
const FILE = 'GET /api/exports/{id}/file';
type Export = CallAnswer<typeof LIST>['data'][number];

const CSV = new Blob(['a'], { type: 'text/csv' });
const AT = new Date(Date.now() - 3_600_000).toISOString();
const LATER = new Date(Date.now() + 6 * 86_400_000).toISOString();
const COMMUNITY = idOf(801);
const exportOf = (n: number, changes: Partial<Export> = {}): Export => ({
  id: idOf(n),
  list: 'traders',
  params: {},
  query: { tab: 'connected', community_id: COMMUNITY, orderBy: 'aum', orderDir: 'desc' },
  state: 'waiting',
  rows: 0,
  rows_expected: 100_200,
  bytes: null,
  sha256: null,
  created_at: AT,
  finished_at: null,
  expires_at: null,
  reason: null,
  is_covered: true,
  is_selection: false,
  ...changes,
});
const READY = {
  state: 'ready',
  rows: 100_200,
  bytes: 12_400_000,
  sha256: 'ab'.repeat(32),
  finished_at: AT,
  expires_at: LATER,
} as const;
const FAILED = { state: 'failed', reason: 'too_slow', finished_at: AT } as const;
const EVERY: Export[] = [
  exportOf(1),
  exportOf(2, { state: 'running', rows: 12_000, list: 'invoices', query: { is_paid: 'true' } }),
  exportOf(3, { ...READY, list: 'audit', query: {} }),
  exportOf(4, { ...FAILED, list: 'payouts', query: { status: 'failed' } }),
  exportOf(5, { ...READY, list: 'refusals', query: {}, expires_at: AT }),
  exportOf(6, { ...READY, list: 'closed_positions', params: { id: 'abc' }, is_covered: false }),
];
const answering = (data: Export[]): CallAnswer<typeof LIST> => ({ success: true, data });
const show = (data: Export[], answers: Answers = {}, width = 1440) =>
  showScreen('/exports', {
    width,
    user: STAFF,
    answers: {
      ...READS_UNDER_WAY,
      'GET /api/communities': {
        success: true,
        data: [{ ...COMMUNITY_ROW, id: COMMUNITY, name: 'Blue Harbor' }],
        meta: { totals_at: null },
      },
      [LIST]: answering(data),
      ...answers,
    },
  });
const COMMUNITY_ROW = {
  is_archived: false,
  created_at: AT,
  trader_count: 0,
  total_aum: '0',
  pool_capital: '0',
  unread_accounts: 0,
} as CallAnswer<'GET /api/communities'>['data'][number];

const table = page.getByRole('table', { name: 'Your exports, newest first' });
const row = (nth: number) => table.getByRole('row').nth(nth);
const button = (name: string) => page.getByRole('button', { name });

/** The names of files that are saved until the test ends. */
function spySaves(): string[] {
  const saved: string[] = [];
  const spy = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download);
  });
  onTestFinished(() => spy.mockRestore());
  return saved;
}

test('each export says what it is of, how far it is, and what can be done', async () => {
  await show(EVERY);
  await expect
    .element(row(1))
    .toHaveTextContent('TradersList: connected · Community: Blue Harbor · By aum, descending');
  await expect.element(row(1)).toHaveTextContent('Waiting0 of 100,200 rows');
  await expect.element(row(2)).toHaveTextContent('InvoicesPaid: yesRunning12,000 of 100,200 rows');
  await expect.element(row(2).getByRole('progressbar')).toHaveAttribute('value', '12000');
  await expect.element(row(3)).toHaveTextContent('AuditWithout filtersReady100,200 rows12 MB');
  await expect
    .element(row(4))
    .toHaveTextContent('Status: failedFailedIt took too long. Narrow the filters of the list.');
  await expect.element(row(5)).toHaveTextContent('ExpiredFiles are kept for seven days.');
  await expect.element(row(6)).toHaveTextContent('Access changedYou no longer see all of its rows.');
  const acts = [1, 2, 3, 4, 5, 6].map((nth) =>
    row(nth)
      .getByRole('button')
      .elements()
      .map(({ textContent }) => textContent),
  );
  const again = ['Export again', 'Delete'];
  expect(acts).toEqual([['Cancel'], ['Cancel'], ['Download', 'Delete'], again, again, again]);
  await expectAccessible();
});

test('on a phone each export is a card, and the page does not scroll sideways', async () => {
  await show(EVERY, {}, 390);
  await expect.element(button('Download the export of Audit')).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(390);
});

test('while they load it says so, when they do not it says why, and without any it says how to begin', async () => {
  const { unmount } = await show([], { [LIST]: never });
  await expect.element(page.getByText('Loading your exports...')).toBeVisible();
  await unmount();
  const broken = await show([], { [LIST]: refuse(500, 'internal_error', 'Broken') });
  await expect.element(page.getByRole('heading', { name: 'Your exports could not be loaded' })).toBeVisible();
  await broken.unmount();
  await show([]);
  await expect.element(page.getByRole('heading', { name: 'No exports yet' })).toBeVisible();
  await expect.element(page.getByText('With more than 1,000 rows its file is made')).toBeVisible();
  await expectAccessible();
});

test('a file is saved, and a refusal says why', async () => {
  const saved = spySaves();
  const { server } = await show([exportOf(3, { ...READY })], { [FILE]: CSV });
  await button('Download the export of Traders').click();
  await expect.poll(() => saved).toEqual(['export.csv']);
  expect(server.sentTo(FILE)[0]?.params).toEqual({ id: idOf(3) });
  server.answer({ [FILE]: refuse(403, 'export_access_changed', 'Your access changed: export again') });
  await button('Download the export of Traders').click();
  await expect.element(page.getByText('Your access changed: export again')).toBeVisible();
  expect(saved).toHaveLength(1);
});

test('a failed or expired export is begun again with the same filters', async () => {
  const old = exportOf(4, { ...FAILED });
  const { server } = await show([old], { [BEGIN]: { success: true, data: exportOf(9) } });
  server.answer({ [LIST]: answering([exportOf(9), old]) });
  await button('Export again: Traders').click();
  await expect.element(page.getByText('Export begun: 100,200 rows')).toBeVisible();
  expect(server.sentTo(BEGIN)[0]?.body).toEqual({ list: 'traders', params: {}, query: old.query });
  await expect.element(row(1)).toHaveTextContent('Waiting');
});

test('a running export is cancelled, and a file deleted, after a question', async () => {
  const { server } = await show([exportOf(1), exportOf(3, { ...READY, list: 'audit' })], {
    [REMOVE]: { success: true },
  });
  await button('Cancel the export of Traders').click();
  await expect.element(page.getByRole('dialog')).toHaveTextContent('What is written so far is removed.');
  await expectAccessible();
  server.answer({ [LIST]: answering([exportOf(3, { ...READY, list: 'audit' })]) });
  await button('Cancel export').click();
  await expect.element(page.getByText('Export cancelled')).toBeVisible();
  await expect.poll(() => table.getByRole('row').elements()).toHaveLength(2);
  await button('Delete the export of Audit').click();
  await button('Delete export').click();
  await expect.element(page.getByText('Export deleted')).toBeVisible();
  expect(server.sentTo(REMOVE).map(({ params }) => params.id)).toEqual([idOf(1), idOf(3)]);
});

test('an event moves the progress, and what has ended is said once, with its file', async () => {
  const saved = spySaves();
  const { server } = await show([exportOf(1)], { [FILE]: CSV });
  await expect.element(row(1)).toHaveTextContent('Waiting');
  const refresh = createRefresher(queryClient);
  const change = () => refresh({ topic: 'export', id: idOf(1), trader_id: null, at: AT });
  server.answer({ [LIST]: answering([exportOf(1, { state: 'running', rows: 50_000 })]) });
  change();
  await expect.element(row(1)).toHaveTextContent('50,000 of 100,200 rows');
  server.answer({ [LIST]: answering([exportOf(1, { ...READY })]) });
  change();
  await expect.element(row(1)).toHaveTextContent('Ready');
  const toast = page.getByText('Export ready', { exact: true });
  await expect.element(toast).toBeVisible();
  const asked = server.sentTo(LIST).length;
  change();
  await expect.poll(() => server.sentTo(LIST).length).toBeGreaterThan(asked);
  expect(toast.elements()).toHaveLength(1);
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  await expect.poll(() => saved).toEqual(['export.csv']);
});

test('whoever views as another person, or may not export, sees none', async () => {
  const viewed = { ...STAFF, viewed_by: 'super@example.com' };
  const { unmount, server } = await showScreen('/exports', { user: viewed, answers: READS_UNDER_WAY });
  await expect.element(page.getByText('Exports are not part of a view')).toBeVisible();
  await unmount();
  const viewer = {
    ...STAFF,
    providers: STAFF.providers.map((each) => ({ ...each, role: 'viewer' as const })),
  };
  const shown = await showScreen('/exports', { user: viewer, answers: READS_UNDER_WAY });
  await expect.element(page.getByText('Your role does not include exports')).toBeVisible();
  expect([...server.sentTo(LIST), ...shown.server.sentTo(LIST)]).toEqual([]);
});

test('the button of a long list begins an export, and leads to it', async () => {
  const long = { ...listOf([payoutOf(1)]) };
  long.meta = { ...long.meta, total: 1_001 };
  const { server, address } = await showPayouts(
    {
      user: SUPER_ADMIN,
      answers: {
        'GET /api/sweep-operations/admin/all': long,
        [BEGIN]: { success: true, data: exportOf(1) },
        [LIST]: answering([exportOf(1)]),
      },
    },
    '?status=failed',
  );
  await expect.element(page.getByRole('grid', { name: 'Payouts' }).getByRole('row').nth(1)).toBeVisible();
  await button('Export CSV').click();
  await expect.element(page.getByText('Export begun: 100,200 rows')).toBeVisible();
  expect(server.sentTo(BEGIN)[0]?.body).toEqual({
    list: 'payouts',
    query: { status: 'failed', orderBy: 'created_at', orderDir: 'desc' },
  });
  expect(server.sentTo('GET /api/sweep-operations/export')).toEqual([]);
  await button('Show exports').click();
  await expect.element(row(1)).toHaveTextContent('Waiting');
  expect(address()).toBe('/exports');
});

test('a refusal to begin says what to do, and a list of a thousand rows is saved at once', async () => {
  const saved = spySaves();
  const whole = { ...listOf([payoutOf(1)]) };
  whole.meta = { ...whole.meta, total: 1_000 };
  const { server } = await showPayouts({
    answers: {
      'GET /api/sweep-operations/admin/all': whole,
      'GET /api/sweep-operations/export': CSV,
      [BEGIN]: refuse(409, 'exports_unfinished', 'Three exports of yours are not finished.'),
    },
  });
  const rows = page.getByRole('grid', { name: 'Payouts' }).getByRole('row');
  await expect.element(rows.nth(1)).toBeVisible();
  await button('Export CSV').click();
  await expect.poll(() => saved).toHaveLength(1);
  expect(server.sentTo(BEGIN)).toEqual([]);
  whole.meta = { ...whole.meta, total: 5_000 };
  await queryClient.invalidateQueries({ queryKey: ['payout-history'] });
  await button('Export CSV').click();
  await expect.element(page.getByText('Three exports of yours are not finished.')).toBeVisible();
  expect(saved).toHaveLength(1);
});
