import { formatCount, shortId } from '@copydesk/domain/money';
import { TRADER_STATUSES, type TraderStatus } from '@copydesk/domain/traders';
import type { Page } from '@playwright/test';
import type { Api } from '../support/api.ts';
import { DELAY_SEED, DELAYED_LOADS } from '../support/delayed-loads.ts';
import { invoicesScreen, listGroups } from '../support/invoices-screen.ts';
import { expect, test } from '../support/test.ts';
import { traderDetail } from '../support/trader-detail.ts';
import { listTraders, pickTrader, tradersList } from '../support/traders-list.ts';
import { listPayouts, transactionHistory } from '../support/transaction-history.ts';

// A slow network answers in any order. Whatever was asked in between, a screen ends with what the database has, the
// session is kept, and nothing stays empty. More of it, with other seeds side by side:
// E2E_DELAYED_LOADS=50 npx playwright test tests/e2e/console/random-delays.long.spec.ts --repeat-each=6

const LONGEST_MS = 3_000;
const TABS = ['inbox', 'connected', 'delinquent'] as const;
const TAB_NAMES = { inbox: 'Inbox', connected: 'Connected', delinquent: 'Delinquent' } as const;
const PATIENCE = { timeout: 30_000 };

/** mulberry32: the same delays and steps for the same seed. */
function createRandom(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const found = (count: number, what: string) => `${formatCount(count)} ${what}${count === 1 ? '' : 's'} found`;

interface Step {
  page: Page;
  api: Api;
  random(): number;
}
const oneOf = <T>(random: () => number, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T;

const STEPS: readonly ((step: Step) => Promise<void>)[] = [
  async function aTabOfTraders({ page, api, random }) {
    const tab = oneOf(random, TABS);
    await page.goto(`/?tab=${tab}&sort=reference_number&dir=asc`);
    // Another tab is asked for before the first has answered.
    const other = oneOf(random, TABS);
    const list = tradersList(page);
    await list.tab(TAB_NAMES[other]).click();
    const query = { tab: other, orderBy: 'reference_number', orderDir: 'asc' } as const;
    const { data, meta } = await listTraders(api, query);
    await expect(list.found).toHaveText(found(meta.total, 'trader'), PATIENCE);
    await expect(list.row(0)).toContainText(data[0]?.reference_number ?? '', PATIENCE);
  },
  async function aSearchOfTraders({ page, api, random }) {
    const list = tradersList(page);
    await page.goto('/?tab=connected&sort=reference_number&dir=asc');
    await list.openSearch();
    const search = `100${Math.floor(random() * 10)}`;
    for (const text of ['1', '10', search]) await list.searchBox.fill(text);
    const query = { tab: 'connected', search, orderBy: 'reference_number', orderDir: 'asc' } as const;
    const { meta } = await listTraders(api, query);
    await expect(list.found).toHaveText(found(meta.total, 'trader'), PATIENCE);
    await expect(list.searchBox).toHaveValue(search);
  },
  async function theStatusOfATrader({ page, api, random }) {
    const trader = await pickTrader(api, { tab: oneOf(random, TABS) });
    const to = oneOf(
      random,
      TRADER_STATUSES.filter((status) => status !== trader.status),
    ) as TraderStatus;
    const { status, dialog } = traderDetail(page);
    await page.goto(`/trader/${trader.id}`);
    await status.selectOption(to, PATIENCE);
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(dialog).toHaveCount(0, PATIENCE);
    await expect(status).toHaveValue(to, PATIENCE);
    const { data } = await api.call('GET /api/traders/{id}', { params: { id: trader.id } });
    expect(data.status).toBe(to);
    await page.reload();
    await expect(status).toHaveValue(to, PATIENCE);
  },
  async function aTabOfInvoices({ page, api, random }) {
    const list = invoicesScreen(page);
    await page.goto('/invoices');
    const last = oneOf(random, ['Paid', 'All'] as const);
    for (const name of ['Paid', 'Unpaid', last]) await list.tab(name).click();
    const { meta } = await listGroups(api);
    const count = meta.counts[last === 'Paid' ? 'paid' : 'all'];
    await expect(list.found).toHaveText(found(count, 'group'), PATIENCE);
    await expect(list.tab(last)).toHaveAttribute('aria-selected', 'true');
  },
  async function aPageOfTheHistory({ page, api, random }) {
    const { rows, pages } = transactionHistory(page);
    const number = 1 + Math.floor(random() * 3);
    await page.goto(`/transaction-history?page=${number}&sort=amount`);
    const { data, meta } = await listPayouts(api, {
      orderBy: 'amount',
      orderDir: 'desc',
      offset: String((number - 1) * 20),
    });
    await expect(pages).toContainText(`of ${formatCount(meta.total)}`, PATIENCE);
    await rows.first().click(PATIENCE);
    await expect(page.getByRole('complementary')).toContainText(shortId(data[0]?.id ?? ''), PATIENCE);
    await page.goBack();
    await expect(rows.first()).toBeVisible(PATIENCE);
  },
];

test('after answers of any delay, what is shown is what the database has', async ({ page, api }) => {
  test.setTimeout(60_000 + DELAYED_LOADS * 30_000);
  const random = createRandom(DELAY_SEED + test.info().repeatEachIndex);
  await page.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, random() * LONGEST_MS));
    await route.continue().catch(() => {});
  });
  const differences: string[] = [];
  for (let load = 1; load <= DELAYED_LOADS; load += 1) {
    const step = STEPS[load % STEPS.length] as (typeof STEPS)[number];
    try {
      await step({ page, api, random });
      expect(new URL(page.url()).pathname).not.toBe('/sign-in');
    } catch (error) {
      differences.push(`${load} ${step.name}: ${error}`);
    }
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  expect(differences).toEqual([]);
});
