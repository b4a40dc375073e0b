import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type {
  BotsMessagesAnswer,
  ListedBotMessage,
} from '../../features/messages/bots/bots-messages-queries.ts';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { type Answers, refuse, type Sent } from '../../testing/serve-calls.ts';
import { idOf, READS_UNDER_WAY, SUPER_ADMIN, showScreen } from '../../testing/show-screen.tsx';

const LIST = 'GET /api/exchange-bot-messages';
const ONE = 'POST /api/exchange-bot/{id}/messages/{messageId}/retry';
const PREVIEW = 'POST /api/exchange-bot-messages/retry-preview';
const RETRY = 'POST /api/exchange-bot-messages/retry';
const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const message = (n: number, over: Partial<ListedBotMessage> = {}): ListedBotMessage => ({
  id: idOf(n),
  telegram_user_id: String(7_000 + n),
  telegram_username: `ada_${n}`,
  name: `Ada Berg ${n}`,
  text: 'Pay 12.5 & more, <b>not bold</b>',
  state: 'failed',
  attempts: 3,
  problem: 'blocked',
  created_at: at(-5),
  sent_at: null,
  bot_id: idOf(900),
  community_id: idOf(3),
  community: 'Blue Harbor',
  ...over,
});
const STATES = { failed: 3, queued: 1, sent: 10_000 };
const listing = (
  data: ListedBotMessage[],
  over: Partial<BotsMessagesAnswer['meta']> = {},
): BotsMessagesAnswer => ({
  success: true,
  data,
  meta: { total: data.length, states: STATES, capped: ['sent'], ...over },
});
const FOUR = [
  message(1),
  message(2, { name: null, problem: 'chat_not_found' }),
  message(3, { name: null, telegram_username: null, state: 'queued', problem: 'unavailable' }),
  message(4, { state: 'sent', problem: null, sent_at: at(-4) }),
];
const show = (
  answer: unknown,
  {
    at: path = '/messages/bots',
    width = 1440,
    user = SUPER_ADMIN,
    ...answers
  }: Answers & { at?: string; width?: number; user?: typeof SUPER_ADMIN } = {},
) =>
  showScreen(path, {
    width,
    user,
    answers: { ...READS_UNDER_WAY, [LIST]: answer as never, ...(answers as Answers) },
  });

const table = page.getByRole('table', { name: 'Messages of bots' });
const rowOf = (name: string) => table.getByRole('row').filter({ hasText: name });
const tab = (name: RegExp) => page.getByRole('tab', { name });
const box = (name: string) => page.getByRole('checkbox', { name: `Select message to ${name}` });
const bar = page.getByRole('region', { name: 'Selection' });
const dialog = page.getByRole('dialog', { name: 'Try again' });
const preview = (will: number, leftOut: { reason: string; count: number }[] = []) => ({
  success: true as const,
  data: { will, left_out: leftOut },
});

test('says of each message whom it is for, what became of it and why, and whose bot wrote it', async () => {
  await show(listing(FOUR, { total: 10_004 }));
  const first = rowOf('Ada Berg 1');
  for (const text of ['@ada_1', 'Blue Harbor', 'Not delivered', 'The person has blocked the bot'])
    await expect.element(first).toHaveTextContent(text);
  // As the person saw it: no markup is left in it.
  await expect.element(first).toHaveTextContent('Pay 12.5 & more, <b>not bold</b>');
  await expect
    .element(first.getByRole('link', { name: 'Blue Harbor' }))
    .toHaveAttribute('href', `/community-settings/${idOf(3)}/bot`);
  await expect.element(rowOf('@ada_2')).toHaveTextContent(/7002.*Telegram knows no such chat/);
  await expect.element(rowOf('7003')).toHaveTextContent(/Waiting.*Telegram did not answer/);
  await expect.element(rowOf('Ada Berg 4')).toHaveTextContent(/Sent/);
  for (const [name, count] of [
    [/^All/, '10,004+'],
    [/^Not delivered/, '3'],
    [/^Waiting/, '1'],
    [/^Sent/, '10,000+'],
  ] as const)
    await expect.element(tab(name)).toHaveTextContent(count);
  await expect.element(page.getByText('10,004+ messages')).toBeVisible();
  await expectAccessible();
});

test('the two lists of messages lead to each other', async () => {
  const { address } = await show(listing(FOUR));
  await expect.element(table).toBeVisible();
  await expect.element(page.getByRole('radio', { name: "Communities' bots" })).toBeChecked();
  await page.getByText('Platform bot').click();
  await expect.poll(address).toBe('/messages');
  await expect.element(page.getByRole('radio', { name: 'Platform bot' })).toBeChecked();
  await page.getByText("Communities' bots").click();
  await expect.poll(address).toBe('/messages/bots');
});

