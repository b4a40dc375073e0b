import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DemoToken, openDemoToken } from '@copydesk/simulators/chain';
import { startVenue } from '@copydesk/simulators/venues';
import { DEMO_TOKEN_ADDRESS, DEMO_TOKEN_OWNER, type WorldAccount } from '@copydesk/simulators/world';
import { type Address, createTestClient, http } from 'viem';
import { generatePrivateKey, HDKey, privateKeyToAccount } from 'viem/accounts';
import { bsc } from 'viem/chains';
import { startDemoChain } from '../../../apps/simulators/src/chain/demo-chain.ts';
import { findLastingPort, makeDataDir, removeDataDir, startProduct } from '../../support/product.ts';
import { createAccountList } from './closing-account.ts';
import { startEmptyDatabase } from './empty-database.ts';

const START_MS = 60_000;
/** The account of deposit addresses: see "Paying out" in the README. */
const DEPOSIT_ACCOUNT = "m/44'/60'/0'";

/**
 * A new installation as an operator sets it up: a database of its own, all secrets in the environment, and beside it a
 * chain with the token and an exchange. Nothing of a demo world, and no one who may sign in.
 */
export async function startInstallation() {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const each of stops.reverse()) await each();
  };
  try {
    const database = await startEmptyDatabase();
    stops.push(database.stop);
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
    const dataDir = makeDataDir();
    stops.push(() => removeDataDir(dataDir));
    const product = await startProduct({
      ...secrets(),
      COPYDESK_DATA_DIR: dataDir,
      COPYDESK_DEMO: '0',
      DATABASE_URL: database.url,
      CHAIN_RPC_URLS: chain.url,
      TOKEN_ADDRESS: DEMO_TOKEN_ADDRESS,
      EXCHANGE_BYBIT_URL: bybit.url,
      READING_EVERY_MS: '2000',
      PAYOUT_ADDRESS_HOLD_HOURS: '0',
      // As started by npm: it ends when this process is gone, however that came about.
      npm_lifecycle_event: 'start',
    });
    stops.push(async () => {
      product.kill('SIGTERM');
      await product.ended;
    });
    await product.prints(/Copydesk is running/, START_MS);
    return {
      url: product.url,
      output: product.output,
      /** What the server has written for the person who sets it up. */
      setupToken: () => readFile(join(dataDir, 'secrets', 'setup-token'), 'utf8'),
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

function secrets() {
  const random = () => randomBytes(32).toString('hex');
  const seed = randomBytes(64);
  return {
    BETTER_AUTH_SECRET: random(),
    AUDIT_KEY: random(),
    CREDENTIALS_KEY: random(),
    CREDENTIALS_INDEX_KEY: random(),
    WALLET_SEED: seed.toString('hex'),
    DEPOSIT_ACCOUNT_KEY: HDKey.fromMasterSeed(seed).derive(DEPOSIT_ACCOUNT).publicExtendedKey,
  };
}

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
