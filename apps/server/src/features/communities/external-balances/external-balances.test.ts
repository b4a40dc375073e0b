import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newAddress } from '../../../../../../tests/support/world/addresses.ts';
import { watchOf } from '../../../../../../tests/support/world/chain-watch.ts';
import { createOwingWorld, type OwingWorld } from '../../../../../../tests/support/world/owing-world.ts';
import { createPayingChain, type PayingChain } from '../../../../../../tests/support/world/paying-chain.ts';
import { addPayout } from '../../../../../../tests/support/world/payouts.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import { createChainSender } from '../../../integrations/chain/chain-sender.ts';
import { type ExternalBalances, readExternalBalances } from './read-external-balances.ts';

let world: OwingWorld;
let chain: PayingChain;
/** The clock of the worker. */
let at: Date;
beforeAll(async () => {
  chain = await createPayingChain();
  world = await createOwingWorld({ env: { TOKEN_ADDRESS: chain.token.address } });
}, 60_000);
afterAll(async () => {
  await chain?.stop();
  await world?.close();
});
beforeEach(async () => {
  // The wire leaves trailing zeros of a second away: this has none.
  at = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 123);
  // Those of the demo world, and of the test before.
  await world.owner('UPDATE community SET external_wallet_address = NULL');
  await world.owner('DELETE FROM chain_cursor');
});

const passMinutes = (minutes: number) => {
  at = new Date(at.getTime() + minutes * 60_000);
};
function balances(changes: Partial<ExternalBalances> = {}): ExternalBalances {
  const { db, token, chain: reader } = watchOf(world, chain);
  const { tokenBalances } = createChainSender({
    rpcUrls: [chain.url],
    tokenAddress: chain.token.address,
    timeoutMs: 5_000,
  });
  return { db, token, now: () => at, finalizedBlock: reader.finalizedBlock, tokenBalances, ...changes };
}
const walletsOf = async (id: string) => {
  const query = { include_config: 'true' } as const;
  const one = await world.ask('GET /api/communities/{id}', { params: { id }, query });
  const list = await world.ask('GET /api/super-admin/communities', { query: {} });
  const listed = list.body.data.find((community) => community.id === id);
  expect(one.body.data.wallets).toEqual(listed?.wallets);
  return one.body.data.wallets;
};

test('the worker reads the final balance, again after five minutes', async () => {
  const community = await world.addCommunity();
  await chain.pay(community.external, usdt(25) + 1n);
  await chain.finalize();
  expect(await readExternalBalances(balances())).toBe(1);
  expect((await walletsOf(community.id))?.external).toEqual({
    address: community.external,
    balance: '25.000000000000000001',
    balance_read_at: at.toISOString(),
    balance_missing: null,
  });

  await chain.pay(community.external, usdt(5));
  passMinutes(4);
  expect(await readExternalBalances(balances())).toBe(0);
  passMinutes(2);
  expect(await readExternalBalances(balances())).toBe(1);
  expect((await walletsOf(community.id))?.external.balance).toBe('25.000000000000000001');
  await chain.finalize();
  passMinutes(6);
  await readExternalBalances(balances());
  expect((await walletsOf(community.id))?.external).toMatchObject({
    balance: '30.000000000000000001',
    balance_read_at: at.toISOString(),
  });
});

test('a payout of ours has the balance read again', async () => {
  const community = await world.addCommunity();
  await readExternalBalances(balances());
  const pay = (status: string) =>
    addPayout(world.owner, community.id, {
      recipient_type: 'community',
      recipient_address: community.external,
      amount_units: usdt(9),
      status,
      consolidate_transaction_hash: `0x${'9'.repeat(64)}`,
      distribute_transaction_hash: `0x${'9'.repeat(64)}`,
      created_at: at,
      updated_at: at,
    });
  passMinutes(1);
  await pay('failed');
  expect(await readExternalBalances(balances())).toBe(0);
  await pay('distributed');
  expect(await readExternalBalances(balances())).toBe(1);
  expect(await readExternalBalances(balances())).toBe(0);
});