test('tabs, filters and the search are those of the URL, and begin on the first page', async () => {
  const { server, address } = await show(listing(FOUR, { total: 10_004 }), {
    at: `/messages/bots?state=failed&community=${idOf(3)}&page=2`,
  });
  const last = () => server.sentTo(LIST).at(-1)?.query;
  await expect.poll(last).toEqual({ state: 'failed', community_id: idOf(3), limit: '25', offset: '25' });
  await tab(/^Waiting/).click();
  await expect.poll(last).toMatchObject({ state: 'queued', offset: '0' });
  expect(address()).toBe(`/messages/bots?state=queued&community=${idOf(3)}`);
  await page.getByRole('button', { name: 'Cause', exact: true }).click();
  await page.getByRole('option', { name: 'No answer' }).click();
  await expect.poll(last).toMatchObject({ problem: 'unavailable' });
  await page.getByRole('button', { name: 'Search messages by person' }).click();
  await page.getByRole('searchbox', { name: 'Search messages by person' }).fill('@ada');
  await expect.poll(last).toMatchObject({ search: '@ada', state: 'queued', problem: 'unavailable' });
});

test('another try of one message is sent once', async () => {
  let shown = FOUR;
  const { server } = await show(() => listing(shown), {
    [ONE]: () => {
      shown = [message(1, { state: 'queued', problem: null })];
      return { success: true, data: shown[0] } as never;
    },
  } as never);
  await page.getByRole('button', { name: 'Try again: message to Ada Berg 1' }).dblClick();
  await expect.element(rowOf('Ada Berg 1')).toHaveTextContent('Waiting');
  expect(server.sentTo(ONE).map(({ params }) => params)).toEqual([{ id: idOf(900), messageId: idOf(1) }]);
});

test('a try that is refused says why', async () => {
  await show(listing(FOUR), { [ONE]: refuse(409, 'message_not_failed', 'It was sent.') } as never);
  await page.getByRole('button', { name: 'Try again: message to Ada Berg 1' }).click();
  await expect.element(page.getByText('The message could not be sent again').first()).toBeVisible();
  await expect.element(page.getByText('It was sent.').first()).toBeVisible();
});

test('a selection says what is sent again and what is left out, and is sent once', async () => {
  const { server } = await show(listing(FOUR), {
    [PREVIEW]: preview(1, [{ reason: 'not_failed', count: 1 }]),
    [RETRY]: { success: true, data: { queued: 1, remaining: 0 } },
  } as never);
  await box('Ada Berg 1').click();
  // Only what has failed can be selected.
  expect(box('7003').elements()).toEqual([]);
  await box('@ada_2').click();
  await expect.element(bar).toHaveTextContent('2 messages selected');
  await bar.getByRole('button', { name: 'Try again' }).click();
  await expect.element(dialog).toHaveTextContent(/Can be sent again.*1 message/);
  await expect.element(dialog).toHaveTextContent('1 sent or waiting by now');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Send 1 message again' }).dblClick();
  await expect.element(page.getByText('1 message queued again').first()).toBeVisible();
  await expect.poll(() => bar.elements()).toEqual([]);
  expect(server.sentTo(PREVIEW)[0]?.body).toEqual({ ids: [idOf(1), idOf(2)] });
  expect(server.sentTo(RETRY).map(({ body }) => body)).toEqual([{ ids: [idOf(1), idOf(2)], expected: 1 }]);
});

test('of all that match the number is typed above a hundred, and what one call leaves stays selected', async () => {
  const { server } = await show(listing(FOUR), {
    at: '/messages/bots?state=failed&problem=blocked',
    [PREVIEW]: preview(1_500),
    [RETRY]: { success: true, data: { queued: 1_000, remaining: 500 } },
  } as never);
  await page.getByRole('checkbox', { name: 'Select all failed that match' }).click();
  await box('@ada_2').click();
  await expect.element(bar).toHaveTextContent('All failed messages that match selected · without 1 message');
  await bar.getByRole('button', { name: 'Try again' }).click();
  const send = dialog.getByRole('button', { name: 'Send the oldest 1,000 again' });
  await send.click();
  await expect.element(dialog).toHaveTextContent('Type 1500 to confirm');
  expect(server.sentTo(RETRY)).toEqual([]);
  await dialog.getByRole('textbox', { name: /Type the number of messages, 1,500/ }).fill('1500');
  await send.click();
  await expect.element(page.getByText('500 are left: try again.').first()).toBeVisible();
  const matching = { query: { state: 'failed', problem: 'blocked' }, except: [idOf(2)] };
  expect(server.sentTo(RETRY)[0]?.body).toEqual({ matching, expected: 1_500 });
  await expect.element(bar).toBeVisible();
});

