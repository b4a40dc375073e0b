import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DemoToken, openDemoToken } from '@copydesk/simulators/chain';
import { startVenue } from '@copydesk/simulators/venues';
import { DEMO_TOKEN_ADDRESS, DEMO_TOKEN_OWNER, type WorldAccount } from '@copydesk/simulators/world';
import { type Address, createTestClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { bsc } from 'viem/chains';
import { startDemoChain } from '../../../apps/simulators/src/chain/demo-chain.ts';
import { startBareCluster } from '../../support/bare-cluster.ts';
import { installAsDocumented } from '../../support/documented-services.ts';
import { findLastingPort, makeDataDir, removeDataDir } from '../../support/product.ts';
import { createAccountList } from './closing-account.ts';

/**
 * A new installation as an operator sets it up by docs/operations/set-up.md, on an empty PostgreSQL, and beside it a chain
 * with the token and an exchange. Nothing of a demo world, and no one who may sign in.
 * @param binDir of that PostgreSQL
 */
export async function startInstallation(binDir: string) {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const each of stops.reverse()) await each();
  };
  try {
    const cluster = await startBareCluster(binDir);
    stops.push(cluster.stop);
    const chain = await startDemoChain({
      port: await findLastingPort(),
      stateFile: null,
      holdings: [],
      // No trader here reads messages.
      outbox: { list: () => [] },
    });
    stops.push(chain.stop);
    const accounts = createAccountList();
    const bybit = await startVenue({ venue: 'bybit', accounts });
    stops.push(bybit.close);
    const folders = { etc: mkdtempSync(join(tmpdir(), 'copydesk-etc-')), data: makeDataDir() };
    stops.push(async () => rmSync(folders.etc, { recursive: true }));
    stops.push(() => removeDataDir(folders.data));
    const port = await findLastingPort();
    const product = await installAsDocumented({
      settings: {
        DATABASE_URL: cluster.urlOf('copydesk_login', 'login', 'copydesk'),
        DATABASE_DURABILITY: 'single',
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        TRUSTED_PROXIES: '0',
        API_PROCESSES: '1',
        CHAIN_RPC_URLS: chain.url,
        SMTP_URL: '',
        SMTP_FROM: 'Copydesk <console@example.com>',
        EGRESS_ADDRESSES: '203.0.113.10',
        PAYOUT_ADDRESS_HOLD_HOURS: '0',
        PAYOUT_MAX_PER_TRANSACTION: '5000',
        PAYOUT_MAX_PER_DAY: '20000',
        APPROVAL_ABOVE_USDT: '2000',
        PAYOUT_HARD_MAX: '20000',
        TOKEN_ADDRESS: DEMO_TOKEN_ADDRESS,
        EXCHANGE_BYBIT_URL: bybit.url,
        READING_EVERY_MS: '2000',
      },
      owner: {
        DATABASE_ADMIN_URL: cluster.adminUrl,
        DATABASE_OWNER_URL: cluster.urlOf('copydesk_owner', 'owner', 'copydesk'),
        DATABASE_BACKUP_URL: cluster.urlOf('copydesk_backup', 'backup', 'copydesk'),
      },
      worker: { DATABASE_WORKER_URL: cluster.urlOf('copydesk_worker_login', 'worker', 'copydesk') },
      operator: { DATABASE_OPERATOR_URL: cluster.urlOf('copydesk_operator_login', 'operator', 'copydesk') },
      folders,
      port,
    });
    stops.push(product.stop);
    return {
      url: product.url,
      output: product.output,
      doctor: product.doctor,
      admin: product.admin,
      /** What the API has logged for the person who sets it up. */
      setupToken: () => /enter this token within 24 hours: ([\w-]+)/.exec(product.output())?.[1] ?? '',
      /** A person opens an account at the exchange. */
      openAccount: (account: WorldAccount) => accounts.add(account),
      chain: openWallets(chain.url, await openDemoToken(chain.url, DEMO_TOKEN_OWNER)),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export type Installation = Awaited<ReturnType<typeof startInstallation>>;

/** What people do on the chain with wallets of their own. */
function openWallets(url: string, token: DemoToken) {
  const node = createTestClient({ chain: bsc, transport: http(url), mode: 'anvil' });
  return {
    balanceOf: (address: string) => token.balanceOf(address as Address),
    /** Pays from a wallet that has exactly the amount. */
    async pay(to: string, units: bigint): Promise<void> {
      const payer = privateKeyToAccount(generatePrivateKey());
      await token.mint(payer.address, units);
      await token.transfer(payer, to as Address, units);
    },
    giveCoin: (address: string, wei: bigint) => node.setBalance({ address: address as Address, value: wei }),
  };
}
