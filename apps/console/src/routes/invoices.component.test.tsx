import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { never, refuse } from '../testing/serve-calls.ts';
import {
  GROUPS,
  groupOf,
  groupsFor,
  INVOICES_OF,
  invoices,
  listed,
  showGroups,
} from '../testing/show-invoices.ts';
import { COMMUNITY, PROVIDER } from '../testing/show-traders.ts';

const { column, filter, found, groups, searchBox, tab, table } = invoices;
const sortBy = (name: string) => column(name).getByRole('button').click();
const size = page.getByRole('combobox', { name: 'Rows per page' });
const chips = page.getByRole('button', { name: /^Remove filter/ });
const focus = (locator: { element(): Element }) => (locator.element() as HTMLElement).focus();

test('opens on all groups, the latest first, with counts by tab', async () => {
  const dated = groupOf(0, {
    created_at: '2026-01-05T10:00:00.000Z',
    updated_at: '2026-01-06T10:00:00.000Z',
  });
  const first = { ...dated, on_chain_amount: '12.4', paid_amount: '12.4' };
  await showGroups('', {
    answers: { [GROUPS]: listed([first, groupOf(1, { is_paid: true, overdue_count: 0 })], 30) },
  });
  await expect.element(found).toHaveTextContent('30 groups found');
  expect(document.title).toMatch(/^Invoices/);
  const tabs = page.getByRole('tab').elements();
  expect(tabs.map(({ textContent }) => textContent)).toEqual(['All30', 'Unpaid12', 'Paid15', 'Archived3']);
  await expect.element(page.getByText('Counts as of 10:00:00 UTC')).toBeVisible();
  await expect.element(column('Created Date')).toHaveAttribute('aria-sort', 'descending');
  const cells = [...groups.first().element().querySelectorAll('td')].map(({ textContent }) => textContent);
  expect(cells.slice(1, 9)).toEqual([
    'KAIT-1000trader_0',
    '3',
    '3 overdue',
    '$302',
    '$12',
    '$210',
    'Jan 5, 2026',
    'Jan 6, 2026',
  ]);
  expect(groups.nth(0).getByText('Paid', { exact: true }).elements()).toEqual([]);
  await expect.element(groups.nth(1).getByText('Paid', { exact: true })).toBeVisible();
});

test('a tab shows its groups, appears in the URL, and begins on its first page', async () => {
  const { address, server } = await showGroups('?page=2');
  await expect.element(groups.first()).toBeVisible();
  await tab('Paid').click();
  await expect.element(found).toHaveTextContent('15 groups found');
  expect(address()).toBe('/invoices?tab=paid');
  expect(server.sentTo(GROUPS).findLast(({ query }) => query.limit !== '1')?.query).toMatchObject({
    tab: 'paid',
    offset: '0',
  });
  expect(groups.getByText('Paid', { exact: true }).elements()).toHaveLength(10);
  await expect.element(tab('Paid')).toHaveAttribute('aria-selected', 'true');
  focus(tab('Paid'));
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(tab('Unpaid')).toHaveFocus();
  await expect.element(found).toHaveTextContent('12 groups found');
  expect(groups.getByText('Paid', { exact: true }).elements()).toEqual([]);
  await tab('All').click();
  await expect.poll(address).toBe('/invoices');
});

test('is sorted by the server: a newly chosen column starts descending', async () => {
  const { address, server } = await showGroups();
  await expect.element(groups.first()).toBeVisible();
  for (const [header, orderBy, orderDir, url] of [
    ['Updated Date', 'updated_at', 'desc', '?sort=updated_at'],
    ['Updated Date', 'updated_at', 'asc', '?sort=updated_at&dir=asc'],
    ['Total', 'amount', 'desc', '?sort=amount'],
    ['Created Date', 'created_at', 'desc', ''],
  ] as const) {
    await sortBy(header);
    await expect.element(column(header)).toHaveAttribute('aria-sort', `${orderDir}ending`);
    if (url)
      await expect
        .poll(() => server.sentTo(GROUPS).findLast(({ query }) => query.limit !== '1')?.query)
        .toMatchObject({ orderBy, orderDir });
    expect(address()).toBe(`/invoices${url}`);
  }
});

