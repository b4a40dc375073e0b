import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPublicClient, createTestClient, erc20Abi, type Hash, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { bsc } from 'viem/chains';
import { expect, onTestFinished, test } from 'vitest';
import { DEMO_TOKEN_OWNER } from '../world/index.ts';
import { createFinisher, startDemoChain } from './demo-chain.ts';
import { openDemoToken } from './demo-token.ts';
import { findFreePort } from './free-port.ts';
import { startChain } from './start-chain.ts';

const owner = privateKeyToAccount(`0x${'1'.repeat(64)}`);
const trader = privateKeyToAccount(`0x${'2'.repeat(64)}`);
const DEPOSIT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const USDT = 10n ** 18n;

async function chainWith(stateFile: string | null, blockSeconds: number | null = null) {
  const chain = await startChain({ port: await findFreePort(), blockSeconds, stateFile });
  onTestFinished(() => chain.stop());
  return chain;
}

test('a token that looks like USDT: 18 decimals, exact to the unit, and the event of every transfer', async () => {
  const { url } = await chainWith(null);
  const token = await openDemoToken(url, owner);
  await token.mint(trader.address, 3n * USDT + 1n);
  await token.transfer(trader, DEPOSIT, 2n * USDT + 1n);
  expect([await token.balanceOf(trader.address), await token.balanceOf(DEPOSIT)]).toEqual([
    USDT,
    2n * USDT + 1n,
  ]);

  const reader = createPublicClient({ chain: bsc, transport: http(url) });
  const read = (functionName: 'decimals' | 'symbol') =>
    reader.readContract({ address: token.address, abi: erc20Abi, functionName });
  expect([await reader.getChainId(), await read('decimals'), await read('symbol')]).toEqual([56, 18, 'USDT']);
  const [transfer] = await reader.getContractEvents({
    address: token.address,
    abi: erc20Abi,
    eventName: 'Transfer',
    args: { to: DEPOSIT },
    fromBlock: 0n,
  });
  expect(transfer?.args).toEqual({ from: trader.address, to: DEPOSIT, value: 2n * USDT + 1n });
});

test('a transfer above the balance fails, and only the owner mints', async () => {
  const { url } = await chainWith(null);
  const token = await openDemoToken(url, owner);
  await expect(token.transfer(trader, DEPOSIT, 1n)).rejects.toThrow(/not that much there/);
});

test('blocks become final some blocks later', async () => {
  const { url } = await chainWith(null);
  const token = await openDemoToken(url, owner);
  const reader = createPublicClient({ chain: bsc, transport: http(url) });
  for (let n = 0; n < 6; n++) await token.mint(trader.address, 1n);
  const [latest, final] = [
    await reader.getBlock({ blockTag: 'latest' }),
    await reader.getBlock({ blockTag: 'finalized' }),
  ];
  expect(latest.number - final.number).toBe(4n);
});

test('a transaction becomes final also when it comes while the last block for another one is made', async () => {
  const { url } = await chainWith(null);
  const token = await openDemoToken(url, owner);
  const chain = createTestClient({ chain: bsc, transport: http(url), mode: 'anvil' }).extend(publicActions);
  const blockNumber = () => chain.getBlockNumber({ cacheTime: 0 });
  let made = 0;
  let late: Hash | undefined;
  const finish = createFinisher(
    {
      blockNumber,
      async mine() {
        made += 1;
        if (made === 5) late = await token.mint(trader.address, 1n);
        await chain.mine({ blocks: 1 });
      },
    },
    5,
    3,
  );
  for (let step = 0; step < 12; step++) await finish();
  const { blockNumber: lateBlock } = await chain.getTransactionReceipt({ hash: late as Hash });
  const final = await chain.getBlock({ blockTag: 'finalized' });
  expect(final.number).toBeGreaterThanOrEqual(lateBlock);
  // Idle, it grows by one block every three steps.
  const before = await blockNumber();
  const grown: bigint[] = [];
  for (let step = 0; step < 6; step++) {
    await finish();
    grown.push((await blockNumber()) - before);
  }
  expect(grown.at(-1)).toBe(2n);
});

test('a transaction that was kept for one before it is mined once none is missing', async () => {
  const { url } = await chainWith(null);
  const chain = createTestClient({ chain: bsc, transport: http(url), mode: 'anvil' }).extend(publicActions);
  await chain.setBalance({ address: trader.address, value: USDT });
  const raw = await trader.signTransaction({
    ...{ chainId: bsc.id, type: 'eip1559', nonce: 1, to: DEPOSIT, value: 1n, gas: 21_000n },
    ...{ maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n },
  });
  await chain.sendRawTransaction({ serializedTransaction: raw });
  expect((await chain.getTxpoolStatus()).queued).toBe(1);
  // The program itself looks at it again only when it mines the one before.
  await chain.setNonce({ address: trader.address, nonce: 1 });
  await expect.poll(() => chain.getBalance({ address: DEPOSIT })).toBe(1n);
});

test('a chain with a state file goes on where it ended, its token included', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'copydesk-chain-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const stateFile = join(folder, 'chain.json');
  const first = await chainWith(stateFile);
  const before = await openDemoToken(first.url, owner);
  await before.mint(trader.address, USDT);
  await first.stop();
  const again = await openDemoToken((await chainWith(stateFile)).url, owner);
  expect(again.address).toBe(before.address);
  expect(await again.balanceOf(trader.address)).toBe(USDT);
});

test("the demo world's chain knows its final blocks after a restart", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'copydesk-chain-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const stateFile = join(folder, 'chain.json');
  const start = async () =>
    startDemoChain({ port: await findFreePort(), stateFile, holdings: [], outbox: { list: () => [] } });
  await (await start()).stop();
  const again = await start();
  onTestFinished(() => again.stop());
  const reader = createPublicClient({ chain: bsc, transport: http(again.url) });
  const { address } = DEMO_TOKEN_OWNER;
  expect(await reader.getTransactionCount({ address, blockTag: 'finalized' })).toBe(1);
});
