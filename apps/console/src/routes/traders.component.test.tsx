import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createRefresher } from '../app/create-refresher.ts';
import { queryClient } from '../app/query-client.ts';
import { never, refuse, type Sent } from '../testing/serve-calls.ts';
import { idOf } from '../testing/show-screen.tsx';
import { AT } from '../testing/show-trader.ts';
import {
  COMMUNITY,
  COUNTS,
  LIST,
  onlyThese,
  PROVIDER,
  referenceOf,
  showTraders,
  traders,
  tradersFor,
} from '../testing/show-traders.ts';

const { column, filter, first, found, opener, row, searchBox, tab } = traders;
const rememberedTab = () => localStorage.getItem('tradersPageActiveTab');
const sortBy = (name: string) => column(name).getByRole('button').click();

test('opens on the inbox with totals, counts and the largest balances first', async () => {
  const { server } = await showTraders();
  await expect.element(found).toHaveTextContent('120 traders found');
  await expect.element(page.getByText('$1,234,568')).toBeVisible();
  await expect.element(page.getByText('Totals as of 10:00:00 UTC')).toBeVisible();
  await expect.element(tab('Inbox')).toHaveAttribute('aria-selected', 'true');
  expect(
    page
      .getByRole('tab')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['Inbox120', 'Connected1,050', 'Delinquent7']);
  await expect.element(column('Balance')).toHaveAttribute('aria-sort', 'descending');
  const headers = traders.grid.getByRole('columnheader').elements();
  // The first is the box of the selection.
  expect(headers.map(({ textContent }) => textContent)).toEqual([
    '',
    'Reference Number',
    'Telegram Username',
    'Balance',
    'Status',
    'Community',
  ]);
  const cells = [...(row(1)?.querySelectorAll('td') ?? [])].map(({ textContent }) => textContent);
  expect(cells).toEqual(['', 'KAIT-1001', 'trader_1', '$19,999', 'Pending', 'Blue Harbor']);
  expect(server.sentTo(LIST)[0]?.query).toMatchObject({ tab: 'inbox', orderBy: 'aum', orderDir: 'desc' });
});

test('a trader without number, username and balance has N/A in their place', async () => {
  const gaps = { reference_number: null, telegram_username: null, name: null, aum: null };
  await showTraders('', { answers: { [LIST]: onlyThese([gaps]) } });
  await expect.element(found).toHaveTextContent('1 trader found');
  const cells = [...(row(0)?.querySelectorAll('td') ?? [])].map(({ textContent }) => textContent);
  expect(cells.slice(1, 4)).toEqual(['N/A', 'N/A', 'N/A']);
});

