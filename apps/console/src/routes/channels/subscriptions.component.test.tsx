import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { ListedSubscription } from '../../features/billing/subscription-query.ts';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { type Answers, refuse } from '../../testing/serve-calls.ts';
import { idOf, READS_UNDER_WAY, showScreen } from '../../testing/show-screen.tsx';

const LIST = 'GET /api/subscriptions';
const DAY = 86_400_000;
const at = (days: number) => new Date(Date.now() + days * DAY).toISOString();
const subscription = (
  n: number,
  community: string,
  over: Partial<ListedSubscription> = {},
): ListedSubscription => ({
  community_id: idOf(n),
  community,
  is_archived: false,
  is_active: true,
  interval: 'monthly',
  current_period_end: at(20),
  status: 'active',
  cancel_at_period_end: false,
  trial_end: null,
  unpaid_since: null,
  grace_until: null,
  closed_at: null,
  payment_notice: null,
  has_duplicate: false,
  read_at: at(0),
  has_customer: true,
  ...over,
});
const ALL = [
  subscription(1, 'Alpine Traders'),
  subscription(2, 'Blue Harbor', { status: 'past_due', unpaid_since: at(-3), grace_until: at(4) }),
  subscription(3, 'Cedar Point', { status: 'past_due', unpaid_since: at(-6), grace_until: at(1) }),
  subscription(4, 'Délta', {
    status: 'none',
    ...{ is_active: false, interval: null, current_period_end: null, read_at: null, has_customer: false },
  }),
  subscription(5, 'Eastgate', { status: 'trialing', trial_end: at(9), interval: 'yearly' }),
  subscription(6, 'Foxglove', { status: 'lapsed', closed_at: at(-2), unpaid_since: at(-9) }),
  subscription(7, 'Granite', { status: 'canceled', closed_at: at(-40) }),
  subscription(8, 'Harbor Lights', { has_duplicate: true }),
  subscription(9, 'Iris', { is_archived: true, cancel_at_period_end: true }),
];
const listing = (data: ListedSubscription[], isConfigured = true) => ({
  success: true as const,
  data,
  meta: { is_configured: isConfigured, plans: { monthly: '199', yearly: '1990.00' } },
});
const show = (
  answer: unknown,
  { path = '/subscriptions', width = 1440, ...answers }: Answers & { path?: string; width?: number } = {},
) =>
  showScreen(path, {
    width,
    answers: { ...READS_UNDER_WAY, [LIST]: answer as never, ...(answers as Answers) },
  });

const table = page.getByRole('table', { name: 'Subscriptions' });
const names = () =>
  table
    .getByRole('row')
    .elements()
    .slice(1)
    .map((row) => row.querySelector('a')?.textContent);
const rowOf = (name: string) => table.getByRole('row').filter({ hasText: name });

test('says of each community what it pays, what that means, and which asks for a person first', async () => {
  await show(listing(ALL));
  await expect.element(table).toBeVisible();
  // Money taken twice, then whose time runs out first.
  expect(names()).toEqual([
    ...['Harbor Lights', 'Cedar Point', 'Blue Harbor', 'Foxglove', 'Eastgate'],
    ...['Alpine Traders', 'Iris', 'Granite', 'Délta'],
  ]);
  await expect.element(rowOf('Harbor Lights')).toHaveTextContent('Two subscriptions are paid');
  await expect.element(rowOf('Blue Harbor')).toHaveTextContent(/Unpaid.*Everything stays open until/);
  await expect.element(rowOf('Eastgate')).toHaveTextContent(/Trial.*then paid.*Yearly.*\$1,990 a year/);
  await expect.element(rowOf('Iris')).toHaveTextContent(/Archived.*Ending.*Cancelled\. It stays open until/);
  await expect.element(rowOf('Délta')).toHaveTextContent('This community has never subscribed.');
  // Who never paid cannot manage, and who pays is sent no link; nor is an archived community.
  const linked = () =>
    table
      .getByRole('button', { name: /^Send link/ })
      .elements()
      .map((button) => button.closest('tr')?.querySelector('a')?.textContent);
  expect(linked()).toEqual(['Cedar Point', 'Blue Harbor', 'Foxglove', 'Granite', 'Délta']);
  expect(
    rowOf('Délta')
      .getByRole('button', { name: /^Manage/ })
      .elements(),
  ).toEqual([]);
  await expect
    .element(rowOf('Granite').getByRole('link'))
    .toHaveAttribute('href', `/community-settings/${idOf(7)}?tab=settings`);
  for (const [name, n] of [
    ['All', 9],
    ['Unpaid', 2],
    ['Lapsed', 1],
    ['Trial', 1],
    ['Active', 3],
    ['Ended', 1],
    ['None', 1],
  ] as const)
    await expect
      .element(page.getByRole('tab', { name: new RegExp(`^${name}`) }))
      .toHaveTextContent(String(n));
  await expectAccessible();
});

