import { ATTENTION_KINDS } from '@copydesk/domain/attention';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AttentionItem } from '../../features/attention/attention-queries.ts';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { refuse } from '../../testing/serve-calls.ts';
import { idOf, READS_UNDER_WAY, STAFF, SUPER_ADMIN, showScreen } from '../../testing/show-screen.tsx';

const LIST = 'GET /api/attention';
const MARK = 'PUT /api/attention/mark';
const HOUR = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();
const item = (over: Partial<AttentionItem> = {}): AttentionItem => ({
  kind: 'key_failing',
  subject: idOf(1),
  provider_id: idOf(9),
  provider: 'Aurora Signals',
  title: 'KAIT-100143',
  detail: 'bybit',
  trader_id: idOf(2),
  community_id: idOf(3),
  pool_id: idOf(4),
  code: 'ip_not_allowed',
  count: null,
  amount: null,
  since: ago(5),
  turn: 'you',
  cause: 'ip_not_allowed',
  version: 0,
  taken: null,
  snoozed: null,
  ...over,
});
const listing = (data: AttentionItem[], tabs = { you: data.length, others: 0, snoozed: 0 }) => ({
  success: true as const,
  data,
  meta: { total: data.length, tabs, groups: {} },
});
const show = (
  answer: unknown,
  { at = '/attention', user = SUPER_ADMIN, ...answers }: Record<string, unknown> & { at?: string } = {},
) =>
  showScreen(at, {
    user: user as typeof SUPER_ADMIN,
    answers: { ...READS_UNDER_WAY, [LIST]: answer as never, ...answers },
  });

const table = page.getByRole('table', { name: /What waits/ });
const dialog = page.getByRole('dialog');
const menuOf = async (name: RegExp) => page.getByRole('button', { name }).click();

