import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { ListedBot } from '../../features/bots/bot-queries.ts';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { refuse } from '../../testing/serve-calls.ts';
import { idOf, READS_UNDER_WAY, showScreen } from '../../testing/show-screen.tsx';

const LIST = 'GET /api/exchange-bots';
const AT = '2026-01-02T10:00:00.000Z';
const bot = (n: number, community: string, over: Partial<ListedBot> = {}): ListedBot => ({
  id: idOf(n),
  community_id: idOf(100 + n),
  telegram_id: `70${n}`,
  username: `bot_${n}`,
  name: `Seller ${n}`,
  language: 'en',
  is_active: true,
  problem: null,
  checked_at: AT,
  read_at: AT,
  reading_problem: null,
  reading_problem_at: null,
  created_at: AT,
  community,
  is_archived: false,
  sold: 3,
  sold_amount: '75',
  subscribers: 5,
  open_orders: 1,
  failed_messages: 0,
  ...over,
});
const ALL = [
  bot(1, 'Alpine Traders', { sold: 41, sold_amount: '1025.5' }),
  bot(2, 'Blue Harbor', { reading_problem: 'other_reader', reading_problem_at: AT }),
  bot(3, 'Cedar Point', { is_active: false, sold: 0, sold_amount: '0', subscribers: 0, open_orders: 0 }),
  bot(4, 'Délta', { failed_messages: 1_204 }),
  bot(5, 'Eastgate', { is_archived: true, sold: 1, sold_amount: '9.5' }),
];
const show = (answer: unknown, path = '/bots', width = 1440) =>
  showScreen(path, { width, answers: { ...READS_UNDER_WAY, [LIST]: answer as never } });
const listing = (data: ListedBot[]) => ({ success: true as const, data });

const table = page.getByRole('table', { name: 'Bots' });
const names = () =>
  table
    .getByRole('row')
    .elements()
    .slice(1)
    .map((row) => row.querySelector('a')?.textContent);
const rowOf = (name: string) => table.getByRole('row').filter({ hasText: name });
const tab = (name: RegExp) => page.getByRole('tab', { name });

test('says of each bot whether it works, what it sold, and what did not arrive; those that fail come first', async () => {
  await show(listing(ALL));
  await expect.element(table).toBeVisible();
  expect(names()).toEqual(['Blue Harbor', 'Délta', 'Alpine Traders', 'Eastgate', 'Cedar Point']);
  await expect
    .element(rowOf('Blue Harbor'))
    .toHaveTextContent(/@bot_2.*Read elsewhere.*Another program reads this bot.*Since/);
  await expect.element(rowOf('Alpine Traders')).toHaveTextContent(/1,025\.50.*41 orders/);
  await expect.element(rowOf('Eastgate')).toHaveTextContent(/Archived.*9\.50 USDT 1 order(?!s)/);
  await expect
    .element(rowOf('Délta').getByRole('link', { name: '1,204' }))
    .toHaveAttribute('href', `/messages/bots?state=failed&community=${idOf(104)}`);
  await expect
    .element(rowOf('Cedar Point').getByRole('link', { name: 'Cedar Point' }))
    .toHaveAttribute('href', `/community-settings/${idOf(103)}/bot`);
  for (const [name, n] of [
    [/^All/, 5],
    [/^Failing/, 1],
    [/^On/, 3],
    [/^Off/, 1],
  ] as const)
    await expect.element(tab(name)).toHaveTextContent(String(n));
  await expectAccessible();
});

test('a tab, a search by the name in Telegram and an order narrow and sort it', async () => {
  const { address } = await show(listing(ALL));
  await tab(/^On/).click();
  await expect.poll(names).toEqual(['Délta', 'Alpine Traders', 'Eastgate']);
  expect(address()).toBe('/bots?state=on');
  await page.getByRole('button', { name: 'Sold in 30 days', exact: true }).click();
  await expect.poll(names).toEqual(['Alpine Traders', 'Délta', 'Eastgate']);
  await page.getByRole('button', { name: 'Search bots by community or name' }).click();
  await page.getByRole('searchbox', { name: 'Search bots by community or name' }).fill('@BOT_4');
  await expect.poll(names).toEqual(['Délta']);
  await tab(/^Off/).click();
  await expect.element(page.getByRole('heading', { name: 'No bots found' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect.poll(names).toEqual(['Cedar Point']);
});

test('a list that could not be loaded is loaded again, and an empty one says so', async () => {
  const { server } = await show(refuse(500, 'internal_error', 'Broken'));
  await expect.element(page.getByRole('alert')).toHaveTextContent('The bots could not be loaded');
  server.answer({ [LIST]: listing([]) });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.element(page.getByRole('heading', { name: 'No bots yet' })).toBeVisible();
  await tab(/^Failing/).click();
  await expect.element(page.getByRole('heading', { name: 'No bot is failing' })).toBeVisible();
});

test('on a phone each bot is a card', async () => {
  await show(listing([bot(2, 'ستارگان آبی '.repeat(6), { problem: 'refused' })]), '/bots', 390);
  await expect.element(page.getByText('Token refused', { exact: true }).first()).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  await expectAccessible();
});
