import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { MessagesAnswer } from '../../features/messages/messages-queries.ts';
import type { Message } from '../../lib/format/message-texts.ts';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { type Answers, refuse, type Sent } from '../../testing/serve-calls.ts';
import { idOf, READS_UNDER_WAY, STAFF, SUPER_ADMIN, showScreen } from '../../testing/show-screen.tsx';

const LIST = 'GET /api/messages';
const RETRY = 'POST /api/messages/{id}/retry';
const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const message = (n: number, over: Partial<Message> = {}): Message => ({
  id: idOf(n),
  trader_id: idOf(500 + n),
  trader: `KAIT-${1000 + n}`,
  community_id: idOf(3),
  community: 'Blue Harbor',
  provider_name: 'Meridian Capital',
  invoice_id: null,
  kind: 'invoice_overdue',
  language: 'en',
  text: 'You owe <code>12.5</code> USDT &amp; more',
  state: 'failed',
  outcome: 'not_delivered',
  attempts: 3,
  problem: 'blocked',
  can_retry: true,
  next_attempt_at: null,
  requested_by: 'system',
  created_at: at(-5),
  sent_at: null,
  ...over,
});
const OUTCOMES = { not_delivered: 3, waiting: 1, sent: 120, overtaken: 2 };
const listing = (data: Message[], over: Partial<MessagesAnswer['meta']> = {}): MessagesAnswer => ({
  success: true,
  data,
  meta: { total: data.length, outcomes: OUTCOMES, totals_at: at(0), ...over },
});
const FOUR = [
  message(1),
  message(2, { problem: 'no_chat', can_retry: false }),
  message(3, { trader_id: null, trader: null, problem: 'no_chat', can_retry: false, kind: 'withdraw_funds' }),
  message(4, { state: 'sent', outcome: 'sent', problem: null, can_retry: false, sent_at: at(-4) }),
];
const show = (
  answer: unknown,
  {
    at: path = '/messages',
    user = SUPER_ADMIN,
    width = 1440,
    ...answers
  }: Answers & { at?: string; user?: typeof SUPER_ADMIN; width?: number } = {},
) =>
  showScreen(path, {
    user,
    width,
    answers: { ...READS_UNDER_WAY, [LIST]: answer as never, ...(answers as Answers) },
  });

const table = page.getByRole('table', { name: 'Messages' });
const rowOf = (name: string) => table.getByRole('row').filter({ hasText: name });
const tab = (name: RegExp) => page.getByRole('tab', { name });

test('says of each message whom it is for, what became of it and why', async () => {
  await show(listing(FOUR, { total: 126 }));
  const first = rowOf('KAIT-1001');
  for (const text of ['Not delivered', 'The trader has blocked the bot', 'Overdue', 'English', 'Blue Harbor'])
    await expect.element(first).toHaveTextContent(text);
  await expect.element(first).toHaveTextContent('You owe 12.5 USDT & more');
  await expect.element(rowOf('Owner of Blue Harbor')).toHaveTextContent('The owner has no Telegram ID');
  await expect.element(rowOf('KAIT-1004')).toHaveTextContent('Sent');
  for (const [name, count] of [
    [/^All/, '126'],
    [/^Not delivered/, '3'],
    [/^Waiting/, '1'],
    [/^Sent/, '120'],
    [/^Overtaken/, '2'],
  ] as const)
    await expect.element(tab(name)).toHaveTextContent(count);
  await expectAccessible();
});

test('what can help stands beside a message, and another try is sent once', async () => {
  let shown = FOUR;
  const { server } = await show(() => listing(shown), {
    [RETRY]: () => {
      shown = [message(1, { state: 'queued', outcome: 'waiting', problem: null, can_retry: false })];
      return { success: true, data: shown[0] } as never;
    },
  } as never);
  const add = (name: string) => page.getByRole('link', { name: `Add Telegram ID of ${name}` });
  await expect.element(add('KAIT-1002')).toHaveAttribute('href', `/trader/${idOf(502)}`);
  await expect.element(add('Owner of Blue Harbor')).toHaveAttribute('href', `/community-settings/${idOf(3)}`);
  expect(rowOf('KAIT-1004').getByRole('link').elements()).toHaveLength(1);
  await page.getByRole('button', { name: 'Try again: message to KAIT-1001' }).dblClick();
  await expect.element(rowOf('KAIT-1001')).toHaveTextContent('Waiting');
  expect(server.sentTo(RETRY)).toHaveLength(1);
});

