import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/expect-accessible.ts';
import { never, refuse } from '../../../testing/serve-calls.ts';
import { AROUND, POOL, POOLS, region, showPool } from '../../../testing/show-pool.ts';
import { idOf, STAFF } from '../../../testing/show-screen.tsx';
import { somePool } from '../../../testing/some-pools.ts';

const dialog = page.getByRole('dialog');
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

test('a pool that does not exist is not found', async () => {
  const { address } = await showPool(somePool(0, 'stopped'), {
    [POOL]: refuse(404, 'not_found', 'Not found'),
    ...AROUND,
    [POOLS]: never,
  });
  await expect.element(page.getByRole('heading', { name: 'Pool Not Found' })).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect.poll(address).toBe('/super-admin');
});

test('staff see a pool with their own members, without its books', async () => {
  const one = somePool(0, 'stopped', { proxy_balance: null, bybit_balance: null, bybit_read: null });
  const { server } = await showPool(one, {}, { user: STAFF });
  const members = region('Members');
  await expect.poll(() => members.getByRole('row').elements().length).toBe(9);
  expect(members.getByRole('columnheader', { name: 'Share' }).elements()).toEqual([]);
  await expect.element(page.getByText('Figures are your part: traders of your providers.')).toBeVisible();
  expect(region('Books').elements()).toEqual([]);
  expect(server.sentKeys().filter((key) => /\/(stats|progress)$/.test(key))).toEqual([]);
  await expectAccessible();
});

test('the terms of a pool are changed on its page, which shows its results', async () => {
  const CHANGE = 'PUT /api/pooled-accounts/{id}';
  const one = somePool(0, 'stopped');
  const { server } = await showPool(one, { [CHANGE]: { success: true, data: one } });
  const results = region('Results');
  await expect.element(results.getByRole('row').nth(1)).toHaveTextContent('Cycle 3');
  for (const text of [
    'Unit price 1.1580 before fees',
    'Deepest drawdown -3.50%',
    'Circuit breaker at -20%: 16.5 points away',
  ])
    await expect.element(results).toHaveTextContent(text);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await dialog.getByLabelText('Minimum deposit (USDT)').fill('75.5');
  await dialog.getByLabelText('Circuit breaker (% of drawdown)').clear();
  await dialog.getByLabelText('State').selectOptions('inactive');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(page.getByText('Settings saved').first()).toBeVisible();
  expect(server.sentTo(CHANGE).map(({ body }) => body)).toEqual([
    { minimum_deposit: '75.5', is_active: false, max_drawdown_percentage: null, version: one.version },
  ]);
});

test('money of members is marked between the cycles, and is no result', async () => {
  const RESULTS = 'GET /api/pooled-accounts/{id}/results';
  const data = [6, 5, 4, 3, 2].map((cycle) => ({
    cycle_number: cycle,
    valued_at: `2026-01-${10 + cycle}T10:00:00.000Z`,
    opening: '1000',
    result: '100',
    return_percentage: '10',
    unit_price: String(1 + cycle / 10),
    drawdown: '0',
  }));
  const events = [
    { cycle_number: 1, kind: 'deposit', count: 2, amount: '4000' },
    { cycle_number: 3, kind: 'deposit', count: 1, amount: '1500.5' },
    { cycle_number: 3, kind: 'withdrawal', count: 2, amount: '250' },
  ] as const;
  await showPool(somePool(0, 'stopped'), {
    [RESULTS]: { success: true, data, meta: { events: [...events] } },
  });
  const results = region('Results');
  const markers = results.getByRole('toolbar', { name: 'Markers' }).getByRole('button');
  await expect.poll(() => markers.elements().length).toBe(2);
  expect(markers.elements().map(({ textContent }) => textContent)).toEqual([
    '2Before the first result: 2 deposits',
    '3After cycle 3: 1 deposit, 2 withdrawals',
  ]);
  // The line begins before the first result, and the third point is that of cycle 3.
  const points = () => {
    const line = results.element().querySelector('.recharts-area-curve');
    const from = line?.closest('svg')?.getBoundingClientRect().x ?? 0;
    return [...(line?.getAttribute('d') ?? '').matchAll(/[ML](-?[\d.]+),/g)].map(([, x]) => from + Number(x));
  };
  await expect.poll(() => points().length).toBe(6);
  for (const [nth, place] of [0, 2].entries()) {
    const { x = 0, width = 0 } = markers.elements()[nth]?.getBoundingClientRect() ?? {};
    expect(Math.abs(x + width / 2 - (points()[place] ?? 0))).toBeLessThan(1);
  }
  await expect.element(results).toHaveTextContent('Before the first result: 2 deposits, 4,000.00 USDT.');
  const row = results.getByRole('row').filter({ hasText: 'Cycle 3' });
  await expect.element(row).toHaveTextContent('+1,500.50-250.00');
  await expectAccessible();
});