test('a tab, a search and a plan narrow it, and its counts follow', async () => {
  const { address } = await show(listing(ALL));
  await page.getByRole('tab', { name: /^Unpaid/ }).click();
  await expect.poll(names).toEqual(['Cedar Point', 'Blue Harbor']);
  expect(address()).toBe('/subscriptions?state=past_due');
  await page.getByRole('button', { name: 'Search subscriptions by community' }).click();
  await page.getByRole('searchbox', { name: 'Search subscriptions by community' }).fill('HARBOR');
  await expect.poll(names).toEqual(['Blue Harbor']);
  await expect.element(page.getByRole('tab', { name: /^All/ })).toHaveTextContent('2');
  await page.getByRole('tab', { name: /^Trial/ }).click();
  await expect.element(page.getByRole('heading', { name: 'No subscriptions found' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(names).toEqual(['Eastgate']);
});

test('an order by name or by date holds', async () => {
  await show(listing(ALL), { path: '/subscriptions?sort=name&dir=asc' });
  await expect.element(table).toBeVisible();
  expect(names()).toEqual(ALL.map(({ community }) => community));
  await page.getByRole('button', { name: 'Date', exact: true }).click();
  await expect.poll(() => names()[0]).toBe('Délta');
});

test('a subscription is managed from its row', async () => {
  const { server } = await show(listing(ALL), {
    'POST /api/communities/{id}/customer-portal': refuse(503, 'billing_unavailable', 'Not now'),
  });
  await page.getByRole('button', { name: 'Manage Cedar Point' }).click();
  const dialog = page.getByRole('dialog', { name: 'Manage the subscription of Cedar Point' });
  await dialog.getByRole('button', { name: 'Open Stripe' }).click();
  await expect.element(dialog.getByRole('alert')).toBeVisible();
  expect(server.sentTo('POST /api/communities/{id}/customer-portal').map(({ params }) => params)).toEqual([
    { id: idOf(3) },
  ]);
});

test('the owner is sent the payment link from the row', async () => {
  const SENT = 'POST /api/communities/{id}/payment-link';
  const answer = {
    success: true as const,
    data: { owner: { name: 'Olga', has_chat: true }, language: 'en' as const, text: 'Hello', sent: null },
  };
  const { server } = await show(listing(ALL), {
    'GET /api/communities/{id}/payment-link': answer,
    [SENT]: answer,
  });
  await page.getByRole('button', { name: 'Send link to the owner of Cedar Point' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send link' }).click();
  await expect.element(page.getByText('Payment link queued')).toBeVisible();
  expect(server.sentTo(SENT).map(({ params }) => params)).toEqual([{ id: idOf(3) }]);
});

test('without keys of the payment service nothing can be managed, and it says so', async () => {
  await show(listing(ALL, false));
  await expect.element(table).toBeVisible();
  await expect.element(page.getByText('This server has no keys of Stripe.')).toBeVisible();
  expect(table.getByRole('button', { name: /^Manage/ }).elements()).toEqual([]);
});

test('a list that could not be loaded is loaded again', async () => {
  const { server } = await show(refuse(500, 'internal_error', 'Broken'));
  await expect.element(page.getByRole('alert')).toHaveTextContent('The subscriptions could not be loaded');
  server.answer({ [LIST]: listing([]) });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.element(page.getByRole('heading', { name: 'No communities yet' })).toBeVisible();
});

test('on a phone each community is a card', async () => {
  await show(
    listing([subscription(2, 'ستارگان آبی '.repeat(6), { status: 'past_due', grace_until: at(4) })]),
    {
      width: 390,
    },
  );
  await expect.element(page.getByText('Unpaid', { exact: true }).first()).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  await expectAccessible();
});
