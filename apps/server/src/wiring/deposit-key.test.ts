import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../tests/support/world/invoicing-world.ts';
import { accountKeyOf } from '../integrations/chain/account-key.ts';
import { agreeOnDepositKey, findConfirmedAddresses } from './deposit-key.ts';

let world: InvoicingWorld;
beforeAll(async () => {
  world = await createInvoicingWorld();
});
afterAll(() => world?.close());
beforeEach(() => world.owner('DELETE FROM deposit_key'));

const seed = randomBytes(32);
const [accountKey, otherKey] = [accountKeyOf(seed), accountKeyOf(randomBytes(32))];
const agree = (keys: { accountKey?: string; seed?: Uint8Array }) =>
  agreeOnDepositKey({ db: world.db, accountKey: undefined, ...keys });
const addresses = (key: string) => findConfirmedAddresses({ db: world.db, accountKey: key });

test('no address is given out before a worker with the seed has confirmed the key', async () => {
  await agree({ accountKey });
  expect(await addresses(accountKey)).toBeNull();
  await agree({ accountKey, seed });
  expect((await addresses(accountKey))?.at(0)).toMatch(/^0x/);
  expect(await addresses(otherKey)).toBeNull();
});

test('a worker with a key of another seed does not start, and confirms nothing', async () => {
  await expect(agree({ accountKey: otherKey, seed })).rejects.toThrow(
    /DEPOSIT_ACCOUNT_KEY is not the public key/,
  );
  await agree({ accountKey: otherKey });
  expect(await addresses(otherKey)).toBeNull();
});

test('once confirmed, no process starts with another key, nor a worker with another seed', async () => {
  await agree({ seed });
  await expect(agree({ accountKey: otherKey })).rejects.toThrow(/DEPOSIT_ACCOUNT_KEY is not the account key/);
  await expect(agree({ seed: randomBytes(32) })).rejects.toThrow(/WALLET_SEED is not the seed/);
  await agree({ accountKey });
});