test('pages have 10, 25, 50 or 100 groups, with previous and next', async () => {
  const { address, server, unmount } = await showGroups();
  await expect.element(size).toHaveValue('10');
  const sizes = size.getByRole('option').elements();
  expect(sizes.map(({ textContent }) => textContent)).toEqual(['10', '25', '50', '100']);
  const previous = page.getByRole('button', { name: 'Previous page' });
  await expect.element(previous).toBeDisabled();
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect.element(page.getByText('11–20 of 30')).toBeVisible();
  expect(address()).toBe('/invoices?page=2');
  expect(server.sentTo(GROUPS).findLast(({ query }) => query.limit !== '1')?.query).toMatchObject({
    offset: '10',
    limit: '10',
  });
  await expect.element(groups.first()).toHaveTextContent('KAIT-1010');
  await previous.click();
  await expect.poll(address).toBe('/invoices');

  await size.selectOptions('25');
  await expect.element(page.getByText('1–25 of 30')).toBeVisible();
  expect(address()).toBe('/invoices?rows=25');
  await expect.element(table).toHaveAttribute('aria-rowcount', '26');
  await unmount();

  // A page beyond the end leads to the last that exists.
  const beyond = await showGroups('?page=9000');
  await expect.element(page.getByText('21–30 of 30')).toBeVisible();
  await expect.poll(beyond.address).toBe('/invoices?page=3');
});

test('invalid parameters of the URL are ignored', async () => {
  const { server } = await showGroups(
    '?tab=none&sort=status&dir=up&rows=7&page=x&min=a&from=2026-13-01&status=due&invoice=1',
  );
  await expect.element(tab('All')).toHaveAttribute('aria-selected', 'true');
  await expect.poll(() => groups.elements().length).toBe(10);
  expect(chips.elements()).toEqual([]);
  expect(page.getByRole('complementary').elements()).toEqual([]);
  expect(server.sentTo(GROUPS)[0]?.query).toEqual({
    tab: 'all',
    orderBy: 'created_at',
    orderDir: 'desc',
    limit: '10',
    offset: '0',
  });
});

test('the search begins on the first page, and Escape ends it', async () => {
  const { address, server } = await showGroups('?page=3');
  await expect.element(groups.first()).toBeVisible();
  await userEvent.keyboard('/');
  await expect.element(searchBox).toHaveFocus();
  await userEvent.keyboard('ait-10010');
  await expect.poll(() => server.sentTo(GROUPS).map(({ query }) => query.search)).toContain('ait-10010');
  expect(address()).toBe('/invoices?search=ait-10010');
  await userEvent.keyboard('{Escape}');
  await expect.poll(address).toBe('/invoices');
  await expect.element(searchBox).not.toBeInTheDocument();
});

test('says that it is loading, and when nothing matches', async () => {
  const { unmount } = await showGroups('', { answers: { [GROUPS]: never } });
  await expect.element(found).toHaveTextContent('Loading invoices...');
  await unmount();
  await showGroups('?search=nobody-has-this', { answers: { [GROUPS]: listed([]) } });
  await expect.element(page.getByRole('heading', { name: 'No invoices found' })).toBeVisible();
  await expect.element(page.getByText('Try adjusting your filters')).toBeVisible();
  await expect.element(found).toHaveTextContent('0 groups found');
});

test('a failure is shown in place of the list, and Retry brings it', async () => {
  const message = 'The service is not available at the moment. Please try again.';
  const { server } = await showGroups('', { answers: { [GROUPS]: refuse(403, 'unavailable', message) } });
  const alert = page.getByRole('alert');
  await expect.element(alert.getByRole('heading')).toHaveTextContent('Error loading invoices');
  await expect.element(alert.getByRole('paragraph')).toHaveTextContent(message);
  server.answer({ [GROUPS]: (sent) => groupsFor(sent) });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => groups.elements().length).toBe(10);
  expect(alert.elements()).toEqual([]);
});

const DIRECTORY = {
  'GET /api/communities': { success: true as const, data: [COMMUNITY], meta: { totals_at: null } },
  'GET /api/providers': { success: true as const, data: [PROVIDER] },
};

