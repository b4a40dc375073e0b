import type { CallAnswer } from '@copydesk/contract';
import { PERSON_DEFAULTS } from '@copydesk/domain/person';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { type Answers, refuse } from '../../testing/serve-calls.ts';
import { READS_UNDER_WAY, STAFF, showScreen } from '../../testing/show-screen.tsx';

const READ = 'GET /api/me/attention-mail';
const CHANGE = 'PATCH /api/me/attention-mail';
const ASK = 'POST /api/me/telegram';
const LEAVE = 'DELETE /api/me/telegram';
type Wishes = CallAnswer<typeof READ>['data'];
type Chat = NonNullable<Wishes['telegram']['chat']>;

const NOW = '2026-11-21T10:02:00.000Z';
const LINK = {
  url: `https://t.me/copydesk_demo_bot?start=${'a'.repeat(43)}`,
  expires_at: '2026-11-21T10:17:00.000Z',
};
const CHAT: Chat = { name: '@ada', connected_at: '2026-11-20T08:00:00.000Z', problem: null };
const wishesOf = (chat: Chat | null, changes: Partial<Wishes> = {}): Answers => ({
  [READ]: {
    success: true,
    data: {
      digest_hour: 8,
      at_once: 'nothing',
      channel: 'mail',
      is_possible: true,
      telegram: { is_possible: true, chat },
      ...changes,
    },
  },
});

const WITH_TELEGRAM: Wishes = {
  digest_hour: 8,
  at_once: 'nothing',
  channel: 'telegram',
  is_possible: true,
  telegram: { is_possible: true, chat: CHAT },
};

const panel = page.getByRole('region', { name: 'What waits for you' });
const by = panel.getByLabelText('By', { exact: true });
const button = (name: string) => panel.getByRole('button', { name, exact: true });
const dialog = page.getByRole('dialog', { name: 'Connect Telegram' });
const channels = () => [...(by.element() as HTMLSelectElement).options].map(({ label }) => label);

const open = (answers: Answers, shown = {}) =>
  showScreen('/preferences', {
    user: { ...STAFF, settings: PERSON_DEFAULTS },
    answers: { ...READS_UNDER_WAY, ...answers },
    ...shown,
  });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(NOW) });
  return () => vi.useRealTimers();
});

test('without a bot nothing can be connected, and it says so', async () => {
  await open(wishesOf(null, { telegram: { is_possible: false, chat: null } }));
  await expect.element(panel.getByText('Telegram: the platform has no bot that works')).toBeVisible();
  expect(channels()).toEqual(['Mail']);
  expect(panel.getByRole('button').elements()).toHaveLength(0);
  await expectAccessible();
});

