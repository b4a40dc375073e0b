import type { Call, CallAnswer, CallInput } from '@copydesk/contract';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createFailingDatabase, DATABASE_LOST } from '../../../../../../tests/support/failing-database.ts';
import { createFaultyRpc } from '../../../../../../tests/support/faulty-rpc.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { watchOf } from '../../../../../../tests/support/world/chain-watch.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../../tests/support/world/invoicing-world.ts';
import { createPayingChain, type PayingChain } from '../../../../../../tests/support/world/paying-chain.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import { createChainReader } from '../../../integrations/chain/chain-reader.ts';
import { type ChainWatch, watchChain } from './watch-chain.ts';

let world: InvoicingWorld;
let chain: PayingChain;
beforeAll(async () => {
  chain = await createPayingChain();
  world = await createInvoicingWorld({ env: { TOKEN_ADDRESS: chain.token.address } });
});
afterAll(async () => {
  await chain?.stop();
  await world?.close();
});
beforeEach(async () => {
  await world.owner('DELETE FROM chain_cursor');
  await chain.finalize();
  await watchChain(watchOf(world, chain));
});

async function ask<K extends Call>(key: K, input: CallInput<K>): Promise<CallAnswer<K>> {
  return (await send(world.app, key, input, await world.signIn('super'))).json();
}

/** Reads everything that is final. */
async function read(watch: ChainWatch = watchOf(world, chain)): Promise<void> {
  while (await watchChain(watch)) {
    // until the final block
  }
}
async function traderOwing(amount: number) {
  const trader = await world.addTrader();
  await world.addPositions(trader, String(2 * amount));
  await world.invoice();
  const [invoice] = await world.invoicesOf(trader.id);
  return { id: trader.id, address: invoice?.payment_address as string };
}
const stateOf = async (traderId: string) => {
  const [invoice] = await world.invoicesOf(traderId);
  return [invoice?.status, invoice?.settled_by, invoice?.paid];
};

test('a server that is down is retried, and another one answers meanwhile', async () => {
  const { id, address } = await traderOwing(10);
  await chain.pay(address, usdt(10));
  await chain.finalize();
  const unreachable = 'http://127.0.0.1:9';
  await expect(read(watchOf(world, chain, { rpcUrls: [unreachable] }))).rejects.toThrow();
  expect(await stateOf(id)).toEqual(['pending', null, '0']);
  await read(watchOf(world, chain, { rpcUrls: [unreachable, chain.url] }));
  expect(await stateOf(id)).toEqual(['paid', 'chain', usdt(10).toString()]);
});

test('a server that is behind the one that failed does not lose a deposit', async () => {
  const { id, address } = await traderOwing(10);
  await chain.pay(address, usdt(10));
  await chain.finalize();
  const [failing, behind] = await Promise.all([createFaultyRpc(chain.url), createFaultyRpc(chain.url)]);
  onTestFinished(() => Promise.all([failing.close(), behind.close()]).then(() => {}));
  failing.behave(async ({ method }, forward) => (method === 'eth_getLogs' ? { status: 503 } : forward()));
  behind.behave(async ({ method }, forward) => {
    if (method === 'eth_getLogs') return { result: [] };
    return method === 'eth_getBlockByNumber' ? { result: null } : forward();
  });
  const rpcUrls = [failing.url, behind.url];
  await watchChain(watchOf(world, chain, { rpcUrls, blocksAtOnce: 1_000 })).catch(() => undefined);
  failing.heal();
  behind.heal();
  await read(watchOf(world, chain, { rpcUrls }));
  expect(await stateOf(id)).toEqual(['paid', 'chain', usdt(10).toString()]);
});

test('another chain under the same address stops the reading, until a person has looked', async () => {
  const { id, address } = await traderOwing(10);
  const other = await createPayingChain();
  onTestFinished(other.stop);
  // Longer than ours, and it tells of a payment that never was.
  await other.mine(400);
  await other.pay(address, usdt(10));
  await other.finalize();
  const watch = watchOf(world, { ...chain, url: other.url });
  await read(watch);
  expect(await stateOf(id)).toEqual(['pending', null, '0']);
  expect(await world.owner('SELECT stopped_because FROM chain_cursor')).toEqual([
    { stopped_because: expect.stringMatching(/^block \d+ was 0x\w+ and is 0x\w+$/) },
  ]);
  await chain.pay(address, usdt(10));
  await chain.finalize();
  await read();
  expect(await stateOf(id)).toEqual(['pending', null, '0']);
  expect((await ask('GET /api/super-admin/deposit-reading', {})).data).toMatchObject({
    stopped_because: expect.stringMatching(/^block \d+ was/),
    needs_review: true,
  });
  const resume = () =>
    ask('POST /api/super-admin/deposit-reading/resume', { body: { reason: 'A wrong server' } });
  expect(await resume()).toMatchObject({ success: true });
  expect(await resume()).toMatchObject({ error: 'reading_not_stopped' });
  await read();
  expect(await stateOf(id)).toEqual(['paid', 'chain', usdt(10).toString()]);
});

test('the configured chain and token are enforced', async () => {
  const settings = { rpcUrls: [chain.url], tokenAddress: chain.token.address, timeoutMs: 5_000 };
  const check = (chainId: number, tokenDecimals: number) =>
    createChainReader({ ...settings, chainId, tokenDecimals }).check();
  await check(56, 18);
  await expect(check(97, 18)).rejects.toThrow('the server is of chain 56, not 97');
  await expect(check(56, 6)).rejects.toThrow(/has 18 decimals, not 6/);
});

test('while reading is stopped the cursor says why, without the address of a server', async () => {
  const { id, address } = await traderOwing(10);
  await chain.pay(address, usdt(10));
  await chain.finalize();
  const unreachable = 'http://127.0.0.1:9/secret-key';
  await expect(read(watchOf(world, chain, { rpcUrls: [unreachable] }))).rejects.toThrow();
  const stopped = (await ask('GET /api/super-admin/deposit-reading', {})).data;
  expect(stopped.stopped_because).toEqual(expect.any(String));
  expect(stopped.stopped_because).not.toContain('secret-key');
  await read();
  expect((await ask('GET /api/super-admin/deposit-reading', {})).data.stopped_because).toBeNull();
  expect(await stateOf(id)).toEqual(['paid', 'chain', usdt(10).toString()]);
});

test('an outage of the database is not noted as a standstill of the chain', async () => {
  await chain.finalize();
  const db = createFailingDatabase(world.db, { reads: [DATABASE_LOST] });
  await expect(watchChain(watchOf(world, chain, { db }))).rejects.toBe(DATABASE_LOST);
  expect(await world.owner('SELECT stopped_because FROM chain_cursor')).toEqual([{ stopped_because: null }]);
});
