import type { Page } from '@playwright/test';
import { formatEther, parseEther } from 'viem';
import { SYSTEM_POSTGRES } from '../../support/bare-cluster.ts';
import { createClosingAccount } from '../support/closing-account.ts';
import { distributeDialog } from '../support/distribute.ts';
import { embeddedOnly } from '../support/identity-mode.ts';
import { type Installation, startInstallation } from '../support/installation.ts';
import { invoicesScreen } from '../support/invoices-screen.ts';
import {
  claimInstallation,
  createCommunity,
  createProvider,
  createServiceToken,
  inviteMember,
  newAddress,
  openSuperAdmin,
  setPlatformAddresses,
  turnOnSecondFactor,
} from '../support/new-installation.ts';
import { test as base, expect } from '../support/test.ts';
import { traderDetail } from '../support/trader-detail.ts';
import { transactionHistory } from '../support/transaction-history.ts';

const OWNER = { email: 'owner@desk.example', name: 'Olga Owner', password: 'correct horse battery' };
const MEMBER = { email: 'sam@desk.example', name: 'Sam Staff', password: 'staple battery horse' };
const PROVIDER = 'First Desk';
const COMMUNITY = 'First Circle';
const REFERENCE = 'KAIT-1';

/** The exchange account is connected well before its position closes. */
const CONNECTED_MS = 60_000;
const CLOSED_MS = 75_000;
/** The worker reads within two seconds of the closing. */
const READ_MS = CLOSED_MS + 60_000;
/** A payment is final after ten seconds, and looked for every two; wallets are set up every thirty. */
const SEEN_MS = 120_000;
/** Coin for the deposit address, then its tokens, then those of recipients: each final before the next. */
const PAID_OUT_MS = 240_000;
const TEST_MS = 900_000;

/** Base units of a millionth of a USDT. */
const MILLIONTH = 10n ** 12n;

const test = base.extend<object, { installation: Installation }>({
  installation: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      if (SYSTEM_POSTGRES === null) throw new Error('skipped below');
      const installation = await startInstallation(SYSTEM_POSTGRES);
      await use(installation);
      await installation.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ installation }, use) => use(installation.url),
});
embeddedOnly('It begins with the set-up page, and invited people choose passwords of ours');
test.use({ persona: null });
test.skip(SYSTEM_POSTGRES === null, 'needs a PostgreSQL of this machine');

test('from nothing to the first payout', async ({ page, browser, installation }) => {
  test.setTimeout(TEST_MS);
  const addresses = {
    provider: newAddress(),
    community: newAddress(),
    Hexmount: newAddress(),
    Sixk: newAddress(),
  };
  await test.step('the owner sets up the platform', async () => {
    const { code, output } = await installation.doctor();
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringContaining('to do\tCreate a provider under Providers.'),
    });
    await claimInstallation(page, OWNER, installation.setupToken());
    await page.getByRole('button', { name: 'Continue the set-up' }).click();
    const steps = page.getByRole('list', { name: 'Steps of the set-up' });
    await expect(steps).toContainText(`${OWNER.email} needs an authenticator app or a passkey`);
    await turnOnSecondFactor(page, OWNER);
    await steps.getByRole('link', { name: 'Provider', exact: true }).click();
    await expect(page.getByText('No providers found')).toBeVisible();
    const { Hexmount, Sixk } = addresses;
    await setPlatformAddresses(page, { Hexmount, Sixk });
  });
  const providerId = await createProvider(page, PROVIDER, addresses.provider);
  const communityId = await createCommunity(page, COMMUNITY, {
    provider: PROVIDER,
    wallet: addresses.community,
  });
  await test.step('the address book takes another person, or the server where there is none', async () => {
    const { output } = await installation.admin('release-addresses --yes');
    expect(output).toContain(`${Object.keys(addresses).length} addresses are released.`);
  });
  const member = await inviteMember(page, browser, MEMBER, PROVIDER);
  const token = await createServiceToken(page, 'Sign-up bot', PROVIDER);

  const traderId = await test.step('a program signs up a trader', async () => {
    const answer = await fetch(`${installation.url}/api/traders`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify({
        community_id: communityId,
        selected_provider_id: providerId,
        name: 'Tara Trader',
        reference_number: REFERENCE,
      }),
    });
    expect(answer.status).toBe(201);
    const { data } = (await answer.json()) as { data: { id: string } };
    return data.id;
  });

  await test.step('staff connect the exchange account, and the worker reads it', () =>
    connectAccount(member, traderId, installation));

  const { units } = await test.step('the profit is invoiced, and the trader pays', async () => {
    const due = await invoice(page);
    await installation.chain.pay(due.address, due.units);
    await expect(invoicesScreen(page).invoices.first()).toContainText('Paid', { timeout: SEEN_MS });
    return due;
  });

  const { rows } = transactionHistory(page);
  const paidOut = rows.filter({ hasText: 'distributed' });
  await test.step('the payment is distributed, and waits for the gas wallet', async () => {
    await distribute(page, communityId);
    await expect(rows).toHaveCount(Object.keys(addresses).length);
    await expect(paidOut).toHaveCount(0);
    await openSuperAdmin(page);
    await page.getByRole('link', { name: 'Settings' }).first().click();
    const gas = page.getByRole('region', { name: 'Gas Wallet' });
    await expect(gas).toContainText('Empty', { timeout: SEEN_MS });
    const [gasWallet = ''] = /0x[0-9a-fA-F]{40}/.exec((await gas.textContent()) ?? '') ?? [];
    await installation.chain.giveCoin(gasWallet, parseEther('1'));
    await expect(gas).toContainText(/0\.99\d* BNB|1 BNB/, { timeout: SEEN_MS });
  });

  await test.step('everyone is paid', async () => {
    await page.getByRole('link', { name: 'Transaction History' }).first().click();
    await expect(paidOut).toHaveCount(Object.keys(addresses).length, { timeout: PAID_OUT_MS });
    const paid = await Promise.all(Object.values(addresses).map(installation.chain.balanceOf));
    expect(paid.every((each) => each > 0n)).toBe(true);
    // Traders are asked for whole millionths, rounded up. The rest of one is a tip.
    const rest = units - paid.reduce((sum, each) => sum + each, 0n);
    expect(rest >= 0n && rest < MILLIONTH, formatEther(rest)).toBe(true);
  });
  await test.step('the operator checks the installation', async () => {
    const { code, output } = await installation.admin('check');
    expect(output).not.toContain('WRONG');
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('ok\tLedger') });
  });
});

