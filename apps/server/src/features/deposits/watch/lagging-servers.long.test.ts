import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createFaultyRpc,
  laggingAt,
  refusingRangesOver,
  withoutLogsOf,
} from '../../../../../../tests/support/faulty-rpc.ts';
import { watchOf } from '../../../../../../tests/support/world/chain-watch.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../../tests/support/world/invoicing-world.ts';
import { createPayingChain, type PayingChain } from '../../../../../../tests/support/world/paying-chain.ts';
import { findUnsound } from '../../../../../../tests/support/world/sound-invoices.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import { watchChain } from './watch-chain.ts';

const MINUTE_MS = 60_000;
/** A range, and blocks enough below the head for two of them. */
const RANGE = 30;
const DEEP = RANGE + 200;

let world: InvoicingWorld;
let chain: PayingChain;
let snapshot: `0x${string}`;
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
  // The local chain gets slower with each block.
  snapshot = await chain.node.snapshot();
  await chain.finalize();
  await watchChain(watchOf(world, chain));
});
afterEach(async () => {
  await chain.node.revert({ id: snapshot });
  rpc.heal();
  rpc.seen.length = 0;
});

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
const PAID = ['paid', usdt(10).toString()];
const cursor = async () => {
  const [row] = await world.owner<{ at: number; stopped_because: string | null }>(
    'SELECT block_number::int AS at, stopped_because FROM chain_cursor',
  );
  return row as { at: number; stopped_because: string | null };
};
const finalNumber = async () => Number((await chain.node.getBlock({ blockTag: 'finalized' })).number);

/** A watch through the faulty server with a clock of its own, and turns until one has nothing more to do. */
function watching(rpcUrls: string[] = [rpc.url]) {
  let at = 0;
  const watch = watchOf(world, chain, { rpcUrls, clock: () => at, blocksAtOnce: RANGE });
  return {
    pass: (ms: number) => {
      at += ms;
    },
    turn: () => watchChain(watch),
    async turns(): Promise<void> {
      while (await watchChain(watch)) {
        // until it has to wait
      }
    },
  };
}
/** Three payments of the same invoice, far below the head. */
async function payDeep(address: string): Promise<void> {
  for (const blocks of [10, 32, DEEP]) {
    await chain.pay(address, usdt(blocks === DEEP ? 4 : 3));
    await chain.mine(blocks);
  }
}
const widths = () =>
  rpc.seen.flatMap(({ method, params }) => {
    const { fromBlock, toBlock } = (params[0] ?? {}) as Record<string, string>;
    return method === 'eth_getLogs' && fromBlock ? [Number(toBlock) - Number(fromBlock) + 1] : [];
  });

test('an empty list of a node that lags behind the one with the headers moves nothing', async () => {
  const { id, address } = await traderOwing(10);
  const { at: before } = await cursor();
  for (const units of [usdt(3), usdt(3), usdt(4)]) await chain.pay(address, units);
  await chain.finalize();
  let known = before;
  rpc.behave(withoutLogsOf((block) => block > known));
  const { turns } = watching();
  await turns();
  expect(await stateOf(id)).toEqual(['pending', '0']);
  expect(await cursor()).toEqual({ at: before, stopped_because: 'unknown block' });
  known = await finalNumber();
  await turns();
  expect(await stateOf(id)).toEqual(PAID);
  expect(await cursor()).toEqual({ at: await finalNumber(), stopped_because: null });
  expect(await findUnsound(world)).toEqual({});
});

test('behind one address, every second node lags: nothing is lost or booked twice', async () => {
  const { id, address } = await traderOwing(10);
  const { at: before } = await cursor();
  let asked = 0;
  const lagging = laggingAt(() => before + 1);
  rpc.behave((call, forward) => {
    asked += 1;
    return asked % 2 === 0 ? lagging(call, forward) : forward();
  });
  const { turn } = watching();
  for (const units of [usdt(3), usdt(3), usdt(4)]) {
    await chain.pay(address, units);
    await chain.finalize();
    for (let n = 0; n < 3; n++) await turn();
  }
  rpc.heal();
  while (await turn()) {
    // until the final block
  }
  expect(await stateOf(id)).toEqual(PAID);
  expect(await world.owner('SELECT FROM deposit WHERE trader_id = $1', [id])).toHaveLength(3);
});

test('a server that stopped at a block does not hold up the next one', async () => {
  const { id, address } = await traderOwing(10);
  const { at: before } = await cursor();
  await chain.pay(address, usdt(10));
  await chain.finalize();
  rpc.behave(laggingAt(() => before));
  await watching().turns();
  expect(await stateOf(id)).toEqual(['pending', '0']);
  await watching([rpc.url, chain.url]).turns();
  expect(await stateOf(id)).toEqual(PAID);
});

test('one server proves a range with two readings a minute apart', async () => {
  const { id, address } = await traderOwing(10);
  const { at: before } = await cursor();
  await payDeep(address);
  const { turns, pass } = watching();
  await turns();
  pass(MINUTE_MS - 1);
  await turns();
  expect((await cursor()).at).toBe(before);
  pass(1);
  await turns();
  expect(await stateOf(id)).toEqual(PAID);
  expect((await cursor()).at).toBe(await finalNumber());
});

test('two servers prove a range at once, and the last of its blocks is asked for by hash', async () => {
  const { id, address } = await traderOwing(10);
  const { at: before } = await cursor();
  await payDeep(address);
  let known = before;
  rpc.behave(laggingAt(() => known));
  const { turns } = watching([chain.url, rpc.url]);
  await turns();
  expect((await cursor()).at).toBe(before);
  known = await finalNumber();
  await turns();
  expect(await stateOf(id)).toEqual(PAID);
});

test.each([
  ['the second server', async () => watching([chain.url, rpc.url])],
  [
    'the only server at first',
    async () => {
      const single = watching();
      await single.turns();
      single.pass(MINUTE_MS);
      return single;
    },
  ],
])('%s leaves out transfers of a range: its blocks are read one by one', async (_, begin) => {
  const { id, address } = await traderOwing(10);
  await payDeep(address);
  rpc.behave(async (call, forward) => {
    const isRange = call.method === 'eth_getLogs' && 'fromBlock' in (call.params[0] as object);
    return isRange ? { result: [] } : forward();
  });
  const watch = await begin();
  if (rpc.seen.length > 0) rpc.heal();
  await watch.turns();
  watch.pass(MINUTE_MS);
  await watch.turns();
  expect(await stateOf(id)).toEqual(PAID);
  expect(await world.owner('SELECT FROM deposit WHERE trader_id = $1', [id])).toHaveLength(3);
});

test('a server takes fewer blocks: smaller ranges, and its sentence is shown until one works', async () => {
  const { id, address } = await traderOwing(10);
  await payDeep(address);
  const message = 'range 30 exceeds limit of 10';
  rpc.behave(refusingRangesOver(10, () => ({ error: { code: -32602, message } })));
  const { turn, turns, pass } = watching();
  expect(await turn()).toBe(true);
  expect((await cursor()).stopped_because).toBe(message);
  await turns();
  expect((await cursor()).stopped_because).toBeNull();
  pass(MINUTE_MS);
  await turns();
  expect(await stateOf(id)).toEqual(PAID);
  expect(widths().filter((blocks) => blocks > 10)).toEqual([30, 15]);
});