test('a number that has changed is refused, and shown as it is now', async () => {
  let will = 2;
  const { server } = await show(listing(FOUR), {
    [PREVIEW]: () => preview(will, will === 1 ? [{ reason: 'not_failed', count: 1 }] : []),
    [RETRY]: ({ body }: Sent) => {
      will = 1;
      return (body as { expected: number }).expected === 1
        ? { success: true, data: { queued: 1, remaining: 0 } }
        : refuse(409, 'messages_changed', 'It has changed. Please look at them again.');
    },
  } as never);
  await box('Ada Berg 1').click();
  await box('@ada_2').click();
  await bar.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByRole('button', { name: 'Send 2 messages again' }).click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Please look at them again.');
  await expect.element(dialog).toHaveTextContent('1 sent or waiting by now');
  await dialog.getByRole('button', { name: 'Send 1 message again' }).click();
  await expect.element(page.getByText('1 message queued again').first()).toBeVisible();
  expect(server.sentTo(RETRY).map(({ body }) => (body as { expected: number }).expected)).toEqual([2, 1]);
});

test('a preview that could not be read is read again', async () => {
  const { server } = await show(listing(FOUR), {
    [PREVIEW]: refuse(500, 'internal_error', 'Broken'),
  } as never);
  await box('Ada Berg 1').click();
  await bar.getByRole('button', { name: 'Try again' }).click();
  await expect.element(dialog.getByRole('button', { name: 'Retry' })).toBeVisible();
  server.answer({ [PREVIEW]: preview(0, [{ reason: 'gone', count: 1 }]) as never });
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await expect.element(dialog).toHaveTextContent(/None of these.*1 no longer there/);
});

test('whoever views as another person sends nothing again', async () => {
  await show(listing(FOUR), {
    user: { ...SUPER_ADMIN, viewed_by: { id: 'super-2', name: 'Other' } as never },
  });
  await expect.element(rowOf('Ada Berg 1')).toBeVisible();
  expect(page.getByRole('button', { name: /^Try again/ }).elements()).toEqual([]);
  expect(page.getByRole('checkbox').elements()).toEqual([]);
});

test.each(['queued', 'sent'])('in the tab %s nothing is selected', async (state) => {
  await show(listing(FOUR.slice(2)), { at: `/messages/bots?state=${state}` });
  await expect.element(table).toBeVisible();
  expect(page.getByRole('checkbox').elements()).toEqual([]);
});

const NONE = { states: { failed: 0, queued: 0, sent: 0 }, capped: [] };
test.each([
  ['', 'No messages yet', /write to the bots/],
  ['?state=failed', 'Every message arrived', /appears here/],
  ['?state=queued', 'No message waits', /Telegram has taken it/],
  ['?state=sent', 'No message was sent', /for a time/],
])('%s without messages says what comes next', async (query, title, text) => {
  await show(listing([], NONE), { at: `/messages/bots${query}` });
  await expect.element(page.getByRole('heading', { name: title })).toBeVisible();
  await expect.element(page.getByText(text).first()).toBeVisible();
  await expectAccessible();
});

test('a search that finds nothing in its tab shows where it found something', async () => {
  const { address } = await show(
    ({ query }: Sent) =>
      query.state === 'failed'
        ? listing([], { states: { failed: 0, queued: 0, sent: 2 }, capped: [] })
        : listing(FOUR),
    { at: '/messages/bots?state=failed&search=ada' },
  );
  await expect.element(page.getByRole('heading', { name: 'No messages found' })).toBeVisible();
  await page.getByRole('button', { name: 'Show 2 in Sent' }).click();
  await expect.poll(address).toBe('/messages/bots?state=sent&search=ada');
});

test('a failure is said once, and tried again when asked; until then the rows are on their way', async () => {
  const { server } = await show(refuse(400, 'validation_failed', 'This cannot be read.'));
  await expect.element(page.getByRole('alert')).toHaveTextContent(/The messages could not be loaded/);
  server.answer({ [LIST]: READS_UNDER_WAY[LIST] as never });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

test('without an answer the rows are on their way', async () => {
  await show(READS_UNDER_WAY[LIST]);
  await expect.element(page.getByText('Loading messages...')).toBeVisible();
});

const ARABIC = 'شبكة المتداولين';
test.each([390, 1024, 1440])('hostile names and texts leave the screen whole at %i px', async (width) => {
  const long = 'W'.repeat(200);
  await show(
    listing([
      message(1, { name: ARABIC, community: ARABIC, text: `${ARABIC} <script>alert(1)</script>` }),
      message(2, { name: long, community: long, text: `${long} 0x${'a1'.repeat(60)}` }),
    ]),
    { width },
  );
  const list = width === 390 ? page.getByRole('list', { name: 'Messages of bots' }) : table;
  await expect.element(list).toHaveTextContent(ARABIC);
  expect(document.querySelector('main script')).toBeNull();
  for (const each of [document.scrollingElement, document.querySelector('main')])
    expect(each?.scrollWidth).toBeLessThanOrEqual(width);
  if (width === 390) await expectAccessible();
});