async function connectAccount(page: Page, traderId: string, installation: Installation): Promise<void> {
  await page.getByRole('button', { name: '1 pending without an exchange' }).click();
  await expect(page.getByRole('row').filter({ hasText: REFERENCE })).toBeVisible();
  await page.goto(`/trader/${traderId}`);
  const { keys, dialog, card, history } = traderDetail(page);
  await keys.getByRole('button', { name: 'Connect exchange' }).click();
  const now = Date.now();
  const closing = createClosingAccount(now + CONNECTED_MS, now + CLOSED_MS);
  installation.openAccount(closing.account);
  await dialog.getByRole('combobox', { name: 'Exchange' }).selectOption('bybit');
  await dialog.getByRole('textbox', { name: 'API Key' }).fill(closing.apiKey);
  await dialog.getByLabel('Secret Key').fill(closing.secretKey);
  const connected = card({ acc_uid: closing.accUid }).getByRole('heading', { name: 'Bybit' });
  // A busy machine may take longer for its first call to an exchange than that waits: a person tries again.
  await expect(async () => {
    const connect = dialog.getByRole('button', { name: 'Connect', exact: true });
    if (await connect.isEnabled({ timeout: 1_000 }).catch(() => false)) await connect.click();
    await expect(connected).toBeVisible({ timeout: 15_000 });
  }).toPass({ timeout: 60_000 });
  expect(Date.now(), 'connected before the position closes').toBeLessThan(closing.closesAt);
  await expect(history).toContainText(closing.profit, { timeout: READ_MS });
}

/** Runs invoicing. @returns what the message to the trader asks for; units are base units of the token */
async function invoice(page: Page): Promise<{ address: string; units: bigint }> {
  const { dialog, group, invoices } = invoicesScreen(page);
  await page.getByRole('link', { name: 'Invoices' }).first().click();
  await page.getByRole('button', { name: 'Run invoicing' }).click();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Send 1 invoice', exact: true }).click();
  await dialog.getByRole('button', { name: 'Send 1 invoice' }).click();
  await expect(page.getByRole('tab', { name: /^Invoiced/ })).toHaveText(/1$/);
  await page.getByRole('link', { name: 'Invoices' }).first().click();
  await group(REFERENCE).click();
  await invoices.first().click();
  const panel = page.getByRole('complementary', { name: /^Invoice / });
  const asked = /To pay, send [^\d]*([\d.]+)[\s\S]*?(0x[0-9a-fA-F]{40})/;
  await expect(panel).toContainText(asked);
  const [, amount = '', address = ''] = asked.exec((await panel.textContent()) ?? '') ?? [];
  return { address, units: parseEther(amount) };
}

/** Orders all payouts of a community, and opens Transaction History from the dialog. */
async function distribute(page: Page, communityId: string): Promise<void> {
  const { opener, dialog, button, pay, toast } = distributeDialog(page);
  await page.goto(`/community-settings/${communityId}`);
  const wallets = page.getByRole('region', { name: 'Wallets' });
  await expect(wallets).not.toContainText('Not assigned yet', { timeout: SEEN_MS });
  await opener.click();
  await button('Distribute All').click();
  await pay.click();
  await expect(toast(/^Payout ordered: /)).toBeVisible();
  await dialog.getByRole('link', { name: 'Open Transaction History' }).click();
  // The dialog has a table of the same name.
  await expect(page.getByRole('heading', { level: 1, name: 'Transaction History' })).toBeVisible();
}
