import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createWalletClient, encodeFunctionData, erc20Abi, http, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { bsc } from 'viem/chains';
import { createDepositReceiver } from '../apps/server/src/features/deposits/receive-deposits.ts';
import { type ChainWatch, watchChain } from '../apps/server/src/features/deposits/watch/watch-chain.ts';
import { bookPayments } from '../apps/server/src/features/invoices/payments/payments.service.ts';
import { createChainReader } from '../apps/server/src/integrations/chain/chain-reader.ts';
import { startLongChain } from './support/long-chain.ts';
import { createOwingWorld, type OwingWorld } from './support/owing-world.ts';
import type { Report } from './support/report.ts';

const ADDRESSES = 10_000;
const PER_SECOND = 100;
const SECONDS = 20;
const BLOCKS = 100_000;
/** The worker's interval. */
const LOOK_EVERY_MS = 2_000;

/** Ten thousand deposit addresses: with incoming transfers, and after a long downtime. */
export async function benchDeposits(ownerUrl: string, _dataDir: string, report: Report): Promise<void> {
  const world = await createOwingWorld(ownerUrl, 'bench_deposits');
  const { communityId } = await world.addCommunity();
  await world.rows(
    `INSERT INTO trader (community_id, referral_code, deposit_address)
     SELECT $1, gen_random_uuid(), '0x' || substr(md5('d' || s) || md5('e' || s), 1, 40) FROM generate_series(1, $2) s`,
    [communityId, ADDRESSES],
  );
  const traders = await world.rows<{ address: `0x${string}` }>(
    'SELECT deposit_address AS address FROM trader',
  );
  const watch = watchOf(world);
  // That of the world names a block that the chain never had.
  await world.rows('DELETE FROM chain_cursor');
  await watchChain(watch);
  const send = await createSender(world);
  await world.node.setAutomine(false);

  let isPaying = true;
  let slowest = 0;
  const watching = (async () => {
    while (isPaying) {
      const startedAt = performance.now();
      while (await watchChain(watch)) {
        // until the final block
      }
      slowest = Math.max(slowest, performance.now() - startedAt);
      await sleep(LOOK_EVERY_MS);
    }
  })();
  for (let second = 0; second < SECONDS; second++) {
    const tick = sleep(1_000);
    for (let n = 0; n < PER_SECOND; n++)
      await send(traders[(second * PER_SECOND + n) % ADDRESSES]?.address as `0x${string}`);
    await world.node.mine({ blocks: 1 });
    await tick;
  }
  await world.node.mine({ blocks: 10 });
  const endedAt = performance.now();
  isPaying = false;
  await watching;
  while (await watchChain(watch)) {
    // the blocks that became final just now
  }
  const [booked] = await world.rows<{ count: number }>('SELECT count(*)::int AS count FROM deposit');
  report.row(
    `${PER_SECOND} transfers a second to ${ADDRESSES.toLocaleString('en-US')} addresses, for ${SECONDS} s`,
    `${booked?.count} of ${PER_SECOND * SECONDS} booked ${((performance.now() - endedAt) / 1_000).toFixed(1)} s after the last was final; slowest look ${(slowest / 1_000).toFixed(1)} s`,
    'keeps up',
  );

  await benchCatchUp(world, traders, booked?.count ?? 0, report);
  await world.close();
}

/** After a long downtime: with one server, which is read twice a minute apart, and with two. */
async function benchCatchUp(
  world: OwingWorld,
  traders: readonly { address: `0x${string}` }[],
  before: number,
  report: Report,
): Promise<void> {
  const transfers = new Map(
    Array.from({ length: BLOCKS / 100 }, (_, n) => [
      100 * n + 50,
      traders[n % ADDRESSES]?.address as `0x${string}`,
    ]),
  );
  const servers = await Promise.all([0, 1].map(() => startLongChain(world.token.address, BLOCKS, transfers)));
  let known = before;
  for (const urls of [servers.map(({ url }) => url), [servers[0]?.url as string]]) {
    await world.rows('UPDATE chain_cursor SET block_number = 1, block_hash = $1', [servers[0]?.hashOf(1)]);
    const behind = watchOf(world, urls);
    const asked = servers.reduce((sum, server) => sum + server.requests(), 0);
    const startedAt = performance.now();
    for (;;) {
      while (await watchChain(behind)) {
        // as far as it goes at once
      }
      const [cursor] = await world.rows<{ at: number }>('SELECT block_number::int AS at FROM chain_cursor');
      if (cursor?.at === BLOCKS) break;
      await sleep(LOOK_EVERY_MS);
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    const requests = servers.reduce((sum, server) => sum + server.requests(), 0) - asked;
    const [all] = await world.rows<{ count: number }>('SELECT count(*)::int AS count FROM deposit');
    report.row(
      `${BLOCKS.toLocaleString('en-US')} unread blocks, ${behind.blocksAtOnce} at once, ${urls.length} server(s), with ${(all?.count ?? 0) - known} new transfers`,
      `caught up in ${seconds.toFixed(0)} s, ${requests.toLocaleString('en-US')} requests`,
      'minutes',
    );
    known = all?.count ?? 0;
  }
  for (const server of servers) server.close();
}

function watchOf({ db, rpcUrl, token }: OwingWorld, rpcUrls: readonly string[] = [rpcUrl]): ChainWatch {
  const log = pino({ level: 'silent' });
  const { listAddresses, receive } = createDepositReceiver({
    log,
    now: () => new Date(),
    book: bookPayments,
  });
  return {
    db,
    log,
    chain: createChainReader({
      rpcUrls,
      chainId: 56,
      tokenAddress: token.address,
      tokenDecimals: 18,
      timeoutMs: 30_000,
    }),
    token: { chainId: 56, tokenAddress: token.address.toLowerCase() },
    blocksAtOnce: 500,
    // As if all of them owed.
    receivers: [{ listAddresses, receive }],
  };
}

/** A holder of many tokens, who sends one to any given address. */
async function createSender({ node, rpcUrl, token }: OwingWorld) {
  const account = privateKeyToAccount(generatePrivateKey());
  const wallet = createWalletClient({ chain: bsc, transport: http(rpcUrl), account });
  await token.mint(account.address, parseEther('1000000'));
  await node.setBalance({ address: account.address, value: parseEther('1000') });
  let nonce = 0;
  return async (to: `0x${string}`) => {
    const raw = await account.signTransaction({
      chainId: 56,
      type: 'eip1559',
      nonce: nonce++,
      gas: 100_000n,
      maxFeePerGas: 100_000_000_000n,
      maxPriorityFeePerGas: 1n,
      to: token.address,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, parseEther('1')] }),
    });
    await wallet.sendRawTransaction({ serializedTransaction: raw });
  };
}