test('the chosen tab appears in the URL and is remembered', async () => {
  const { address, unmount } = await showTraders();
  await tab('Delinquent').click();
  await expect.element(found).toHaveTextContent('7 traders found');
  expect(address()).toBe('/?tab=delinquent');
  await expect.element(first).toHaveTextContent('Delinquent');
  expect(rememberedTab()).toBe('delinquent');
  await unmount();

  await showTraders();
  await expect.element(tab('Delinquent')).toHaveAttribute('aria-selected', 'true');
  (tab('Delinquent').element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(tab('Connected')).toHaveFocus();
  await expect.element(first).toHaveTextContent('Connected');
});

test('every trader can be reached: beside the tabs are those without an exchange, and all', async () => {
  const { address, server } = await showTraders();
  const without = page.getByRole('button', { name: '3 pending without an exchange' });
  await without.click();
  await expect.element(found).toHaveTextContent('3 traders found');
  expect(address()).toBe('/?tab=none');
  await expect.element(without).toHaveAttribute('aria-pressed', 'true');
  expect(page.getByRole('tab', { selected: true }).elements()).toEqual([]);
  await expect.element(first).toHaveTextContent('Pending');
  await page.getByRole('button', { name: 'All 1,180' }).click();
  await expect.element(found).toHaveTextContent('1,180 traders found');
  expect(address()).toBe('/?tab=all');
  expect(server.sentTo(LIST).findLast(({ query }) => query.limit !== '1')?.query).not.toHaveProperty('tab');
  expect(rememberedTab()).toBe('inbox');
  (tab('Inbox').element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(address).toMatch(/tab=(inbox|connected|delinquent)/);
});

test('a search offers its matches elsewhere: in another tab, and in other fields', async () => {
  const none = { ...COUNTS, inbox: 0, connected: 0, delinquent: 0, none: 0 };
  const { address } = await showTraders('?tab=delinquent&search=KAIT-1000', {
    answers: {
      [LIST]: ({ query }) => {
        if (query.search_in === 'other') return onlyThese([{}, {}], { counts: none });
        if (query.tab === 'connected') return onlyThese([{}], { counts: { ...none, connected: 1 } });
        return onlyThese([], { counts: { ...none, connected: 1 } });
      },
    },
  });
  await page.getByRole('button', { name: '1 in Connected' }).click();
  await expect.element(first).toHaveTextContent(referenceOf(0));
  expect(address()).toBe('/?tab=connected&search=KAIT-1000');
  await page.getByRole('button', { name: /^2 more by name, Telegram, e-mail, account/ }).click();
  await expect.poll(address).toMatch(/in=other/);
  await expect.element(found).toHaveTextContent('2 traders found');
  await page.getByRole('button', { name: 'Search reference numbers instead' }).click();
  await expect.element(page.getByRole('heading', { name: 'No traders found' })).toBeVisible();
  expect(address()).not.toMatch(/in=/);
});

test('invalid values in the URL or in the memory are ignored', async () => {
  localStorage.setItem('tradersPageActiveTab', 'vip');
  const { server } = await showTraders('?tab=everything&sort=password&dir=up&community=x&exchange=mtgox');
  await expect.element(first).toBeVisible();
  await expect.element(tab('Inbox')).toHaveAttribute('aria-selected', 'true');
  await expect.element(column('Balance')).toHaveAttribute('aria-sort', 'descending');
  expect(server.sentTo(LIST)[0]?.query).not.toHaveProperty('community_id');
  expect(server.sentTo(LIST)[0]?.query).not.toHaveProperty('exchange');
});

test('a newly chosen column starts descending, the same column turns round', async () => {
  const { address, server } = await showTraders('?tab=connected');
  const expectSorted = async (header: string, orderBy: string, orderDir: string) => {
    await expect.element(column(header)).toHaveAttribute('aria-sort', `${orderDir}ending`);
    await expect
      .poll(() => server.sentTo(LIST).findLast(({ query }) => query.limit !== '1')?.query)
      .toMatchObject({ orderBy, orderDir });
  };
  await expectSorted('Balance', 'aum', 'desc');
  await sortBy('Telegram Username');
  await expectSorted('Telegram Username', 'telegram_username', 'desc');
  await sortBy('Telegram Username');
  await expectSorted('Telegram Username', 'telegram_username', 'asc');
  await sortBy('Reference Number');
  await expectSorted('Reference Number', 'reference_number', 'desc');
  expect(address()).toBe('/?tab=connected&sort=reference_number');
  await sortBy('Balance');
  await expect.element(column('Balance')).toHaveAttribute('aria-sort', 'descending');
  expect(address()).toBe('/?tab=connected');
  await sortBy('Balance');
  await expectSorted('Balance', 'aum', 'asc');
  expect(column('Status').getByRole('button').elements()).toEqual([]);
});

test('the search begins while a person types, clears and closes', async () => {
  const { address, server } = await showTraders('?tab=connected');
  await expect.element(first).toBeVisible();
  expect(searchBox.elements()).toEqual([]);
  await opener.click();
  await expect.element(searchBox).toHaveFocus();
  await userEvent.keyboard('ait-1001');
  await expect.poll(() => server.sentTo(LIST).map(({ query }) => query.search)).toContain('ait-1001');
  expect(address()).toBe('/?tab=connected&search=ait-1001');

  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect.element(searchBox).toHaveFocus();
  await expect.element(searchBox).toHaveValue('');
  await expect.poll(address).toBe('/?tab=connected');

  await userEvent.keyboard('1001{Escape}');
  await expect.element(searchBox).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
  expect(address()).toBe('/?tab=connected');

  await userEvent.keyboard('/');
  await expect.element(searchBox).toHaveFocus();
  await userEvent.keyboard('1001');
  await expect.poll(address).toBe('/?tab=connected&search=1001');
  await page.getByRole('button', { name: 'Close search' }).click();
  await expect.element(searchBox).not.toBeInTheDocument();
  await expect.poll(address).toBe('/?tab=connected');
});

test('filters appear in the URL and in the request, and are removed one by one or all at once', async () => {
  const { address, server } = await showTraders('?tab=connected');
  const asked = () => server.sentTo(LIST).findLast(({ query }) => query.limit !== '1')?.query;
  for (const [name, typed] of [
    ['Community', COMMUNITY.name],
    ['Provider', PROVIDER.display_name],
    ['Exchange', 'bybit'],
  ] as const) {
    await filter(name).click();
    await expect.element(page.getByRole('combobox', { name })).toHaveFocus();
    await userEvent.keyboard(`${typed}{Enter}`);
    await expect.element(page.getByRole('combobox', { name })).not.toBeInTheDocument();
  }
  const filters = `community=${COMMUNITY.id}&provider=${PROVIDER.id}`;
  await expect.poll(address).toBe(`/?tab=connected&${filters}&exchange=bybit`);
  await expect
    .poll(asked)
    .toMatchObject({ community_id: COMMUNITY.id, provider_id: PROVIDER.id, exchange: 'bybit' });
  await page.getByRole('button', { name: /^Remove filter Exchange/ }).click();
  await expect.poll(address).toBe(`/?tab=connected&${filters}`);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect.poll(address).toBe('/?tab=connected');
  expect(page.getByRole('button', { name: /^Remove filter/ }).elements()).toEqual([]);
});

test('traders below the minimum balance are marked, and filtered by one choice', async () => {
  const mark = 'Below minimum balance';
  const below = (sent: Parameters<typeof tradersFor>[0]) =>
    tradersFor(sent, (n) =>
      n === 0 || sent.query.below_minimum_balance ? { below_minimum_balance: 500 } : {},
    );
  const { address, server, unmount } = await showTraders('?tab=connected', { answers: { [LIST]: below } });
  await expect.element(first).toHaveTextContent(mark);
  expect(row(1)?.textContent).not.toContain(mark);
  await filter('Balance').first().click();
  await page.getByRole('option', { name: mark }).click();
  await expect
    .poll(() => server.sentTo(LIST).map(({ query }) => query))
    .toContainEqual(expect.objectContaining({ below_minimum_balance: 'true' }));
  const filtered = address();
  expect(filtered).toMatch(/below=/);
  await unmount();
  queryClient.clear();
  const again = await showTraders(filtered.slice(1), { answers: { [LIST]: below } });
  await expect.element(first).toHaveTextContent(mark);
  expect(again.server.sentTo(LIST)[0]?.query).toMatchObject({ below_minimum_balance: 'true' });
  await page.getByRole('button', { name: `Remove filter Balance ${mark}` }).click();
  await expect.poll(again.address).not.toMatch(/below=/);
});

test('says that it is loading, and when nothing matches', async () => {
  const { unmount } = await showTraders('', { answers: { [LIST]: never } });
  await expect.element(found).toHaveTextContent('Loading traders data...');
  await unmount();
  await showTraders('?tab=connected&search=nobody-has-this', { answers: { [LIST]: onlyThese([]) } });
  await expect.element(page.getByRole('heading', { name: 'No traders found' })).toBeVisible();
  await expect.element(page.getByText('Try adjusting your filters')).toBeVisible();
  await expect.element(found).toHaveTextContent('0 traders found');
});

const NOT_NOW = refuse(403, 'unavailable', 'The service is not available at the moment. Please try again.');

test('a failure is shown in place of the list, and Retry brings it', async () => {
  const { server } = await showTraders('', { answers: { [LIST]: NOT_NOW } });
  const alert = page.getByRole('alert');
  await expect.element(alert.getByRole('heading')).toHaveTextContent('The traders could not be loaded');
  await expect.element(alert.getByRole('paragraph')).toHaveTextContent(NOT_NOW.message);
  await expect
    .element(page.getByText('Total AUM', { exact: true }).element().parentElement)
    .toHaveTextContent('N/A');
  server.answer({ [LIST]: (sent) => tradersFor(sent) });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.element(first).toBeVisible();
  expect(alert.elements()).toEqual([]);
});

test('a failure while scrolling keeps the rows', async () => {
  const { server } = await showTraders('?tab=connected');
  await expect.element(first).toBeVisible();
  server.answer({ [LIST]: NOT_NOW });
  row(0)?.focus();
  await userEvent.keyboard('{End}');
  const alert = page.getByRole('alert');
  await expect.element(alert).toHaveTextContent('Some rows could not be loaded');
  server.answer({ [LIST]: (sent) => tradersFor(sent) });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.element(alert).not.toBeInTheDocument();
  await expect.poll(() => row(1049)?.textContent).toContain(referenceOf(1049));
});

test('the time of the totals is that of the answer', async () => {
  await showTraders('', { answers: { [LIST]: onlyThese([{}], { totals_at: AT.replace('10:', '11:') }) } });
  await expect.element(page.getByText('Totals as of 11:00:00 UTC')).toBeVisible();
});

test('what was added and is hidden by a filter is counted, and one press shows it', async () => {
  const answer = (all: number, shown: number) => (sent: Sent) => {
    const connected = sent.query.exchange ? shown : all;
    const counts = { inbox: 0, connected, delinquent: 0, none: 0 };
    const list = tradersFor(sent);
    return { ...list, meta: { ...list.meta, counts, total: connected } };
  };
  const { server, address } = await showTraders('?tab=connected&exchange=bybit', {
    answers: { [LIST]: answer(500, 50) },
  });
  await expect.element(traders.first).toBeVisible();
  // The count of the whole list has arrived.
  await expect
    .poll(() => queryClient.getQueriesData({ queryKey: ['traders'] }).map(([, data]) => data))
    .toContain(500);
  server.answer({ [LIST]: answer(503, 51) });
  createRefresher(queryClient)({ topic: 'trader', id: idOf(7), trader_id: null, at: AT });
  const news = page.getByRole('button', { name: '2 new, hidden by your filter: show' });
  await expect.element(news, { timeout: 10_000 }).toBeVisible();
  await news.click();
  await expect.poll(address).toBe('/?tab=all');
  await expect.element(news).not.toBeInTheDocument();
});
