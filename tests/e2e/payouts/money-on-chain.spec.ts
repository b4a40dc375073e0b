import type { CallAnswer } from '@copydesk/contract';
import { DUE_SOON_MS } from '@copydesk/domain/messages';
import { decimalToUnits } from '@copydesk/domain/money';
import type { Page } from '@playwright/test';
import type { Api } from '../support/api.ts';
import { openChain } from '../support/chain.ts';
import { listActive } from '../support/communities.ts';
import { distributeDialog } from '../support/distribute.ts';
import { invoicesScreen, isUntouched } from '../support/invoices-screen.ts';
import { expect, test } from '../support/test.ts';
import { transactionHistory } from '../support/transaction-history.ts';

type Plan = CallAnswer<'POST /api/super-admin/communities/{id}/distribute'>;
type Payout = CallAnswer<'GET /api/sweep-operations/{id}'>['data'];

/** A payment is final after ten seconds, and looked for every two. */
const SEEN_MS = 45_000;
/** Coin for the deposit addresses, then what they hold, then what recipients get: each final before the next. */
const PAID_OUT_MS = 120_000;
/** Longer groups scroll, and rows out of sight are not in the page. */
const ROWS_IN_VIEW = 8;
/** No reminder of the invoice is sent while the test pays it. */
const TEST_MS = 180_000;

test('a payment on chain reaches the recipients, to the unit', async ({ page, api }) => {
  test.setTimeout(TEST_MS);
  const chain = await openChain();
  const { params, invoice, reference } = await pickOwed(api);
  const deposit = invoice.payment_address.toLowerCase();
  const paidUnits = units(invoice.amount);
  const before = await chain.balancesOf([deposit]);

  await page.goto(`/invoices?search=${reference}`);
  const list = invoicesScreen(page);
  await list.group(reference).click();
  const state = list.invoice(invoice.id).locator('td').nth(3);
  await expect(state).toContainText(/due/i);
  await markPage(page);
  const paymentHash = await chain.pay(deposit, paidUnits);
  await expect(state).toHaveText('Paid', { timeout: SEEN_MS });
  await expectSamePage(page);

  const owed = await api.call('GET /api/super-admin/communities/{id}/pending-distributions', { params });
  const addresses = owed.recipients.map(({ recipientAddress }) => recipientAddress);
  for (const [address, held] of await chain.balancesOf(addresses)) before.set(address, held);
  const payouts = await distributeAll(page, params.id);

  await expect(page).toHaveURL(/\/transaction-history\?distribution=[0-9a-f-]{36}$/);
  await markPage(page);
  const { rows } = transactionHistory(page);
  await expect(rows).toHaveCount(payouts.length);
  for (const index of payouts.keys())
    await expect(rows.nth(index)).toContainText('distributed', { timeout: PAID_OUT_MS });
  await expectSamePage(page);

  const details = await Promise.all(payouts.map(({ id }) => getPayout(api, id ?? '')));
  for (const payout of details) {
    const row = rows.filter({ hasText: payout.distribute_transaction_hash?.slice(0, 8) });
    const hashes = [payout.consolidate_transaction_hash, payout.distribute_transaction_hash];
    for (const [index, hash] of hashes.entries())
      await expect(row.getByRole('link').nth(index)).toHaveAttribute('href', new RegExp(`/tx/${hash}$`));
  }

  // The chain: recipients have what they were paid, and the deposit address what was paid in and not taken out.
  const expected = new Map(before);
  const move = (address: string, by: bigint) =>
    expected.set(address.toLowerCase(), (expected.get(address.toLowerCase()) ?? 0n) + by);
  move(deposit, paidUnits);
  for (const { recipientAddress, amount } of payouts) move(recipientAddress, units(amount));
  for (const { amount } of consolidationsFrom(deposit, details)) move(deposit, -units(amount));
  expect(await chain.balancesOf([...expected.keys()])).toEqual(expected);

  // The books: the community's wallet holds what they say, and the invoice is paid to everybody who has an address.
  await expect(async () => {
    const { data } = await api.call('GET /api/communities/{id}/wallet-balance', { params });
    const wallet = data.address?.toLowerCase() ?? '';
    expect((await chain.balancesOf([wallet])).get(wallet)).toBe(units(data.balance));
  }).toPass();
  const { data } = await api.call('GET /api/invoices/{id}', { params: { id: invoice.id } });
  expect(data.payments).toMatchObject([{ amount: invoice.amount, tip: '0', transaction_hash: paymentHash }]);
  expect(sumUnits(data.split)).toBe(paidUnits);
  expect(data.split.filter(({ recipient_address }) => recipient_address !== null)).not.toHaveLength(0);
  for (const { state, recipient_address } of data.split)
    expect(state).toBe(recipient_address === null ? 'due' : 'paid');
});

