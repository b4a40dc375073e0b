import type { Page } from '@playwright/test';
import type { Api } from '../support/api.ts';
import { actAtBybit } from '../support/pools-at-bybit.ts';
import { sessionOf } from '../support/sessions.ts';
import { expect, test } from '../support/test.ts';

test.use({ viewport: { width: 1440, height: 1400 } });
// The demo world has two pools to harvest: a second attempt would begin in the middle of their cycles.
test.describe.configure({ retries: 0 });

/** The system looks at a moving cycle every few seconds, and the simulated owner withdraws after ten. */
const STEP = { timeout: 150_000 };

/** At the simulated Bybit of the product that this worker looks at. */
const actThere = (act: Record<string, string>) =>
  actAtBybit(process.env.E2E_BYBIT_URLS?.split(' ')[Number(process.env.TEST_PARALLEL_INDEX)] ?? '', act);

/** Closes what is open: two minutes of ten a position is, and no harvest can start. @returns the account at the exchange */
async function closePositions(api: Api, id: string): Promise<string> {
  const { data: key } = await api.call('GET /api/pooled-accounts/ip-whitelist/{id}', { params: { id } });
  await actThere({ account: key.uid, act: 'stop' });
  return key.uid;
}

/** A pool loses 40% at the exchange, and its harvest starts. @returns its account at the exchange */
async function startWithLoss(api: Api, id: string): Promise<string> {
  const params = { id };
  const account = await closePositions(api, id);
  const { data: books } = await api.call('GET /api/pooled-accounts/{id}/stats', { params });
  const amount = `-${(0.4 * Number(books.exchange)).toFixed(2)}`;
  await actThere({ account, act: 'earn', amount });
  await api.call('POST /api/pooled-accounts/{id}/harvest', {
    params,
    idempotencyKey: null,
    body: { action: 'start' },
  });
  return account;
}

/** Its owner answers slowly, so a person withdraws in the owner's place. */
async function withdrawAll(api: Api, id: string, account: string): Promise<void> {
  const read = async () =>
    (await api.call('GET /api/pooled-accounts/{id}/harvest/progress', { params: { id } })).data;
  await expect.poll(async () => (await read()).awaited, STEP).toBe('owner');
  const { proxy_address: to } = await read();
  await actThere({ account, act: 'withdraw', to: to ?? '', amount: 'all' });
}

/** The super admin who started it may not approve; another one does, and the pool opens with its loss. */
async function approveLoss(page: Page, baseURL: string, id: string): Promise<void> {
  const cycle = page.getByRole('region', { name: /^Harvest Cycle/ });
  await page.goto(`/pools/${id}`);
  await expect(cycle).toContainText('Waits for another super admin to approve the valuation', STEP);
  await expect(cycle).toContainText('The result is more than 30% of the pool.');
  await expect(cycle.getByRole('button', { name: 'Approve valuation' })).toBeDisabled();
  await expect(cycle).toContainText('another super admin must approve');
  await page.context().clearCookies();
  await page.context().addCookies((await sessionOf(baseURL, 'super-2')).cookies);
  await page.goto(`/pools/${id}`);
  await cycle.getByRole('button', { name: 'Approve valuation' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve valuation' }).click();
  await expect(cycle).toContainText('The pool is open for deposits and withdrawals.', STEP);
  const results = page.getByRole('region', { name: /^Results/ });
  await expect(results.getByRole('row').nth(1)).toContainText('-4');
}

test('a pool of the demo world is harvested, pays a withdrawal, and trades again; another loses', async ({
  page,
  api,
  baseURL,
}) => {
  test.setTimeout(600_000);
  const { pooled_accounts: pools } = await api.call('GET /api/pooled-accounts');
  const [one, losing] = pools.filter(
    ({ current_harvest_cycle: { status }, has_bot }) => status === 'stopped' && has_bot,
  );
  if (!one || !losing) throw new Error('no two pools trade with a bot');
  const account = await startWithLoss(api, losing.id);
  const { id } = one;
  const read = async () => (await api.call('GET /api/pooled-accounts/{id}', { params: { id } })).data;
  const books = async () => (await api.call('GET /api/pooled-accounts/{id}/stats', { params: { id } })).data;
  const before = one.current_harvest_cycle.cycle_number;
  await closePositions(api, id);
  await page.goto(`/pools/${id}`);
  const cycle = page.getByRole('region', { name: /^Harvest Cycle/ });
  const dialog = page.getByRole('dialog');
  await cycle.getByRole('button', { name: 'Start harvest' }).click();
  await dialog.getByRole('button', { name: 'Start harvest' }).click();
  await expect(page.getByText('Harvest starting').first()).toBeVisible();
  await expect(cycle).toContainText('Waits for the owner to withdraw', STEP);
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
  await dialog.getByRole('button', { name: 'Request withdrawal' }).click();
  await expect(page.getByText('Withdrawal requested').first()).toBeVisible();
  const orderedAgain = new Set<string>();
  const unpaid = async () => {
    const { data } = await api.call('GET /api/pooled-accounts/{id}/requests', {
      params: { id },
      query: { state: 'open' },
    });
    // Members pay in when they like, and everything of one that did so since the order has to be ordered again.
    const outdated = data.flatMap((each) =>
      each.kind === 'withdrawal' && each.waits_because === 'waits_for_operator' && !orderedAgain.has(each.id)
        ? [each.id]
        : [],
    );
    for (const outdatedId of outdated) orderedAgain.add(outdatedId);
    if (outdated.length > 0)
      await api.call('POST /api/pooled-accounts/{id}/withdrawals/confirm', {
        params: { id },
        idempotencyKey: null,
        body: { withdrawal_ids: outdated },
      });
    return data.filter(({ kind, state }) => kind === 'withdrawal' || state === 'collecting');
  };
  await expect.poll(unpaid, STEP).toEqual([]);
  const open = await books();
  expect(open.exchange).toBe('0');
  expect(open.proxy).toBe(open.capital);

  await cycle.getByRole('button', { name: 'Stop harvest' }).click();
  await dialog.getByRole('button', { name: 'Stop harvest' }).click();
  await expect.poll(async () => (await read()).current_harvest_cycle.cycle_number, STEP).toBe(before + 1);
  await expect(cycle).toContainText('The pool trades on Bybit.', STEP);
  const trading = await books();
  expect(trading.transit).toBe('0');
  expect(Number(trading.exchange) + Number(trading.proxy)).toBeCloseTo(Number(trading.capital), 6);
  await withdrawAll(api, losing.id, account);
  await approveLoss(page, baseURL ?? '', losing.id);
});