test('a chat is connected by a link, which the page notices by itself; then Telegram can be chosen', async () => {
  const { server } = await open({
    ...wishesOf(null),
    [ASK]: { success: true, data: LINK },
    [CHANGE]: { success: true, data: WITH_TELEGRAM },
  });
  await expect.element(panel.getByText('Telegram: not connected')).toBeVisible();
  expect(channels()).toEqual(['Mail']);
  await button('Connect Telegram').click();
  const link = dialog.getByRole('link', { name: 'Open Telegram' });
  await expect.element(link).toHaveAttribute('href', LINK.url);
  await expect.element(link).toHaveAttribute('target', '_blank');
  await expect.element(link).toHaveAttribute('rel', 'noreferrer');
  await expect.element(link).toHaveFocus();
  await expect.element(dialog).toHaveTextContent('The link is valid for 15 minutes.');
  await expectAccessible();
  server.answer(wishesOf(CHAT));
  await expect.element(page.getByText('Telegram is connected')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(panel).toHaveTextContent('Telegram: connected as @ada since');
  expect(channels()).toEqual(['Mail', 'Telegram']);
  await userEvent.selectOptions(by, 'telegram');
  await expect.element(by).toHaveValue('telegram');
  await expect.element(panel.getByText(/A message names what waits/)).toBeVisible();
  expect(server.sentTo(CHANGE).map(({ body }) => body)).toEqual([{ channel: 'telegram' }]);
});

test('a link that is over is replaced, and a refusal is shown in the dialog', async () => {
  const { server } = await open({ ...wishesOf(null), [ASK]: { success: true, data: LINK } });
  await button('Connect Telegram').click();
  await expect.element(dialog).toHaveTextContent('The link is valid for 15 minutes.');
  vi.setSystemTime(new Date('2026-11-21T10:17:01.000Z'));
  await expect.element(dialog).toHaveTextContent('The link is no longer valid.');
  await expect.element(dialog.getByRole('link')).not.toBeInTheDocument();
  server.answer({ [ASK]: refuse(429, 'rate_limited', 'Too many requests.') });
  await dialog.getByRole('button', { name: 'New link' }).click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Too many requests.');
  server.answer({ [ASK]: { success: true, data: { ...LINK, expires_at: '2026-11-21T10:18:00.000Z' } } });
  await dialog.getByRole('button', { name: 'New link' }).click();
  await expect.element(dialog).toHaveTextContent('The link is valid for 1 minute.');
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(/^$/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('where no link can be given, it says why and opens no dialog', async () => {
  await open({ ...wishesOf(null), [ASK]: refuse(409, 'telegram_no_bot', 'The platform has no bot.') });
  await button('Connect Telegram').click();
  await expect.element(page.getByText('Telegram could not be connected')).toBeVisible();
  await expect.element(page.getByText('The platform has no bot.')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('a chat is disconnected after a question', async () => {
  const { server } = await open({
    ...wishesOf({ ...CHAT, name: null }, { channel: 'telegram' }),
    [LEAVE]: { success: true, data: null },
  });
  await expect.element(panel).toHaveTextContent(/Telegram: connected since/);
  await expect.element(by).toHaveValue('telegram');
  expect(panel.getByRole('button', { name: /^Connect/ }).elements()).toHaveLength(0);
  await button('Disconnect').click();
  const question = page.getByRole('dialog', { name: 'Disconnect Telegram' });
  await expect.element(question).toHaveTextContent('The chat receives nothing more.');
  await expectAccessible();
  expect(server.sentTo(LEAVE)).toHaveLength(0);
  server.answer(wishesOf(null));
  await question.getByRole('button', { name: 'Disconnect' }).click();
  await expect.element(page.getByText('Telegram is disconnected')).toBeVisible();
  await expect.element(panel.getByText('Telegram: not connected')).toBeVisible();
  await expect.element(by).toHaveValue('mail');
  expect(server.sentTo(LEAVE)).toHaveLength(1);
});

test.each([
  [
    'blocked',
    true,
    'The last message did not arrive: the bot was blocked. Mails are sent until you connect it again.',
  ],
  [
    'chat_not_found',
    false,
    'The last message did not arrive: Telegram no longer knows the chat. Nothing is sent until you connect it again.',
  ],
  [
    'refused',
    true,
    'The last message did not arrive. What waits is mailed, and the next message is sent by Telegram again.',
  ],
] as const)('a chat that was not reached says why: %s', async (problem, hasMails, text) => {
  const { server } = await open({
    ...wishesOf({ ...CHAT, problem }, { channel: 'telegram', is_possible: hasMails }),
    [ASK]: { success: true, data: LINK },
  });
  await expect.element(panel.getByText(text)).toBeVisible();
  await expectAccessible();
  // The same chat is connected again: the time of it tells.
  await button('Connect again').click();
  await expect.element(dialog.getByRole('link', { name: 'Open Telegram' })).toBeVisible();
  server.answer(wishesOf({ ...CHAT, connected_at: NOW }, { channel: 'telegram', is_possible: hasMails }));
  await expect.element(page.getByText('Telegram is connected')).toBeVisible();
  await expect.element(panel.getByText(text)).not.toBeInTheDocument();
});

test('on a phone nothing is wider than the screen, whatever a chat is called', async () => {
  await open(wishesOf({ ...CHAT, name: 'W'.repeat(64), problem: 'blocked' }), { width: 390, height: 844 });
  await expect.element(button('Disconnect')).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(390);
});

test('while it is loaded, and where it fails', async () => {
  const { unmount } = await open({});
  await expect.element(panel).toBeVisible();
  expect(panel.getByRole('combobox').elements()).toHaveLength(0);
  await unmount();
  await open({ [READ]: refuse(500, 'internal', 'It broke.') });
  await expect.element(panel.getByText('This could not be loaded')).toBeVisible();
});
