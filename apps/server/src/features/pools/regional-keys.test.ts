import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  poolAccount,
  poolState,
  startSimulatedPools,
} from '../../../../../tests/support/exchanges/simulated-pools.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { POOL_KEYS } from '../../../../../tests/support/test-keys.ts';
import { addCommunity } from '../../../../../tests/support/world/communities.ts';
import { type Owner, ownerOf } from '../../../../../tests/support/world/rows.ts';
import { usdt } from '../../../../../tests/support/world/usdt.ts';
import { readDuePools } from './reading/read-pools.ts';

let venue: Awaited<ReturnType<typeof startSimulatedPools>>;
/** Bybit's platforms for Kazakhstan and the EEA: each knows its own keys only. */
let regions: Record<'kz' | 'eu', typeof venue>;
let product: TestApp;
let owner: Owner;
let superAdmin: string;
let secondSuper: string;
let communityId: string;
beforeAll(async () => {
  regions = {
    kz: await startSimulatedPools([poolState(17, { unified: usdt(500) }), poolState(19)]),
    eu: await startSimulatedPools([poolState(18)]),
  };
  const bybitRegions = { kz: regions.kz.url, eu: regions.eu.url };
  venue = await startSimulatedPools([poolState(11)], { settings: { regionUrls: bybitRegions } });
  product = await createTestApp({
    scale: 0.02,
    env: { EXCHANGE_BYBIT_URL: venue.url },
    exchangeClock: venue.now,
    bybitRegions,
  });
  owner = ownerOf(product.ownerUrl);
  superAdmin = await product.signIn('super');
  secondSuper = await product.signIn('super-2');
});
afterAll(async () => {
  await product?.close();
  for (const each of [venue, regions?.kz, regions?.eu]) await each?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  communityId = await addCommunity(owner, []);
});

const connect = (account: number) => {
  const { apiKey, secretKey } = poolAccount(account).credentials;
  return send(
    product.app,
    'POST /api/pooled-accounts',
    { body: { community_id: communityId, apiKey, secretKey, minimum_deposit: '100' } },
    superAdmin,
  );
};
const decide = (orderId: string, act: 'approve') =>
  send(product.app, `POST /api/orders/{id}/${act}`, { params: { id: orderId } }, secondSuper);
const read = () =>
  readDuePools({ db: product.db, poolKeys: POOL_KEYS, venue: venue.reads, now: venue.now, everyMs: 0 });
const poolOf = async (id: string) =>
  (await send(product.app, 'GET /api/pooled-accounts/{id}', { params: { id } }, superAdmin)).json().data;

test('a key of a regional platform is connected, read and replaced there, and nowhere else', async () => {
  const { order_id: orderId, id } = (await connect(17)).json().data;
  const stored = () => owner('SELECT bybit_uid, bybit_region FROM pooled_account WHERE id = $1', [id]);
  expect(await stored()).toEqual([{ bybit_uid: poolState(17).uid, bybit_region: 'kz' }]);
  await decide(orderId, 'approve');
  const asked = () => [venue, regions.kz, regions.eu].map(({ requests }) => requests.list().length);
  const before = asked();
  await read();
  expect(await poolOf(id)).toMatchObject({ bybit_problem: null, bybit_read: { balance: '500' } });
  // The stored key is described there as well, and the main platform, which would refuse it, is not asked.
  const account = await send(
    product.app,
    'GET /api/pooled-accounts/ip-whitelist/{id}',
    { params: { id } },
    superAdmin,
  );
  expect(account.statusCode, account.body).toBe(200);
  const ours = (places: number[]) => [places[1] as number, places[2] as number];
  expect(asked()[1]).toBeGreaterThan(ours(before)[0] as number);
  expect(asked()[2]).toBe(ours(before)[1]);
  const replace = (apiKey: string, secretKey: string) =>
    send(
      product.app,
      'PUT /api/pooled-accounts/{id}/key',
      { params: { id }, body: { apiKey, secretKey } },
      superAdmin,
    );
  const own = poolAccount(17).credentials;
  expect((await replace(own.apiKey, own.secretKey)).json()).toMatchObject({ success: true });
  const neighbour = poolAccount(19).credentials;
  expect((await replace(neighbour.apiKey, neighbour.secretKey)).json().error).toBe('pool_other_account');
  // An account of the same number at the main platform is another one.
  await owner('UPDATE pooled_account SET bybit_region = NULL WHERE id = $1', [id]);
  expect((await replace(own.apiKey, own.secretKey)).json().error).toBe('pool_other_account');
  await read();
  expect((await poolOf(id)).bybit_problem).toMatch(/credentials/);
  await owner(`UPDATE pooled_account SET bybit_region = 'kz' WHERE id = $1`, [id]);
});

test('a key of a platform without what a pool needs is refused with the reason', async () => {
  const answer = await connect(18);
  expect([answer.statusCode, answer.json().error]).toEqual([422, 'pool_key_refused']);
  expect(answer.json().message).toContain('Bybit EU');
  expect(await owner('SELECT FROM pooled_account WHERE community_id = $1', [communityId])).toEqual([]);
});