test('a try that is refused says why', async () => {
  await show(listing(FOUR), { [RETRY]: refuse(409, 'message_not_failed', 'It was sent.') } as never);
  await page.getByRole('button', { name: 'Try again: message to KAIT-1001' }).click();
  await expect.element(page.getByText('The message could not be sent again').first()).toBeVisible();
  await expect.element(page.getByText('It was sent.').first()).toBeVisible();
});

test('staff, who send nothing again, see the same without that act', async () => {
  await show(listing(FOUR.slice(0, 2)), { user: STAFF });
  await expect.element(rowOf('KAIT-1001')).toBeVisible();
  expect(page.getByRole('button', { name: /^Try again/ }).elements()).toEqual([]);
  await expect.element(page.getByText('To the traders of your providers.')).toBeVisible();
  expect(page.getByRole('checkbox').elements()).toEqual([]);
  expect(page.getByRole('radio').elements()).toEqual([]);
});

test('a selection says what is sent again and why the others are not, and is sent as it was confirmed', async () => {
  const PREVIEW = 'POST /api/messages/retry-preview';
  const MANY = 'POST /api/messages/retry';
  const left = [
    { reason: 'no_chat', count: 2 },
    { reason: 'recalled', count: 1 },
  ];
  const { server } = await show(listing(FOUR), {
    at: '/messages?outcome=not_delivered&search=kait',
    [PREVIEW]: { success: true, data: { will: 1, left_out: left } },
    [MANY]: { success: true, data: { queued: 1, remaining: 0 } },
  } as never);
  const bar = page.getByRole('region', { name: 'Selection' });
  const dialog = page.getByRole('dialog', { name: 'Try again' });
  await page.getByRole('checkbox', { name: 'Select message to KAIT-1001' }).click();
  await expect.element(bar).toHaveTextContent('1 message selected');
  expect(page.getByRole('checkbox', { name: 'Select message to KAIT-1004' }).elements()).toEqual([]);
  await bar.getByRole('button', { name: 'Select all failed that match' }).click();
  await expect.element(bar).toHaveTextContent('All failed messages that match selected');
  await bar.getByRole('button', { name: 'Try again' }).click();
  await expect
    .element(dialog)
    .toHaveTextContent(/2 without a Telegram ID.*1 about an invoice that was recalled/);
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Send 1 message again' }).click();
  await expect.element(page.getByText('1 message queued again').first()).toBeVisible();
  const matching = { query: { search: 'kait', outcome: 'not_delivered' }, except: [] };
  expect(server.sentTo(PREVIEW)[0]?.body).toEqual({ matching });
  expect(server.sentTo(MANY).map(({ body }) => body)).toEqual([{ matching, expected: 1 }]);
  await expect.poll(() => bar.elements()).toEqual([]);
});

test.each(['waiting', 'sent'])('in the tab %s nothing is selected', async (outcome) => {
  await show(listing(FOUR.slice(3)), { at: `/messages?outcome=${outcome}` });
  await expect.element(table).toBeVisible();
  expect(page.getByRole('checkbox').elements()).toEqual([]);
});

test('a long message is shown whole when it is pressed', async () => {
  await show(listing([message(1, { text: Array.from({ length: 20 }, (_, n) => `line ${n}`).join('\n') })]));
  const text = table.getByRole('button', { expanded: false });
  await expect.element(text).toBeVisible();
  const before = text.element().getBoundingClientRect().height;
  await text.click();
  await expect
    .poll(() => table.getByRole('button', { expanded: true }).element().getBoundingClientRect().height)
    .toBeGreaterThan(before * 2);
  await expectAccessible();
});

