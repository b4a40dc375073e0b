import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createFaultyRpc, laggingAt, withoutLogsOf } from '../../../../../../tests/support/faulty-rpc.ts';
import { watchOf } from '../../../../../../tests/support/world/chain-watch.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../../tests/support/world/invoicing-world.ts';
import { createPayingChain, type PayingChain } from '../../../../../../tests/support/world/paying-chain.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import { createChainReader } from '../../../integrations/chain/chain-reader.ts';
import { readAgain } from './read-again.job.ts';
import { watchChain } from './watch-chain.ts';

const HOUR = 3_600;

let world: InvoicingWorld;
let chain: PayingChain;
let rpc: Awaited<ReturnType<typeof createFaultyRpc>>;
beforeAll(async () => {
  chain = await createPayingChain();
  rpc = await createFaultyRpc(chain.url);
  world = await createInvoicingWorld({ env: { TOKEN_ADDRESS: chain.token.address } });
});
afterAll(async () => {
  await rpc?.close();
  await chain?.stop();
  await world?.close();
});
beforeEach(async () => {
  await world.owner('DELETE FROM chain_cursor');
  await chain.finalize();
  await watchChain(watchOf(world, chain));
});
afterEach(() => rpc.heal());

async function traderOwing(amount: number) {
  const trader = await world.addTrader();
  await world.addPositions(trader, String(2 * amount));
  await world.invoice();
  const [invoice] = await world.invoicesOf(trader.id);
  return { id: trader.id, address: invoice?.payment_address as string };
}
const stateOf = async (traderId: string) => {
  const [invoice] = await world.invoicesOf(traderId);
  return [invoice?.status, invoice?.paid];
};
/** A final payment that reading missed, behind the cursor. */
async function miss(address: string): Promise<void> {
  await chain.pay(address, usdt(10));
  await chain.finalize();
  const { number, hash } = await chain.node.getBlock({ blockTag: 'finalized' });
  await world.owner('UPDATE chain_cursor SET block_number = $1, block_hash = $2', [Number(number), hash]);
}
const again = (...rpcUrls: string[]) => {
  const { db, log, token, receivers } = watchOf(world, chain);
  const { address: tokenAddress } = chain.token;
  const settings = { rpcUrls, tokenAddress, chainId: 56, tokenDecimals: 18, timeoutMs: 5_000 };
  return readAgain({
    db,
    log,
    token,
    receivers,
    now: () => new Date(),
    blocksAtOnce: 3,
    chain: createChainReader(settings),
  });
};

test('the second server shows what the first left out, and it is booked once', async () => {
  const { id, address } = await traderOwing(10);
  await miss(address);
  rpc.behave(withoutLogsOf(() => true));
  expect(await again(rpc.url, chain.url)).toBe(1);
  expect(await stateOf(id)).toEqual(['paid', usdt(10).toString()]);
  await world.owner('UPDATE chain_cursor SET reread_to = first_block');
  expect(await again(rpc.url, chain.url)).toBe(0);
  expect(
    await world.owner(
      `SELECT after->>'by' AS by FROM audit_entry WHERE action = 'deposit.found_late' AND after->>'to_address' = $1`,
      [address],
    ),
  ).toEqual([{ by: 'second_reading' }]);
});

test('a second server that lags proves nothing: its blocks are read again the next time', async () => {
  const { id, address } = await traderOwing(10);
  const { number } = await chain.node.getBlock({ blockTag: 'finalized' });
  await miss(address);
  rpc.behave(laggingAt(() => Number(number)));
  await expect(again(chain.url, rpc.url)).rejects.toThrow();
  expect(await stateOf(id)).toEqual(['pending', '0']);
  rpc.heal();
  expect(await again(chain.url, rpc.url)).toBe(1);
});

test('with one server, blocks are read again when they are an hour old', async () => {
  const { id, address } = await traderOwing(10);
  await miss(address);
  expect(await again(chain.url)).toBe(0);
  expect(await stateOf(id)).toEqual(['pending', '0']);
  await chain.node.increaseTime({ seconds: HOUR });
  await chain.finalize();
  await chain.finalize();
  await watchChain(watchOf(world, chain, { blocksAtOnce: 50 }));
  expect(await again(chain.url)).toBe(1);
  expect(await stateOf(id)).toEqual(['paid', usdt(10).toString()]);
});