test('without a balance the answer says why', async () => {
  const community = await world.addCommunity();
  const external = async () => (await walletsOf(community.id))?.external;
  const none = { balance: null, balance_read_at: null };
  expect(await external()).toMatchObject({ ...none, balance_missing: 'no_chain' });
  await world.owner(
    `INSERT INTO chain_cursor (chain_id, token_address, block_number, block_hash)
     VALUES (56, $1, 1, '0x' || repeat('a', 64))`,
    [chain.token.address.toLowerCase()],
  );
  expect(await external()).toMatchObject({ ...none, balance_missing: 'not_read' });
  await readExternalBalances(balances());
  expect(await external()).toMatchObject({ balance: '0', balance_missing: null });
  await world.owner('UPDATE community SET external_wallet_address = NULL WHERE id = $1', [community.id]);
  expect(await external()).toMatchObject({ ...none, address: null, balance_missing: 'no_address' });
});

test('a balance is never shown for another address', async () => {
  const community = await world.addCommunity();
  await chain.pay(community.external, usdt(7));
  await chain.finalize();
  const next = newAddress();
  const change = () =>
    world.owner('UPDATE community SET external_wallet_address = $2 WHERE id = $1', [community.id, next]);
  const { tokenBalances } = balances();
  // The address changes while the chain is asked.
  await readExternalBalances(
    balances({
      tokenBalances: async (...asked) => {
        await change();
        return tokenBalances(...asked);
      },
    }),
  );
  expect((await walletsOf(community.id))?.external).toMatchObject({ address: next, balance: null });
  expect(await readExternalBalances(balances())).toBe(1);
  expect((await walletsOf(community.id))?.external).toMatchObject({ address: next, balance: '0' });
});

test('a late worker does not overwrite a newer reading', async () => {
  const community = await world.addCommunity();
  const { finalizedBlock } = balances();
  const before = await finalizedBlock();
  await chain.pay(community.external, usdt(3));
  await chain.finalize();
  await readExternalBalances(balances());
  passMinutes(6);
  await readExternalBalances(balances({ finalizedBlock: async () => before }));
  expect((await walletsOf(community.id))?.external.balance).toBe('3');
});

test('an unreachable chain leaves the last reading, with its age', async () => {
  const community = await world.addCommunity();
  await readExternalBalances(balances());
  const readAt = at.getTime();
  passMinutes(6);
  const silent = createChainSender({
    rpcUrls: ['http://127.0.0.1:9'],
    tokenAddress: chain.token.address,
    timeoutMs: 500,
  });
  await expect(readExternalBalances(balances({ tokenBalances: silent.tokenBalances }))).rejects.toThrow();
  const external = (await walletsOf(community.id))?.external;
  expect(external?.balance).toBe('0');
  expect(Date.parse(external?.balance_read_at ?? '')).toBe(readAt);
});

test('the internal balance is the same in every call', async () => {
  const community = await world.addCommunity();
  const inBoth = async () => {
    const { body } = await world.ask('GET /api/communities/{id}/wallet-balance', {
      params: { id: community.id },
    });
    const internal = (await walletsOf(community.id))?.internal;
    expect(internal).toEqual({ address: body.data.address, balance: body.data.balance });
    return internal?.balance;
  };
  expect(await inBoth()).toBe('0');
  await world.owner(
    `DO $$ DECLARE account uuid; BEGIN
       INSERT INTO ledger_account (kind, owner_id, asset)
         VALUES ('community_wallet', '${community.id}', 'USDT') RETURNING id INTO account;
       UPDATE ledger_balance SET posted = 1500000000000000000 WHERE account_id = account;
     END $$`,
  );
  expect(await inBoth()).toBe('1.5');
});