test('tabs, filters and the search are those of the URL, and begin on the first page', async () => {
  const { server, address } = await show(listing(FOUR, { total: 126 }), { at: '/messages?page=2' });
  await expect.element(table).toBeVisible();
  const last = () => server.sentTo(LIST).at(-1)?.query;
  expect(last()).toEqual({ limit: '25', offset: '25' });
  await tab(/^Not delivered/).click();
  await expect.poll(last).toMatchObject({ outcome: 'not_delivered', offset: '0' });
  expect(address()).toBe('/messages?outcome=not_delivered');
  await page.getByRole('button', { name: 'Cause', exact: true }).click();
  await page.getByRole('option', { name: 'Bot blocked' }).click();
  await expect.poll(last).toMatchObject({ outcome: 'not_delivered', problem: 'blocked' });
  await page.getByRole('button', { name: 'Search messages by trader or community' }).click();
  await page.getByRole('searchbox', { name: 'Search messages by trader or community' }).fill('kait');
  await expect.poll(last).toMatchObject({ search: 'kait', offset: '0', problem: 'blocked' });
});

test.each([
  ['/messages', 'No messages yet', /fall due/],
  ['/messages?outcome=not_delivered', 'Every message arrived', /appear here/],
  ['/messages?outcome=waiting', 'No message waits', /Telegram has taken it/],
])('%s without messages says what comes next', async (path, title, text) => {
  await show(listing([], { outcomes: { not_delivered: 0, waiting: 0, sent: 0, overtaken: 0 } }), {
    at: path,
  });
  await expect.element(page.getByRole('heading', { name: title })).toBeVisible();
  await expect.element(page.getByText(text).first()).toBeVisible();
  await expectAccessible();
});

test('a search that finds nothing in its tab shows where it found something', async () => {
  const { address } = await show(
    ({ query }: Sent) =>
      query.outcome === 'waiting'
        ? listing([], { outcomes: { ...OUTCOMES, not_delivered: 0, overtaken: 0, sent: 2 } })
        : listing(FOUR.slice(3)),
    { at: '/messages?outcome=waiting&search=kait' },
  );
  await expect.element(page.getByRole('heading', { name: 'No messages found' })).toBeVisible();
  await page.getByRole('button', { name: 'Show 2 in Sent' }).click();
  await expect.element(rowOf('KAIT-1004')).toBeVisible();
  expect(address()).toBe('/messages?outcome=sent&search=kait');
});

test('a failure is said once, and tried again when asked', async () => {
  let isDown = true;
  await show(() => (isDown ? refuse(400, 'validation_failed', 'This cannot be read.') : listing(FOUR)));
  await expect.element(page.getByRole('alert')).toHaveTextContent(/The messages could not be loaded/);
  await expectAccessible();
  isDown = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.element(rowOf('KAIT-1001')).toBeVisible();
});

test('without an answer the rows are on their way', async () => {
  await show(READS_UNDER_WAY[LIST]);
  await expect.element(page.getByText('Loading messages...')).toBeVisible();
});

test('tabs are walked by keyboard', async () => {
  const { address } = await show(listing(FOUR));
  await expect.element(table).toBeVisible();
  (tab(/^All/).element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(tab(/^Not delivered/)).toHaveAttribute('aria-selected', 'true');
  expect(address()).toBe('/messages?outcome=not_delivered');
});

const ARABIC = 'شبكة المتداولين';
test.each([390, 1024, 1440])('hostile names and texts leave the screen whole at %i px', async (width) => {
  const long = 'W'.repeat(200);
  await show(
    listing([
      message(1, { trader: ARABIC, community: ARABIC, text: `${ARABIC} <script>alert(1)</script>` }),
      message(2, { trader: long, community: long, text: `${long} <code>0x${'a1'.repeat(60)}</code>` }),
    ]),
    { width },
  );
  const list = width === 390 ? page.getByRole('list', { name: 'Messages' }) : table;
  await expect.element(list).toHaveTextContent(ARABIC);
  expect(document.querySelector('main script')).toBeNull();
  for (const each of [document.scrollingElement, document.querySelector('main')])
    expect(each?.scrollWidth).toBeLessThanOrEqual(width);
  if (width === 390) await expectAccessible();
});
