import { expect, test } from './support/test.ts';

test.use({ viewport: { width: 1440, height: 1400 } });

/** The system looks at a moving cycle every few seconds, and the simulated owner withdraws after ten. */
const STEP = { timeout: 90_000 };

test('a pool of the demo world is harvested, pays a withdrawal, and trades again', async ({ page, api }) => {
  test.setTimeout(300_000);
  const { pooled_accounts: pools } = await api.call('GET /api/pooled-accounts');
  const one = pools.find(({ current_harvest_cycle: { status } }) => status === 'stopped');
  if (!one) throw new Error('no pool trades');
  const { id } = one;
  const read = async () => (await api.call('GET /api/pooled-accounts/{id}', { params: { id } })).data;
  const books = async () => (await api.call('GET /api/pooled-accounts/{id}/stats', { params: { id } })).data;
  const before = one.current_harvest_cycle.cycle_number;
  await page.goto(`/pools/${id}`);
  const cycle = page.getByRole('region', { name: /^Harvest Cycle/ });
  const dialog = page.getByRole('dialog');
  await cycle.getByRole('button', { name: 'Start Harvest' }).click();
  await dialog.getByRole('button', { name: 'Start Harvest' }).click();
  await expect(page.getByText('Harvest starting').first()).toBeVisible();
  await expect(cycle).toContainText('Waits forThe community owner', STEP);
  await expect(cycle).toContainText('message sent', STEP);
  await expect(cycle).toContainText('The pool is open for deposits and withdrawals.', STEP);
  await expect(cycle).toContainText('Everything was withdrawn from Bybit');

  const { data: members } = await api.call('GET /api/pooled-accounts/{id}/traders', {
    params: { id },
    query: {},
  });
  let payable = 0;
  for (const { trader } of members) {
    const { data } = await api.call('GET /api/traders/{id}', { params: { id: trader.id }, query: {} });
    if (data.external_wallet_address) break;
    payable += 1;
  }
  await page.getByRole('button', { name: 'Withdraw' }).nth(payable).click();
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Request Withdrawal' }).click();
  await expect(page.getByText('Withdrawal requested').first()).toBeVisible();
  const unpaid = async () => {
    const { data } = await api.call('GET /api/pooled-accounts/{id}/requests', {
      params: { id },
      query: { state: 'open' },
    });
    return data.filter(({ kind, state }) => kind === 'withdrawal' || state === 'collecting');
  };
  await expect.poll(unpaid, STEP).toEqual([]);
  const open = await books();
  expect(open.exchange).toBe('0');
  expect(open.proxy).toBe(open.capital);

  await cycle.getByRole('button', { name: 'Stop Harvest' }).click();
  await dialog.getByRole('button', { name: 'Stop Harvest' }).click();
  await expect.poll(async () => (await read()).current_harvest_cycle.cycle_number, STEP).toBe(before + 1);
  await expect(cycle).toContainText('The pool trades on Bybit.', STEP);
  const trading = await books();
  expect(trading.transit).toBe('0');
  expect(Number(trading.exchange) + Number(trading.proxy)).toBeCloseTo(Number(trading.capital), 6);
});
