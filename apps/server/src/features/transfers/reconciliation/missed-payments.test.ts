import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createFaultyRpc } from '../../../../../../tests/support/faulty-rpc.ts';
import { watchOf } from '../../../../../../tests/support/world/chain-watch.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../../tests/support/world/invoicing-world.ts';
import { addMulticall } from '../../../../../../tests/support/world/multicall.ts';
import { createPayingChain, type PayingChain } from '../../../../../../tests/support/world/paying-chain.ts';
import { findUnsound } from '../../../../../../tests/support/world/sound-invoices.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import { createChainReader } from '../../../integrations/chain/chain-reader.ts';
import { createChainSender } from '../../../integrations/chain/chain-sender.ts';
import { reconcileWallets } from './reconcile-wallets.ts';

const DAY_MS = 86_400_000;

let world: InvoicingWorld;
let chain: PayingChain;
let rpc: Awaited<ReturnType<typeof createFaultyRpc>>;
let now = Date.now();
beforeAll(async () => {
  chain = await createPayingChain();
  rpc = await createFaultyRpc(chain.url);
  world = await createInvoicingWorld({ env: { TOKEN_ADDRESS: chain.token.address } });
  // What the books of the demo world say is there.
  await chain.finalize();
  await skip();
  const { lines } = await reconciling('moving');
  for (const line of [...lines, ...(await reconciling('due')).lines]) {
    const { address, ledger } = JSON.parse(line.split('} ')[0]?.concat('}') ?? '{}');
    if (ledger) await chain.setTokens(address, BigInt(ledger));
  }
  await chain.finalize();
});
afterAll(async () => {
  await rpc?.close();
  await chain?.stop();
  await world?.close();
});
beforeEach(async () => {
  await world.owner('DELETE FROM chain_cursor');
  await world.owner('DELETE FROM chain_address_check');
  await chain.finalize();
  await skip();
});
afterEach(() => {
  rpc.heal();
  rpc.seen.length = 0;
});

/** Moves the cursor to the final block without reading, as if servers had answered with nothing. */
async function skip(): Promise<void> {
  const { number, hash } = await chain.node.getBlock({ blockTag: 'finalized' });
  await world.owner(
    `INSERT INTO chain_cursor (chain_id, token_address, block_number, block_hash, first_block)
     VALUES (56, $1, $2, $3, $2)
     ON CONFLICT (chain_id, token_address) DO UPDATE SET block_number = $2, block_hash = $3`,
    [chain.token.address.toLowerCase(), Number(number), hash],
  );
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
  return [invoice?.status, invoice?.paid];
};

/** What the log says of a run. */
function reconciling(reach: 'moving' | 'due') {
  const lines: string[] = [];
  const note = (...said: unknown[]) => void lines.push(said.map((each) => JSON.stringify(each)).join(' '));
  const { receivers, token } = watchOf(world, chain);
  const settings = { rpcUrls: [rpc.url], tokenAddress: chain.token.address, timeoutMs: 5_000 };
  return reconcileWallets(
    {
      db: world.db,
      log: { ...world.log, warn: note, error: note } as never,
      now: () => new Date(now),
      ...token,
      chain: createChainSender(settings),
      missed: { receivers, chain: createChainReader({ ...settings, chainId: 56, tokenDecimals: 18 }) },
    },
    reach,
  ).then((differing) => ({ differing, lines }));
}
const foundLate = () =>
  world.owner<{ after: { units: string; by: string } }>(
    `SELECT after FROM audit_entry WHERE action = 'deposit.found_late' ORDER BY seq`,
  );

test("a trader's first payment that reading missed is found by its balance, to the block", async () => {
  const { id, address } = await traderOwing(10);
  await reconciling('moving');
  await chain.mine(30);
  const hash = await chain.pay(address, usdt(4));
  await chain.mine(20);
  await chain.pay(address, usdt(6));
  await chain.mine(10);
  await skip();
  const { lines } = await reconciling('moving');
  expect(await stateOf(id)).toEqual(['paid', usdt(10).toString()]);
  expect(lines.filter((line) => line.includes('a transfer that reading had missed is booked'))).toHaveLength(
    2,
  );
  expect(lines.join()).toContain(hash);
  expect((await foundLate()).slice(-2)).toMatchObject([
    { after: { by: 'balance', units: usdt(4).toString() } },
    { after: { by: 'balance', units: usdt(6).toString() } },
  ]);
  expect(await reconciling('moving')).toEqual({ differing: 0, lines: [] });
  expect(await world.owner('SELECT FROM deposit WHERE trader_id = $1', [id])).toHaveLength(2);
  expect(await findUnsound(world)).toEqual({});
});