test('every kind has words, its amount and an act that leads somewhere', async () => {
  const all = ATTENTION_KINDS.map((kind, at) =>
    item({
      kind,
      subject: kind === 'accounts_unread' ? 'okx' : idOf(at + 10),
      code: null,
      count: 2,
      amount: '319.2',
    }),
  );
  await show(listing(all));
  await expect.element(table).toBeVisible();
  const rows = table.getByRole('row').elements().slice(1);
  expect(rows).toHaveLength(ATTENTION_KINDS.length);
  for (const row of rows) {
    expect(row.textContent).toContain('319.20 USDT');
    expect(row.textContent).not.toMatch(/null|undefined|_/);
    const next = row.lastElementChild?.querySelector('a, button');
    expect(next?.textContent).not.toBe('');
    if (next instanceof HTMLAnchorElement) expect(next.getAttribute('href')).toMatch(/^\//);
  }
  await expectAccessible();
});

test('says how much is left, and what fails', async () => {
  const system = { provider_id: null, provider: null, detail: null, code: null };
  await show(
    listing([
      item({ kind: 'key_expiring', code: null, count: 3 }),
      item({ kind: 'key_expiring', subject: idOf(5), title: 'KAIT-7', code: null, count: 0 }),
      item({ ...system, kind: 'pool_near_breaker', title: 'Blue Harbor', code: '0.4799' }),
      item({
        ...system,
        kind: 'work_failing',
        subject: 'a',
        title: 'begin-invoicing',
        code: 'job',
        count: 6,
      }),
      item({
        ...system,
        kind: 'work_failing',
        subject: 'b',
        title: 'stripe-sync',
        code: 'given_up',
        count: 1,
      }),
      item({ ...system, kind: 'setup_left', subject: 'setup', title: null, count: 2 }),
    ]),
  );
  for (const words of [
    /KAIT-100143 on Bybit: the exchange ends its key in 3 days/,
    /KAIT-7 on Bybit: the exchange ends its key within a day/,
    /Blue Harbor is near its circuit breaker: 0\.47 points of drawdown are left/,
    /begin-invoicing is a job of the worker that failed 6 times in a row: its log says why/,
    /stripe-sync gave up 1 reading at a vendor: "bin\/copydesk admin redrive" reads again/,
    /2 steps of the set-up are left/,
  ])
    await expect.element(table).toHaveTextContent(words);
  await expect
    .element(page.getByRole('link', { name: 'See the steps' }))
    .toHaveAttribute('href', '/settings');
  await expect
    .element(page.getByRole('link', { name: 'Open pool' }))
    .toHaveAttribute('href', `/pools/${idOf(4)}`);
});

test('says whose turn it is, and what was taken and left', async () => {
  await show(
    listing([
      item({ taken: { by: 'Ada', is_you: true, at: ago(30) } }),
      item({ subject: idOf(5), title: 'ليل 12', code: 'key_locked' }),
    ]),
  );
  await expect.element(table).toHaveTextContent(/You, taken (1 day|30 hours) ago, not done/);
  await expect.element(table).toHaveTextContent(/ليل 12/);
  await expect.element(table).toHaveTextContent(/not on the key's IP whitelist/);
  await expect.element(page.getByRole('tab', { name: /You/ })).toHaveAttribute('aria-selected', 'true');
  await expect.element(page.getByRole('link', { name: /Attention/ }).first()).toHaveTextContent(/2/);
  await expectAccessible();
});

test('taking sends what was seen; a refusal is said and the list read again', async () => {
  let isTaken = false;
  const { server } = await show(() => listing([item({ version: 3 })]), {
    [MARK]: () => {
      if (isTaken)
        return refuse(409, 'attention_taken', 'Someone else changed who attends to this meanwhile.');
      isTaken = true;
      return { success: true, data: { version: 4 } };
    },
  });
  await menuOf(/Actions for KAIT-100143/);
  await page.getByRole('menuitem', { name: 'Take' }).click();
  await expect.element(page.getByText('Taken', { exact: true }).first()).toBeVisible();
  expect(server.sentTo(MARK)[0]?.body).toEqual({
    kind: 'key_failing',
    subject: idOf(1),
    provider_id: idOf(9),
    cause: 'ip_not_allowed',
    version: 3,
    act: { kind: 'take' },
  });
  const before = server.sentTo(LIST).length;
  await menuOf(/Actions for KAIT-100143/);
  await page.getByRole('menuitem', { name: 'Take' }).click();
  await expect.element(page.getByText(/Someone else changed/).first()).toBeVisible();
  await expect.poll(() => server.sentTo(LIST).length).toBeGreaterThan(before);
});

test('a snooze wants a reason and an end; handing over a person', async () => {
  const { server } = await show(listing([item()]), {
    [MARK]: { success: true, data: { version: 1 } },
    'POST /api/attention/people': {
      success: true,
      data: [{ id: 'ada', name: 'Ada', email: 'ada@example.com' }],
    },
  });
  await menuOf(/Actions for KAIT-100143/);
  await page.getByRole('menuitem', { name: 'Snooze...' }).click();
  await expect.element(dialog).toHaveTextContent(/It sleeps for everybody/);
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Snooze' }).click();
  await expect.element(dialog).toHaveTextContent(/Enter a reason/);
  expect(server.sentTo(MARK)).toEqual([]);
  await dialog.getByRole('combobox', { name: 'Comes back' }).selectOptions('in 3 days');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Asked the trader');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).not.toBeInTheDocument();
  const sent = server.sentTo(MARK)[0]?.body as { act: { until: string; reason: string } };
  expect(sent.act).toMatchObject({ kind: 'snooze', reason: 'Asked the trader' });
  const hours = (Date.parse(sent.act.until) - Date.now()) / HOUR;
  expect(Math.round(hours)).toBe(72);

  await menuOf(/Actions for KAIT-100143/);
  await page.getByRole('menuitem', { name: 'Hand over...' }).click();
  await dialog.getByRole('button', { name: 'Hand over' }).click();
  await expect.element(dialog).toHaveTextContent(/Choose a person/);
  await dialog.getByRole('combobox', { name: 'To' }).selectOptions('Ada (ada@example.com)');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Hand over' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.sentTo(MARK)[1]?.body).toMatchObject({ act: { kind: 'hand_over', to: 'ada' } });
});

test('an address is released where it is read, and says when it waits no longer', async () => {
  await show(
    listing([item({ kind: 'address_waiting', title: 'Blue Harbor', code: 'community', provider: null })]),
    {
      'GET /api/super-admin/payout-addresses': { success: true, data: [], meta: { total: 0 } },
    },
  );
  await page.getByRole('button', { name: 'Release', exact: true }).click();
  await expect.element(dialog).toHaveTextContent(/It waits no longer/);
  await expect.element(dialog.getByRole('button', { name: 'Release' })).toBeDisabled();
  await expectAccessible();
});

test('an order is approved where it is read; one that waits for another leads to it', async () => {
  const { server } = await show(
    listing([
      item({ kind: 'order_waiting', title: null, code: 'credit_tipped', provider: null, amount: '7' }),
      item({
        kind: 'order_waiting',
        subject: idOf(6),
        title: 'Blue Harbor',
        turn: 'another',
        provider: null,
      }),
    ]),
    { 'GET /api/orders': { success: true, data: [], meta: { total: 0 } } },
  );
  await expect.element(page.getByRole('link', { name: 'See it' })).toHaveAttribute('href', '/super-admin');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect.element(dialog).toHaveTextContent(/It waits no longer: it was decided meanwhile/);
  expect(server.sentTo('GET /api/orders').some(({ query }) => query?.order_id === idOf(1))).toBe(true);
});

test('a group and a tab are in the URL, and an empty one says what comes', async () => {
  const { server } = await show(listing([], { you: 0, others: 3, snoozed: 1 }), {
    at: '/attention?tab=snoozed&group=keys',
    user: STAFF,
  });
  await expect.element(page.getByText('Nothing of this group')).toBeVisible();
  expect(server.sentTo(LIST).at(-1)?.query).toMatchObject({ tab: 'snoozed', group: 'keys' });
  await expect.element(page.getByText('What concerns your providers.')).toBeVisible();
  await page.getByRole('tab', { name: /Others/ }).click();
  await expect.element(page.getByText('Nothing waits for others')).toBeVisible();
  await page.getByRole('tab', { name: /You/ }).click();
  await expect.element(page.getByText('Nothing waits for you')).toBeVisible();
  await expectAccessible();
});

test('an error has a retry', async () => {
  let isDown = true;
  await show(() => (isDown ? refuse(500, 'internal_error', 'Something went wrong') : listing([item()])));
  await expect.element(page.getByText('This could not be loaded')).toBeVisible();
  isDown = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.element(table).toHaveTextContent(/KAIT-100143/);
});

test('a mention is read in place, and gone once it was seen', async () => {
  const subject = `invoice:${idOf(5)}:super-1`;
  const mention = item({ kind: 'note_mention', subject, code: 'invoice', count: 1, cause: 'invoice/1' });
  const { server } = await show(listing([mention]), {
    'GET /api/notes': { success: true, data: [], meta: { total: 1, readers: [] } },
    'PUT /api/notes/done': { success: true },
  });
  await expect.element(table).toHaveTextContent('has 1 note on an invoice that mentions you');
  await table.getByRole('button', { name: 'Read' }).click();
  await expect.element(dialog).toHaveTextContent('Notes: KAIT-100143');
  await expect
    .element(dialog.getByRole('link', { name: 'Open invoice' }))
    .toHaveAttribute('href', `/invoices/${idOf(5)}`);
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Seen' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.sentTo('PUT /api/notes/done').map(({ body }) => body)).toEqual([
    { subject_kind: 'invoice', subject_id: idOf(5) },
  ]);
});