const ORDERS = 'GET /api/orders';
type Order = CallAnswer<typeof ORDERS>['data'][number];
const order = (changes: Omit<Order, keyof typeof COMMON> & Partial<Order>): Order => ({
  ...COMMON,
  ...changes,
});
const COMMON = {
  id: idOf(71),
  state: 'awaiting_approval',
  amount: '1250.5',
  line_count: 1,
  facts: {},
  requested_at: '2026-01-20T10:00:00.000Z',
  decided_by: null,
  decided_at: null,
  is_own: false,
  refusal: null,
} satisfies Partial<Order>;
const waits = page.getByRole('region', { name: 'Waiting for approval' });

test('what waits for another super admin is on the page of the pool, with its address and its reason', async () => {
  const APPROVE = 'POST /api/orders/{id}/approve';
  const one = somePool(0, 'harvesting');
  let waiting = [
    order({
      ...{ act: 'pool_withdrawals', needs: ['above_limit'], requested_by: 'first@demo.example' },
      ...{ community: { id: one.community.id, name: one.community.name }, pool_id: one.id },
      lines: [
        { subject_id: idOf(71), label: 'KAIT-1042', to_address: ADDRESS, chain: null, amount: '1250.5' },
      ],
    }),
  ];
  const { server } = await showPool(one, {
    [ORDERS]: () => ({ success: true, data: waiting, meta: { total: waiting.length } }),
    [APPROVE]: () => {
      waiting = [];
      return { success: true, data: { id: idOf(71), state: 'approved' } };
    },
  });
  await expect
    .element(waits)
    .toHaveTextContent(`1,250.50 USDT out of the pool of ${one.community.name} for KAIT-1042`);
  await expect.element(waits).toHaveTextContent('requested by first@demo.example');
  await waits.getByRole('button', { name: 'Approve' }).click();
  await expect.element(dialog).toHaveAccessibleName('Approve order');
  await expect.element(dialog).toHaveTextContent(ADDRESS);
  await expect.element(dialog).toHaveTextContent('above what one person may order within 24 hours');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect.element(page.getByText('Approved').first()).toBeVisible();
  await expect.element(waits).not.toBeInTheDocument();
  expect(server.sentTo(APPROVE).map(({ params }) => params)).toEqual([{ id: idOf(71) }]);
});

test('an own order can be withdrawn and not approved', async () => {
  const one = somePool(0, 'harvesting');
  const own = order({
    ...{ act: 'pool_funding_address', needs: ['always'], amount: '0', requested_by: 'super@demo.example' },
    ...{ community: { id: one.community.id, name: one.community.name }, pool_id: one.id },
    lines: [{ subject_id: one.id, label: 'the pool', to_address: ADDRESS, chain: null, amount: null }],
    facts: { present_address: 'none' },
    ...{ is_own: true, refusal: 'Another super admin must approve your request' },
  });
  await showPool(one, { [ORDERS]: { success: true, data: [own], meta: { total: 1 } } });
  await expect.element(waits).toHaveTextContent(`Funding of the pool of ${one.community.name} to ${ADDRESS}`);
  await expect.element(waits).toHaveTextContent('Another super admin must approve your request.');
  await expect
    .element(waits.getByRole('button', { name: 'Approve' }))
    .toHaveAttribute('aria-disabled', 'true');
  await waits.getByRole('button', { name: 'Withdraw' }).click();
  await expect.element(dialog).toHaveAccessibleName('Withdraw order');
  await expect.element(dialog).toHaveTextContent('Present address');
});
