import type { Call, CallAnswer, CallInput } from '@copydesk/contract';
import { checksum } from 'ox/Address';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { notPassed, passedFiles } from '../../../../../tests/support/journey.ts';
import { send } from '../../../../../tests/support/send.ts';
import { readerOf, watchOf } from '../../../../../tests/support/world/chain-watch.ts';
import { allowTips } from '../../../../../tests/support/world/invoicing.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../tests/support/world/invoicing-world.ts';
import { createPayingChain, type PayingChain } from '../../../../../tests/support/world/paying-chain.ts';
import { findUnsound } from '../../../../../tests/support/world/sound-invoices.ts';
import { usdt } from '../../../../../tests/support/world/usdt.ts';
import { WHOLE_SCOPE } from '../../platform/db/database.ts';
import { listOwingAddresses } from './deposits.store.ts';
import { recordIncoming } from './incoming-transfers.ts';
import { pruneOtherTokens, recordOtherTokens } from './watch/record-other-tokens.ts';
import { searchAllAddresses } from './watch/search-all-addresses.ts';
import { type ChainWatch, watchChain } from './watch/watch-chain.ts';

let world: InvoicingWorld;
let chain: PayingChain;
beforeAll(async () => {
  chain = await createPayingChain();
  world = await createInvoicingWorld({ env: { TOKEN_ADDRESS: chain.token.address } });
  await allowTips(world.owner, 10n ** 20n);
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
const watchedTo = async () =>
  (await world.owner('SELECT block_number::text AS number FROM chain_cursor'))[0] as { number: string };
const stateOf = async (traderId: string) => {
  const [invoice] = await world.invoicesOf(traderId);
  return [invoice?.status, invoice?.settled_by, invoice?.paid];
};
const deposits = (traderId: string) =>
  world.owner('SELECT transaction_hash, amount_units::text AS units FROM deposit WHERE trader_id = $1', [
    traderId,
  ]);

test('a transfer to the address on an invoice pays it once it is final, to the unit', async () => {
  const { id, address } = await traderOwing(10);
  const hash = await chain.pay(address, usdt(10) - 1n);
  await read();
  expect(await stateOf(id)).toEqual(['pending', null, '0']);
  await chain.finalize();
  await read();
  expect(await stateOf(id)).toEqual(['pending', null, (usdt(10) - 1n).toString()]);
  expect(await deposits(id)).toEqual([{ transaction_hash: hash, units: (usdt(10) - 1n).toString() }]);
  await chain.pay(address, 3n);
  await chain.finalize();
  await read();
  expect(await stateOf(id)).toEqual(['paid', 'chain', (usdt(10) + 2n).toString()]);
  expect(await findUnsound(world)).toEqual({});
});

test('a transfer whose block disappears before it is final is never booked', async () => {
  const { id, address } = await traderOwing(10);
  await chain.pay(address, usdt(10));
  await read();
  await chain.node.request({ method: 'anvil_reorg' as never, params: [3, []] as never });
  // What was in those blocks waits to be mined again, and is dropped: it is not sent a second time.
  await chain.node.request({ method: 'anvil_dropAllTransactions' as never });
  await chain.finalize();
  await read();
  expect(await stateOf(id)).toEqual(['pending', null, '0']);
  expect(await deposits(id)).toEqual([]);
});

test('without finality on the chain, a number of confirmations makes a transfer final', async () => {
  const { id, address } = await traderOwing(10);
  const { chain: reader } = watchOf(world, chain, { confirmations: 1 });
  await chain.pay(address, usdt(10));
  await read(watchOf(world, chain, { confirmations: 1 }));
  expect(await stateOf(id)).toEqual(['pending', null, '0']);
  await chain.mine(1);
  expect((await reader.finalizedBlock()).number).toBe(
    (await chain.node.getBlockNumber({ cacheTime: 0 })) - 1n,
  );
  await read(watchOf(world, chain, { confirmations: 1 }));
  expect(await stateOf(id)).toEqual(['paid', 'chain', usdt(10).toString()]);
});

test('ignores other tokens and unknown addresses', async () => {
  const { id, address } = await traderOwing(10);
  await chain.pay(address, usdt(10), await chain.otherToken());
  await chain.pay(`0x${'5'.repeat(40)}`, usdt(10));
  await chain.finalize();
  await read();
  expect(await deposits(id)).toEqual([]);
  expect(await stateOf(id)).toEqual(['pending', null, '0']);
});

test('transfers that arrived while no worker ran are found, in as many requests as necessary', async () => {
  const { id, address } = await traderOwing(10);
  for (const blocks of [3, 20, 1]) {
    await chain.pay(address, usdt(2));
    await chain.mine(blocks);
  }
  await chain.finalize();
  await read(watchOf(world, chain, { blocksAtOnce: 2 }));
  expect(await stateOf(id)).toEqual(['pending', null, usdt(6).toString()]);
});

test('transfers of one look are applied to invoices in their order, whoever sent them', async () => {
  const [first, second] = [await traderOwing(10), await traderOwing(10)];
  for (const units of [usdt(4), usdt(7), usdt(2)]) {
    await chain.pay(first.address, units);
    await chain.pay(second.address, units + 1n);
  }
  await chain.finalize();
  await read(watchOf(world, chain, { blocksAtOnce: 500 }));
  const paidOf = async (traderId: string) =>
    (
      await world.owner<{ units: string; tip: string }>(
        `SELECT m.amount_units::text AS units, m.tip_units::text AS tip
         FROM invoice_payment m JOIN payment p ON p.id = m.payment_id JOIN deposit d ON d.payment_id = p.id
         WHERE p.trader_id = $1 ORDER BY d.block_number, d.log_index`,
        [traderId],
      )
    ).map(({ units, tip }) => [BigInt(units), BigInt(tip)]);
  expect(await paidOf(first.id)).toEqual([
    [usdt(4), 0n],
    [usdt(7), usdt(1)],
    [usdt(2), usdt(2)],
  ]);
  expect(await paidOf(second.id)).toEqual([
    [usdt(4) + 1n, 0n],
    [usdt(7) + 1n, usdt(1) + 2n],
    [usdt(2) + 1n, usdt(2) + 1n],
  ]);
});

test('five workers at once, and a cursor that was put back, book every transfer once', async () => {
  const { id, address } = await traderOwing(100);
  const [before] = await world.owner<{ block_number: string; block_hash: string }>(
    'SELECT * FROM chain_cursor',
  );
  for (let n = 0; n < 6; n++) await chain.pay(address, usdt(1));
  await chain.finalize();
  await Promise.all(
    Array.from({ length: 5 }, () => world.withDatabase((db) => read(watchOf(world, chain, { db })))),
  );
  expect(await stateOf(id)).toEqual(['pending', null, usdt(6).toString()]);
  await world.owner('UPDATE chain_cursor SET block_number = $1, block_hash = $2', [
    before?.block_number,
    before?.block_hash,
  ]);
  await read();
  expect(await stateOf(id)).toEqual(['pending', null, usdt(6).toString()]);
  expect(await deposits(id)).toHaveLength(6);
  expect(await findUnsound(world)).toEqual({});
});

test('a worker that dies between the chain and the booking books it after its restart, once', async () => {
  const { id, address } = await traderOwing(10);
  await chain.pay(address, usdt(4));
  await chain.finalize();
  const dying = watchOf(world, chain, {
    book: async () => {
      throw new Error('killed');
    },
  });
  await expect(read(dying)).rejects.toThrow('killed');
  await read();
  await read();
  expect(await stateOf(id)).toEqual(['pending', null, usdt(4).toString()]);
});

test('an amount that the books cannot count is set aside, and everything beside it is booked', async () => {
  const [absurd, other] = [await traderOwing(10), await traderOwing(10)];
  const hash = await chain.pay(absurd.address, 10n ** 38n);
  await chain.pay(other.address, usdt(10));
  await chain.pay(absurd.address, usdt(10));
  await chain.finalize();
  await read();
  expect(await stateOf(other.id)).toEqual(['paid', 'chain', usdt(10).toString()]);
  expect(await stateOf(absurd.id)).toEqual(['paid', 'chain', usdt(10).toString()]);
  const { data } = await ask('GET /api/super-admin/deposit-reading', {});
  expect(data).toMatchObject({ stopped_because: null, needs_review: false, set_aside_count: 1 });
  expect(data.set_aside).toMatchObject([
    {
      trader: { id: absurd.id },
      amount: (10n ** 20n).toString(),
      transaction_hash: hash,
      reason: 'amount_too_large',
    },
  ]);
  expect(await findUnsound(world)).toEqual({});
});

test('amounts that only together are too much for the books: those that fit are booked', async () => {
  await world.owner('DELETE FROM deposit_set_aside');
  const [absurd, other] = [await traderOwing(10), await traderOwing(10)];
  const most = 6n * 10n ** 37n;
  await chain.pay(absurd.address, most);
  await chain.pay(absurd.address, most);
  await chain.pay(other.address, usdt(10));
  await chain.finalize();
  await read();
  expect(await stateOf(absurd.id)).toEqual(['paid', 'chain', most.toString()]);
  expect(await stateOf(other.id)).toEqual(['paid', 'chain', usdt(10).toString()]);
  const { data } = await ask('GET /api/super-admin/deposit-reading', {});
  expect(data).toMatchObject({ stopped_because: null, set_aside: [{ reason: 'cannot_be_booked' }] });
  expect(await findUnsound(world)).toEqual({});
});

test('a transfer that is not final is noted as on its way, and forgotten once it is booked', async () => {
  const { id, address } = await traderOwing(10);
  await read();
  await chain.pay(address, usdt(4));
  const incoming = () =>
    world.owner<{ units: string }>(
      'SELECT amount_units::text AS units FROM incoming_transfer WHERE trader_id = $1',
      [id],
    );
  const { token, db } = watchOf(world, chain);
  const watch = { db, token, chain: readerOf(chain) };
  await Promise.all([recordIncoming(watch), recordIncoming(watch)]);
  expect(await incoming()).toEqual([{ units: usdt(4).toString() }]);
  expect(await stateOf(id)).toEqual(['pending', null, '0']);
  await chain.finalize();
  await read();
  await recordIncoming(watch);
  expect(await incoming()).toEqual([]);
  expect(await stateOf(id)).toEqual(['pending', null, usdt(4).toString()]);
});

test('what is on its way is written when it changes, and not for archived invoices', async () => {
  const [owing, archived] = [await traderOwing(10), await traderOwing(10)];
  await world.owner('UPDATE invoice SET is_archived = true WHERE trader_id = $1', [archived.id]);
  await read();
  for (const { address } of [owing, archived]) await chain.pay(address, usdt(4));
  const { token, db } = watchOf(world, chain);
  let writes = 0;
  const counted: typeof db = {
    ...db,
    write: (...asked) => {
      writes += 1;
      return db.write(...asked);
    },
  };
  const turn = async () => {
    writes = 0;
    await recordIncoming({ db: counted, token, chain: readerOf(chain) });
    return writes;
  };
  expect([await turn(), await turn()]).toEqual([1, 0]);
  expect(
    await world.owner('SELECT trader_id FROM incoming_transfer WHERE trader_id = ANY ($1)', [
      [owing.id, archived.id],
    ]),
  ).toEqual([{ trader_id: owing.id }]);
  expect(await db.read(WHOLE_SCOPE, listOwingAddresses)).not.toContain(archived.address.toLowerCase());
  // Late money is booked all the same.
  await chain.finalize();
  await read();
  expect([await turn(), await turn()]).toEqual([1, 0]);
  expect(
    await world.owner('SELECT amount_units::text AS units FROM deposit WHERE trader_id = $1', [archived.id]),
  ).toEqual([{ units: usdt(4).toString() }]);
  expect(await stateOf(archived.id)).toEqual(['pending', null, usdt(4).toString()]);
});

test('other tokens at an address of ours are listed with what they call themselves, and never booked', async () => {
  const { id, address } = await traderOwing(10);
  const { token, db } = watchOf(world, chain);
  await read();
  const reader = { db, token, blocksAtOnce: 500, chain: readerOf(chain), now: () => new Date() };
  await recordOtherTokens(reader);
  const other = await chain.otherToken();
  const hash = await chain.pay(address, usdt(123), other);
  await chain.finalize();
  await read();
  while (await recordOtherTokens(reader)) {
    // until the final block
  }
  // Servers that fail are asked again later, and a contract that says nothing of itself is not.
  const wordsOf = (address: string) =>
    world.owner(
      'SELECT symbol, decimals, ask_at IS NULL AS "isAsked" FROM other_token WHERE token_address = $1',
      [address],
    );
  const address0 = other.address.toLowerCase();
  const known = await wordsOf(address0);
  expect(known).toMatchObject([{ decimals: 18, isAsked: true }]);
  await world.owner('UPDATE other_token SET symbol = NULL, decimals = NULL, ask_at = now(), asks = 0');
  let asked = 0;
  const failing = {
    otherTransfersIn: reader.chain.otherTransfersIn,
    wordsOf: () => {
      asked += 1;
      return Promise.reject(new Error('no server answers'));
    },
  };
  await recordOtherTokens({ ...reader, chain: failing });
  await recordOtherTokens({ ...reader, chain: failing });
  expect([asked, await wordsOf(address0)]).toEqual([1, [{ symbol: null, decimals: null, isAsked: false }]]);
  await recordOtherTokens({ ...reader, now: () => new Date(Date.now() + 61_000) });
  expect(await wordsOf(address0)).toEqual(known);
  await world.owner(
    `INSERT INTO other_token (chain_id, token_address) SELECT $1, '0x' || lpad(to_hex(n), 40, '0') FROM generate_series(4096, 4120) n`,
    [token.chainId],
  );
  await recordOtherTokens(reader);
  const waiting = () => world.owner('SELECT count(*)::int AS n FROM other_token WHERE ask_at IS NOT NULL');
  expect(await waiting()).toEqual([{ n: 5 }]);
  await recordOtherTokens(reader);
  expect(await waiting()).toEqual([{ n: 0 }]);
  // A turn without new blocks and without contracts to ask writes nothing.
  let written = 0;
  const counted: typeof db = {
    ...db,
    write: (...args) => {
      written += 1;
      return db.write(...args);
    },
  };
  await recordOtherTokens({ ...reader, db: counted });
  expect(written).toBe(0);
  // Reading the same blocks again adds nothing.
  await world.owner('UPDATE other_token_cursor SET block_number = block_number - 10');
  await Promise.all([recordOtherTokens(reader), recordOtherTokens(reader)]);
  const { data, meta } = await ask('GET /api/payments/other-tokens', { query: {} });
  // As explorers write it, although it is stored in lower case.
  const contract = checksum(other.address);
  expect(data).toMatchObject([
    { token_address: contract, amount: '123', has_decimals: true, trader: { id }, transaction_hash: hash },
  ]);
  expect(meta).toMatchObject({
    total: 1,
    tokens: [{ token_address: contract, transfers: 1, amount: '123' }],
  });
  expect(await deposits(id)).toEqual([]);
  expect(await stateOf(id)).toEqual(['pending', null, '0']);
  expect(await pruneOtherTokens(reader)).toBe(0);
  const inAYear = new Date(Date.now() + 366 * 86_400_000);
  expect(await pruneOtherTokens({ db, now: () => inAYear })).toBe(1);
  const { meta: later } = await ask('GET /api/payments/other-tokens', { query: {} });
  expect(later).toMatchObject({ total: 0, tokens: [] });
});

test('the journey from a deposit to an invoice passes every file that its README names', async () => {
  const { address } = await traderOwing(10);
  await chain.pay(address, usdt(10));
  await chain.finalize();
  const passed = await passedFiles(() => read());
  const journey = { readme: 'deposits', journey: 'The journey from a deposit to an invoice' };
  // The worker's composition, the stream to consoles of another process, and an interface.
  const elsewhere = [
    'wiring/worker/chain-watch-loop.ts',
    'platform/http/events/change-feed.ts',
    'core/chain/transfer-receiver.ts',
  ];
  expect(notPassed(journey, passed, elsewhere)).toEqual([]);
});

test('other tokens are found at every address of ours in turn, once, by one worker, and no block is left out', async () => {
  await world.owner('TRUNCATE other_token_cursor, other_token, other_token_transfer');
  const { address: owing } = await traderOwing(10);
  const quiet = await world.addTrader();
  const address = `0x${'5d'.repeat(20)}`;
  await world.owner('UPDATE trader SET deposit_address = $2 WHERE id = $1', [quiet.id, address]);
  const { token, db } = watchOf(world, chain);
  await read();
  let at = Date.now();
  const all = {
    db,
    token,
    chain: readerOf(chain),
    blocksAtOnce: 5,
    addressesAtOnce: 1,
    now: () => new Date(at),
  };
  await recordOtherTokens({ ...all, blocksAtOnce: 500 });
  const cursor = async () =>
    (
      await world.owner(
        `SELECT searched_to::int AS "to", searching_to::int AS "end", after_address AS after FROM other_token_cursor`,
      )
    )[0] as { to: number; end: number | null; after: string };
  /** Takes turns until a round ends. */
  const round = async () => {
    const { to } = await cursor();
    for (let turn = 0; (await cursor()).to === to; turn += 1) {
      expect(turn).toBeLessThan(200);
      await searchAllAddresses(all);
    }
  };
  const other = await chain.otherToken();
  const sent = [await chain.pay(address, usdt(1), other), await chain.pay(owing, usdt(2), other)];
  await chain.finalize();
  sent.push(await chain.pay(address, usdt(3), other));
  await chain.finalize();
  await read();
  // Addresses that owe are searched at once, and only those.
  while (await recordOtherTokens({ ...all, blocksAtOnce: 500 })) {
    // until the final block
  }
  const listed = async () =>
    (
      await world.owner('SELECT transaction_hash AS hash FROM other_token_transfer ORDER BY amount_units')
    ).map(({ hash }) => hash);
  expect(await listed()).toEqual([sent[1]]);
  // Begins where the reading of those began.
  await world.owner('UPDATE other_token_cursor SET block_number = $1', [
    Number((await chain.node.getTransactionReceipt({ hash: sent[0] as `0x${string}` })).blockNumber) - 1,
  ]);
  // A failure is repeated at the same address, a minute later, by any worker.
  await searchAllAddresses(all);
  const before = await cursor();
  expect(before.after).not.toBe('');
  const failing = {
    ...all,
    chain: { otherTransfersIn: () => Promise.reject(new Error('no server answers')) },
  };
  await expect(searchAllAddresses(failing)).rejects.toThrow('no server answers');
  await searchAllAddresses(all);
  expect(await cursor()).toEqual(before);
  at += 60_000;
  // While one worker searches, another one does not.
  let asked = 0;
  const searching = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const slow = {
    ...all,
    chain: {
      otherTransfersIn: async (...args: Parameters<typeof all.chain.otherTransfersIn>) => {
        asked += 1;
        searching.resolve();
        await released.promise;
        return all.chain.otherTransfersIn(...args);
      },
    },
  };
  const first = searchAllAddresses(slow);
  await searching.promise;
  await searchAllAddresses(slow);
  expect(asked).toBe(1);
  released.resolve();
  await first;
  expect((await cursor()).after > before.after).toBe(true);
  const last = Number((await watchedTo()).number);
  while ((await cursor()).to < last) {
    const from = (await cursor()).to;
    await round();
    // Each round begins after the last block of the one before.
    expect((await cursor()).to - from).toBeLessThanOrEqual(5);
    at += 600_000;
  }
  expect(await listed()).toEqual(sent);
  // A server that does not have the blocks yet proves nothing.
  await expect(
    all.chain.otherTransfersIn({ from: 1n, to: BigInt(last) + 1_000n }, [address]),
  ).rejects.toThrow('is not there yet');
});
