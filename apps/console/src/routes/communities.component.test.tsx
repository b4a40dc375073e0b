import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/expect-accessible.ts';
import { refuse } from '../testing/serve-calls.ts';
import {
  idOf,
  READS_UNDER_WAY,
  type Shown,
  STAFF,
  SUPER_ADMIN,
  showScreen,
} from '../testing/show-screen.tsx';

const LIST = 'GET /api/communities';
type Listed = CallAnswer<typeof LIST>;
type Row = Listed['data'][number];

const AT = '2026-01-02T10:00:00.000Z';
const rowOf = (n: number, changes: Partial<Row> = {}): Row => ({
  id: idOf(n),
  name: `Community ${n}`,
  is_archived: false,
  created_at: AT,
  trader_count: 1_200 * n,
  total_aum: `${5_000_000 / n}`,
  pool_capital: '0',
  unread_accounts: 0,
  ...changes,
});
const listOf = (data: Row[]): Listed => ({ success: true, data, meta: { totals_at: AT } });
const THREE = listOf([rowOf(1), rowOf(2), rowOf(3, { is_archived: true })]);

const open = ({ answers, ...shown }: Shown = {}) =>
  showScreen('/communities', { answers: { ...READS_UNDER_WAY, [LIST]: THREE, ...answers }, ...shown });
const rows = page.getByRole('table', { name: 'Communities by AUM' }).getByRole('row');
const textsOf = (elements: readonly Element[]) => elements.map((cell) => cell.textContent);

test('active communities are ranked by AUM, and a menu leads to their settings', async () => {
  const { address } = await open();
  await expect.element(page.getByText('2 communities', { exact: true })).toBeVisible();
  expect(textsOf(page.getByRole('columnheader').elements())).toEqual([
    'Rank',
    'Community',
    'Total AUM',
    'Traders',
    'Created',
    'Actions',
  ]);
  expect(rows.elements()).toHaveLength(3);
  expect(textsOf(rows.nth(1).getByRole('cell').elements()).slice(0, 5)).toEqual([
    '1',
    'Community 1',
    '$5,000,000',
    '1,200',
    'Jan 2, 2026',
  ]);
  expect(textsOf(rows.nth(2).getByRole('cell').elements()).slice(0, 4)).toEqual([
    '2',
    'Community 2',
    '$2,500,000',
    '2,400',
  ]);
  await expectAccessible();
  (page.getByRole('button', { name: 'Actions for Community 1' }).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('menuitem', { name: 'Settings' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(address).toBe(`/community-settings/${idOf(1)}`);
});

test('while it loads it says so, and when there is nothing as well', async () => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await open({
    answers: {
      [LIST]: async ({ query }) => {
        if (query.include_aum) await held;
        return listOf([]);
      },
    },
  });
  await expect.element(page.getByText('Loading communities data...')).toBeVisible();
  answer();
  await expect.element(page.getByRole('heading', { name: 'No communities found' })).toBeVisible();
});

test('at phone width each community is a card', async () => {
  await open({ width: 390, height: 844 });
  const cards = page.getByRole('list', { name: 'Communities by AUM' }).getByRole('listitem');
  await expect.element(cards.first()).toHaveTextContent('Total AUM');
  expect(cards.elements()).toHaveLength(2);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});

test('when it fails it says why, and tries again', async () => {
  const { server } = await open({
    answers: { [LIST]: refuse(503, 'unavailable', 'The service is not available') },
  });
  await expect.element(page.getByRole('alert')).toHaveTextContent('The service is not available');
  server.answer({ [LIST]: THREE });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.element(page.getByRole('link', { name: 'Community 1', exact: true })).toBeVisible();
});

test('staff have no way to the settings', async () => {
  await open({ user: STAFF });
  await expect.element(rows.nth(1)).toHaveTextContent('Community 1');
  // The traders of a community are in the list of traders, for them as well.
  const links = page.getByRole('table').getByRole('link').elements();
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    `/?tab=all&community=${idOf(1)}`,
    `/?tab=all&community=${idOf(2)}`,
  ]);
  await page.getByRole('button', { name: 'Actions for Community 1' }).click();
  await expect.element(page.getByRole('menuitem', { name: 'Settings' })).toBeDisabled();
});

test('the list is searched and sorted by its address, and its columns are arranged for the person', async () => {
  const { server, address } = await open({
    answers: {
      [LIST]: listOf([rowOf(1), rowOf(2), rowOf(3), rowOf(12)]),
      'GET /api/me': { success: true, data: SUPER_ADMIN },
      'PUT /api/me/lists/{list}': ({ body }: { body: object }) => ({
        success: true,
        data: { ...body, version: 'a'.repeat(16) },
      }),
    } as never,
  });
  const names = () =>
    rows
      .elements()
      .slice(1)
      .map((row) => row.querySelector('a')?.textContent);
  await expect.poll(names).toEqual(['Community 1', 'Community 2', 'Community 3', 'Community 12']);
  const box = page.getByRole('searchbox', { name: 'Search communities by name' });
  await page.getByRole('button', { name: 'Search communities by name' }).click();
  await box.fill('ity 1');
  await expect.poll(names).toEqual(['Community 1', 'Community 12']);
  expect(address()).toBe('/communities?search=ity+1');
  await expect.element(page.getByText('2 communities', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Traders' }).click();
  // Ranks stay those by AUM.
  await expect
    .poll(() => textsOf(rows.nth(1).getByRole('cell').elements()).slice(0, 2))
    .toEqual(['4', 'Community 12']);
  await box.fill('none');
  await expect.element(page.getByRole('heading', { name: 'No communities match' })).toBeVisible();
  await box.fill('');
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  const columns = page.getByRole('dialog', { name: 'Columns' });
  await columns.getByRole('checkbox', { name: 'Show Created' }).click();
  await columns.getByRole('button', { name: 'Move Traders towards the start' }).click();
  await expect
    .poll(() => textsOf(page.getByRole('columnheader').elements()))
    .toEqual(['Rank', 'Community', 'Traders', 'Total AUM', 'Actions']);
  await expect
    .poll(() => server.sentTo('PUT /api/me/lists/{list}').at(-1))
    .toMatchObject({ params: { list: 'communities' }, body: { hidden: ['created'] } });
  await expectAccessible();
});

test('at 1,024 pixels every column can be reached, with the name in view', async () => {
  await open({ width: 1_024, height: 700 });
  await expect.element(rows.nth(1)).toBeVisible();
  const scroller = page.getByRole('table').element().parentElement as HTMLElement;
  expect(page.getByRole('columnheader').elements()).toHaveLength(6);
  scroller.scrollLeft = 10_000;
  const box = scroller.getBoundingClientRect();
  const actions = page.getByRole('columnheader', { name: 'Actions' }).element().getBoundingClientRect();
  expect(actions.right).toBeLessThanOrEqual(box.right);
  const name = page.getByRole('columnheader', { name: 'Community' }).element().getBoundingClientRect();
  expect(name.left).toBeGreaterThanOrEqual(box.left);
});