/**
 * The oldest unpaid invoice of its trader, of a community that is not the first: what comes in pays the oldest. Rather one
 * without a reminder meanwhile, alone with its trader and its community: which there are depends on the hour, and
 * on what was done with this product before.
 */
async function pickOwed(api: Api) {
  const { data: all } = await api.call('GET /api/invoices/admin/all', {
    query: { include_archived: 'true', limit: '5000' },
  });
  const data = all.filter(({ status }) => status === 'pending');
  type Invoice = (typeof data)[number];
  const from = Date.now() + DUE_SOON_MS + TEST_MS;
  const ofTrader = ({ trader_id }: Invoice) => data.filter((other) => other.trader_id === trader_id);
  const isOldest = (invoice: Invoice) =>
    ofTrader(invoice).every(({ created_at }) => created_at >= invoice.created_at);
  const isQuiet = (invoice: Invoice) => Date.parse(invoice.due_at) > from && ofTrader(invoice).length === 1;
  /** All rows of its trader are in view at once. */
  const isInView = (invoice: Invoice) =>
    isOldest(invoice) && all.filter(({ trader_id }) => trader_id === invoice.trader_id).length < ROWS_IN_VIEW;
  const [, ...communities] = await listActive(api);
  for (const suits of [isQuiet, isInView])
    for (const { id } of communities) {
      const { data: wallet } = await api.call('GET /api/communities/{id}/wallet-balance', { params: { id } });
      const found = data.findLast(
        (invoice) =>
          isUntouched(invoice) && !invoice.is_archived && invoice.community_id === id && suits(invoice),
      );
      const isNew = wallet.balance === '0' || suits === isInView;
      if (wallet.address && isNew && found?.trader.reference_number)
        return { params: { id }, invoice: found, reference: found.trader.reference_number };
    }
  throw new Error('The demo world has no such invoice.');
}

/** Pays all that a community owes, and goes on to the history of payouts. */
async function distributeAll(page: Page, communityId: string): Promise<Plan['data']['payouts']> {
  const { opener, dialog, button, pay, payouts, toast } = distributeDialog(page);
  await page.goto(`/community-settings/${communityId}`);
  await opener.click();
  await button('Distribute All').click();
  const sent = page.waitForResponse(
    (response) => response.url().endsWith('/distribute') && !response.request().postDataJSON().dry_run,
  );
  await pay.click();
  const plan: Plan = await (await sent).json();
  await expect(toast(/^Payout ordered: /)).toBeVisible();
  await expect(payouts).toHaveCount(plan.data.payouts.length);
  await dialog.getByRole('link', { name: 'Open Transaction History' }).click();
  // The dialog has a table of the same name.
  await expect(page.getByRole('heading', { level: 1, name: 'Transaction History' })).toBeVisible();
  return plan.data.payouts;
}

const getPayout = async (api: Api, id: string): Promise<Payout> =>
  (await api.call('GET /api/sweep-operations/{id}', { params: { id } })).data;

/** What was taken from a deposit address: one transfer may serve several payouts. */
function consolidationsFrom(address: string, payouts: readonly Payout[]) {
  const all = payouts.flatMap(({ transfers, transfer_count }) => {
    expect(transfers, 'all transfers are told').toHaveLength(transfer_count);
    return transfers.filter(({ kind, from_address }) => {
      return kind === 'consolidate' && from_address.toLowerCase() === address;
    });
  });
  const unique = [...new Map(all.map((transfer) => [transfer.id, transfer])).values()];
  expect(unique).not.toHaveLength(0);
  return unique;
}

function units(amount: string): bigint {
  const exact = decimalToUnits(amount);
  if (exact === null) throw new Error(`${amount} is no amount of the token`);
  return exact;
}

const sumUnits = (shares: readonly { amount: string }[]) =>
  shares.reduce((sum, { amount }) => sum + units(amount), 0n);

/** What changes from here on changes on the page that is open. */
const markPage = (page: Page) => page.evaluate('window.isSamePage = true');
const expectSamePage = async (page: Page) => expect(await page.evaluate('window.isSamePage')).toBe(true);
