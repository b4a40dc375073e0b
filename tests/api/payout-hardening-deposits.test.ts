import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchChain } from '../../apps/server/src/features/chain-watch/watch-chain.ts';
import { createFaultyRpc, type FaultyRpc } from '../support/faulty-rpc.ts';
import { watchOf } from '../support/world/chain-watch.ts';
import { createInvoicingWorld, type InvoicingWorld } from '../support/world/invoicing-world.ts';
import { createPayingChain, type PayingChain } from '../support/world/paying-chain.ts';
import { usdt } from '../support/world/usdt.ts';

let world: InvoicingWorld;
let chain: PayingChain;
let servers: FaultyRpc[];
beforeAll(async () => {
  [world, chain] = await Promise.all([createInvoicingWorld(), createPayingChain()]);
  servers = await Promise.all([createFaultyRpc(chain.url), createFaultyRpc(chain.url)]);
}, 60_000);
afterAll(async () => {
  await Promise.all((servers ?? []).map((server) => server.close()));
  await chain?.stop();
  await world?.close();
});

test('a server that has not come as far as the one that failed does not make a deposit go missing', async () => {
  await chain.finalize();
  await watchChain(watchOf(world, chain));
  const trader = await world.addTrader();
  await world.addPositions(trader, '20');
  await world.invoice();
  const [invoice] = await world.invoicesOf(trader.id);
  await chain.pay(invoice?.payment_address as string, usdt(10));
  await chain.finalize();
  const [first, behind] = servers as [FaultyRpc, FaultyRpc];
  first.behave(async ({ method }, forward) => (method === 'eth_getLogs' ? { status: 503 } : forward()));
  behind.behave(async ({ method }, forward) => {
    if (method === 'eth_getLogs') return { result: [] };
    return method === 'eth_getBlockByNumber' ? { result: null } : forward();
  });
  const rpcUrls = [first.url, behind.url];
  await watchChain(watchOf(world, chain, { rpcUrls, blocksAtOnce: 1_000 })).catch(() => undefined);
  for (const server of servers) server.heal();
  while (await watchChain(watchOf(world, chain, { rpcUrls }))) {
    // until the final block
  }
  const [after] = await world.invoicesOf(trader.id);
  expect(after?.status).toBe('paid');
});