test('an address that does not move is compared once a day', async () => {
  const trader = await world.addTrader();
  const [given] = await world.owner<{ address: string }>(
    `UPDATE trader SET deposit_address = '0x' || substr(md5(id::text) || md5('d' || id), 1, 40) WHERE id = $1
     RETURNING deposit_address AS address`,
    [trader.id],
  );
  await reconciling('due');
  await chain.pay(given?.address as string, usdt(5));
  await chain.finalize();
  await skip();
  const deposits = () => world.owner('SELECT FROM deposit WHERE trader_id = $1', [trader.id]);
  await reconciling('moving');
  now += DAY_MS - 1;
  await reconciling('due');
  expect(await deposits()).toHaveLength(0);
  now += 1;
  await reconciling('due');
  expect(await deposits()).toHaveLength(1);
});

test('without the state of old blocks the difference is reported, and found once a server has it', async () => {
  const { id, address } = await traderOwing(10);
  await reconciling('moving');
  await chain.pay(address, usdt(10));
  await chain.mine(60);
  await skip();
  const { hash: head } = await chain.node.getBlock({ blockTag: 'finalized' });
  rpc.behave(async ({ method, params }, forward) =>
    method === 'eth_call' && (params[1] as { blockHash?: string }).blockHash !== head
      ? { error: { code: -32000, message: 'missing trie node 12 (path ) state 0x34 is not available' } }
      : forward(),
  );
  const { differing, lines } = await reconciling('moving');
  expect(differing).toBe(1);
  expect(lines.join()).toContain('a search for missed transfers ended early');
  expect(lines.join()).toContain('wallets hold tokens that the ledger does not know');
  expect(await stateOf(id)).toEqual(['pending', '0']);
  rpc.heal();
  await reconciling('moving');
  expect(await stateOf(id)).toEqual(['paid', usdt(10).toString()]);
});

test('tokens that no transfer brought are reported once searched, and searched no more', async () => {
  const { address } = await traderOwing(10);
  await reconciling('moving');
  await chain.setTokens(address, usdt(3));
  await chain.finalize();
  await skip();
  const { lines } = await reconciling('moving');
  expect(lines.join()).toContain('wallets hold tokens that the ledger does not know');
  const asked = rpc.seen.length;
  expect((await reconciling('moving')).differing).toBe(1);
  expect(rpc.seen.length - asked).toBeLessThan(asked / 2);
  await chain.setTokens(address, 0n);
});

test('a node that does not have the block answers with no balance: nothing is frozen or opened', async () => {
  const { id } = await traderOwing(10);
  await world.owner('UPDATE trader SET books_opened_at = now() WHERE id = $1', [id]);
  rpc.behave(async ({ method, params }, forward) =>
    method === 'eth_call' && typeof params[1] === 'object'
      ? { error: { code: -32000, message: 'header for hash not found' } }
      : method === 'eth_call'
        ? { result: `0x${'0'.repeat(64)}` }
        : forward(),
  );
  await expect(reconciling('moving')).rejects.toThrow();
});

test('500 balances are one request where the chain has Multicall3', async () => {
  const { address } = await traderOwing(10);
  await chain.pay(address, usdt(10));
  await chain.finalize();
  const { hash } = await chain.node.getBlock({ blockTag: 'finalized' });
  const sender = createChainSender({
    rpcUrls: [rpc.url],
    tokenAddress: chain.token.address,
    timeoutMs: 5_000,
  });
  const addresses = Array.from({ length: 700 }, (_, n) =>
    n === 600 ? address : `0x${String(n).padStart(40, '1')}`,
  );
  const singly = await sender.tokenBalances(addresses, { hash });
  await addMulticall(chain);
  await chain.finalize();
  const { hash: later } = await chain.node.getBlock({ blockTag: 'finalized' });
  rpc.seen.length = 0;
  expect(await sender.tokenBalances(addresses, { hash: later })).toEqual(singly);
  expect(singly[600]).toBe(usdt(10));
  expect(rpc.seen.map(({ method }) => method)).toEqual(['eth_call', 'eth_call']);
});
