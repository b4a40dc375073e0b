import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createFaultyRpc, laggingAt } from '../../../../../tests/support/faulty-rpc.ts';
import { createPayingChain, type PayingChain } from '../../../../../tests/support/world/paying-chain.ts';
import { usdt } from '../../../../../tests/support/world/usdt.ts';
import { createChainReader } from './chain-reader.ts';
import { createChainSender } from './chain-sender.ts';

const ADDRESS = `0x${'5'.repeat(40)}`;
const COIN = 10n ** 18n;

let chain: PayingChain;
let lagging: Awaited<ReturnType<typeof createFaultyRpc>>;
beforeAll(async () => {
  chain = await createPayingChain();
  lagging = await createFaultyRpc(chain.url);
});
afterAll(async () => {
  await lagging?.close();
  await chain?.stop();
});
afterEach(() => lagging.heal());

const senderOf = (...rpcUrls: string[]) =>
  createChainSender({ rpcUrls, tokenAddress: chain.token.address, timeoutMs: 5_000 });

const readerOf = (...rpcUrls: string[]) =>
  createChainReader({
    rpcUrls,
    chainId: 56,
    tokenAddress: chain.token.address,
    tokenDecimals: 18,
    timeoutMs: 5_000,
  });

/** The lagging server stays at the present final block. */
async function lag(): Promise<void> {
  await chain.finalize();
  const { number } = await chain.node.getBlock({ blockTag: 'finalized' });
  lagging.behave(laggingAt(() => Number(number)));
}

test('a balance is one of the block asked for, or an error', async () => {
  await lag();
  await chain.pay(ADDRESS, usdt(3));
  await chain.finalize();
  const final = await chain.node.getBlock({ blockTag: 'finalized' });
  await expect(senderOf(lagging.url).tokenBalances([ADDRESS], final)).rejects.toThrow();
  await expect(senderOf(lagging.url).transactionCount(ADDRESS, final)).rejects.toThrow();
  expect(await senderOf(lagging.url, chain.url).tokenBalances([ADDRESS], final)).toEqual([usdt(3)]);
});

test('coin that a final block has is never missing', async () => {
  await lag();
  await chain.giveCoin(ADDRESS, COIN);
  const hash = (await chain.pay(ADDRESS, usdt(1))) as `0x${string}`;
  await chain.finalize();
  const sender = senderOf(lagging.url, chain.url);
  await sender.finalReceipt(hash);
  expect(await sender.coinOf(ADDRESS)).toBe(COIN);
});

test('a server without the final block does not say that a transaction is nowhere', async () => {
  await lag();
  const hash = (await chain.pay(ADDRESS, usdt(1))) as `0x${string}`;
  await chain.finalize();
  const known = senderOf(lagging.url, chain.url);
  expect(await known.finalReceipt(hash)).toBe('unclear');
  const unsent: `0x${string}` = `0x${'ab'.repeat(32)}`;
  expect(await known.finalReceipt(unsent)).toBe('unclear');
  lagging.heal();
  expect(await known.finalReceipt(unsent)).toBe('none');
});

test('a transaction that only one server knows counts as pending', async () => {
  const payer = (await chain.node.getBlock({ blockTag: 'latest', includeTransactions: true })).miner;
  await lag();
  await chain.node.setNonce({ address: payer, nonce: 7 });
  await chain.mine(1);
  expect(await senderOf(lagging.url, chain.url).transactionCount(payer, 'pending')).toBe(7);
});

test('what is on its way to many addresses is asked for by 1,000 of them, up to one head', async () => {
  const addresses = Array.from({ length: 2_001 }, (_, n) => `0x${n.toString(16).padStart(40, '0')}`);
  const last = addresses.at(-1) as string;
  const { number } = await chain.node.getBlock({ blockTag: 'latest' });
  await chain.pay(last, usdt(4));
  await chain.pay(ADDRESS, usdt(5));
  const before = lagging.seen.length;
  expect(await readerOf(lagging.url).transfersAfter(number, new Set(addresses))).toMatchObject([
    { to: last },
  ]);
  const asked = lagging.seen
    .slice(before)
    .filter(({ method }) => method === 'eth_getLogs')
    .map(({ params }) => (params as { topics: unknown[][]; toBlock: string }[])[0]);
  expect(asked.map((query) => query?.topics[2]?.length)).toEqual([1_000, 1_000, 1]);
  expect(new Set(asked.map((query) => query?.toBlock)).size).toBe(1);
});

test('a server that lags hides no transfer of a wallet', async () => {
  const { number } = await chain.node.getBlock({ blockTag: 'finalized' });
  await chain.pay(ADDRESS, usdt(2));
  await chain.finalize();
  const to = (await chain.node.getBlock({ blockTag: 'finalized' })).number;
  const [log] = await chain.node.getLogs({ address: chain.token.address, fromBlock: to - 6n, toBlock: to });
  const from = `0x${log?.topics[1]?.slice(26)}`;
  lagging.behave(async ({ method }, forward) => (method === 'eth_getLogs' ? { result: [] } : forward()));
  const found = await readerOf(lagging.url, chain.url).transfersFrom([from], { from: number, to });
  expect(found.length).toBeGreaterThan(0);
});
