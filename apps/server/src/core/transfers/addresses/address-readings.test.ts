import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAddress } from '../../../../../../tests/support/world/addresses.ts';
import {
  createOwingWorld,
  type OwingCommunity,
  type OwingWorld,
} from '../../../../../../tests/support/world/owing-world.ts';
import { createPayingChain, type PayingChain } from '../../../../../../tests/support/world/paying-chain.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import { createAddressReader } from '../../../integrations/chain/address-reader.ts';
import { takeAddressTurn } from './address-readings.ts';

let chain: PayingChain;
let world: OwingWorld;
let community: OwingCommunity;
let at = Date.now();
beforeAll(async () => {
  chain = await createPayingChain();
  world = await createOwingWorld({ env: { TOKEN_ADDRESS: chain.token.address, CHAIN_ID: '56' } });
  community = await world.addCommunity();
  // What the demo world has entered is read first.
  while (await turn());
}, 120_000);
afterAll(async () => {
  await world?.close();
  await chain?.stop();
});

const turn = (rpcUrls = [chain.url]) =>
  takeAddressTurn({
    db: world.db,
    chainId: 56,
    read: createAddressReader({ rpcUrls, timeoutMs: 5_000, chainId: 56, tokenAddress: chain.token.address }),
    now: () => new Date(at),
  });
const enter = async (address: string) => {
  const answer = await world.ask('PATCH /api/communities/{id}', {
    params: { id: community.id },
    body: { external_wallet_address: address },
  });
  expect(answer.status).toBe(200);
};
const shown = async () =>
  (
    await world.ask('GET /api/super-admin/communities/{id}/payout-addresses', {
      params: { id: community.id },
    })
  ).body.data.find(({ recipient_type: type }) => type === 'community');
const waiting = async () =>
  (await world.ask('GET /api/super-admin/payout-addresses', { query: {} }, {}, world.other)).body.data[0];
const release = (id: string) =>
  world.ask('POST /api/super-admin/payout-addresses/{id}/release', { params: { id } }, {}, world.other);

test('an entered address is not read yet, and then known: never used, or used', async () => {
  const address = newAddress();
  await enter(address);
  expect((await shown())?.chain).toBeNull();
  // No server answers: nothing is said.
  await expect(turn(['http://127.0.0.1:9'])).rejects.toThrow();
  expect((await waiting())?.chain).toBeNull();
  expect(await turn()).toBe(false);
  const unused = { is_contract: false, is_token: false, is_used: false };
  expect((await shown())?.chain).toMatchObject(unused);
  expect((await waiting())?.chain).toMatchObject(unused);
  // It waits for a release, so it is read again, but not at once.
  await chain.pay(address, usdt(1));
  await turn();
  expect((await shown())?.chain).toMatchObject(unused);
  at += 3_600_001;
  await turn();
  expect((await shown())?.chain).toMatchObject({ ...unused, is_used: true });
});

test('coin and transactions of its own are traces too', async () => {
  const address = newAddress();
  await chain.giveCoin(address, 1n);
  await enter(address);
  await turn();
  expect((await shown())?.chain).toMatchObject({ is_used: true });
});

test('a contract is information: it is released like any wallet', async () => {
  const safe = newAddress();
  // Answers every call with nothing, like the fallback of a Safe.
  await chain.node.setCode({ address: safe as `0x${string}`, bytecode: '0x00' });
  await enter(safe);
  await turn();
  const change = await waiting();
  expect(change?.chain).toMatchObject({ is_contract: true, is_token: false, is_used: true });
  expect((await release(change?.change_id as string)).status).toBe(200);
});

test('a contract of tokens is not released, by nobody', async () => {
  const { address } = await chain.otherToken();
  await enter(address);
  await turn();
  const change = await waiting();
  expect(change?.chain).toMatchObject({ is_contract: true, is_token: true });
  const id = change?.change_id as string;
  expect(await release(id)).toMatchObject({ status: 409, body: { error: 'address_is_token' } });
  await expect(
    world.owner(`SET LOCAL ROLE copydesk_app; SELECT set_config('copydesk.scope', 'all', true);
      UPDATE payout_address_change SET released_at = now(), released_by = 'x', released_by_id = (SELECT id::text
        FROM identity.person WHERE email = 'super-2@demo.example') WHERE id = '${id}'`),
  ).rejects.toThrow(/contract of tokens is not paid/);
});

test('only workers write what the chain knows', async () => {
  await expect(
    world.owner(`SET LOCAL ROLE copydesk_app; SELECT set_config('copydesk.scope', 'all', true);
      UPDATE address_reading SET is_token = false`),
  ).rejects.toThrow(/permission denied/);
});