test('filters appear in the URL and in the request, and are removed one by one or all at once', async () => {
  const { address, server } = await showGroups('', { answers: DIRECTORY });
  for (const [name, typed] of [
    ['Status', 'pending'],
    ['Community', COMMUNITY.name],
    ['Provider', PROVIDER.display_name],
    ['Exchange', 'bybit'],
  ] as const) {
    await filter(name).click();
    await expect.element(page.getByRole('combobox', { name })).toHaveFocus();
    await userEvent.keyboard(`${typed}{Enter}`);
    await expect.element(page.getByRole('combobox', { name })).not.toBeInTheDocument();
  }
  await expect
    .poll(() => server.sentTo(GROUPS).findLast(({ query }) => query.limit !== '1')?.query)
    .toMatchObject({
      status: 'pending',
      community_id: COMMUNITY.id,
      provider_id: PROVIDER.id,
      exchange: 'bybit',
    });
  expect(chips.elements()).toHaveLength(4);
  await page.getByRole('button', { name: /^Remove filter Exchange/ }).click();
  await expect.poll(address).not.toMatch(/exchange/);
  expect(chips.elements()).toHaveLength(3);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect.poll(address).toBe('/invoices');
  expect(chips.elements()).toEqual([]);
});

test('amounts and days are ranges, which are refused with a reason when they cannot be', async () => {
  const { address, server } = await showGroups();
  const apply = page.getByRole('button', { name: 'Apply' });
  await filter('Amount').click();
  await page.getByLabelText('At least').fill('200');
  await page.getByLabelText('At most').fill('100');
  await apply.click();
  await expect.element(page.getByText('The minimum is above the maximum')).toBeVisible();
  await page.getByLabelText('At most').fill('300');
  await userEvent.keyboard('{Enter}');
  await expect.poll(address).toBe('/invoices?min=200&max=300');

  const day = '2026-01-02';
  await filter('Created').click();
  await page.getByLabelText('First day').fill(day);
  await page.getByLabelText('Last day').fill(day);
  await apply.click();
  await expect.poll(address).toBe(`/invoices?min=200&max=300&from=${day}&to=${day}`);
  await expect
    .poll(() => server.sentTo(GROUPS).findLast(({ query }) => query.limit !== '1')?.query)
    .toMatchObject({
      min_amount: '200',
      max_amount: '300',
      created_at_from: day,
      created_at_to: day,
    });
  await expect
    .element(page.getByRole('button', { name: 'Remove filter Amount $200.00 – $300.00' }))
    .toBeVisible();
  await filter('Amount: $200.00 – $300.00').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click();
  await expect.poll(address).toBe(`/invoices?from=${day}&to=${day}`);
});

test('overdue is one press, and the expanded rows keep to the filters', async () => {
  const { address, server } = await showGroups();
  const overdue = page.getByRole('button', { name: 'Overdue', exact: true });
  await overdue.click();
  await expect.element(overdue).toHaveAttribute('aria-pressed', 'true');
  await expect
    .poll(() => server.sentTo(GROUPS).map(({ query }) => query))
    .toContainEqual(expect.objectContaining({ is_overdue: 'true' }));
  await expect.element(groups.first()).toBeVisible();
  focus(groups.first());
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => invoices.invoices.getByText('Overdue', { exact: true }).elements().length).toBe(3);
  expect(server.sentTo(INVOICES_OF).at(-1)?.query).toMatchObject({
    is_overdue: 'true',
    reference_number: 'KAIT-1000',
  });
  await overdue.click();
  await expect.poll(address).toBe('/invoices');
});

test('at phone width groups and invoices are cards, with filters and order behind buttons', async () => {
  const { address } = await showGroups('', { width: 390, height: 844 });
  await expect.element(groups.first()).toHaveTextContent('KAIT-1000');
  focus(groups.first());
  await userEvent.keyboard('{Enter}');
  await expect.element(invoices.invoices.first()).toHaveTextContent('$');
  expect(document.documentElement.scrollWidth).toBe(390);
  await page.getByRole('button', { name: /^Filters/ }).click();
  await page.getByRole('button', { name: 'Overdue', exact: true }).click();
  await expect.poll(address).toMatch(/overdue=true/);
  await page.getByRole('combobox', { name: 'Sort by' }).selectOptions('amount:asc');
  await expect.poll(address).toMatch(/sort=amount&dir=asc/);
});
