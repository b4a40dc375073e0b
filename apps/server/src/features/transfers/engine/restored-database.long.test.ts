import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { copyDatabase } from '../../../../../../tests/support/copy-database.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { AUDIT_KEY } from '../../../../../../tests/support/test-app.ts';
import { createPayingWorld, type PayingWorld } from '../../../../../../tests/support/world/paying-world.ts';
import { findUnpaid } from '../../../../../../tests/support/world/sound-payouts.ts';
import { createPool } from '../../../platform/db/connection/connection.ts';
import { createDatabase } from '../../../platform/db/database.ts';
import { checkNonces } from './check-nonces.ts';
import { takeTransferTurn } from './transfer-turn.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: PayingWorld;
beforeAll(async () => {
  world = await createPayingWorld();
});
afterAll(() => world?.close());

test('a database that was put back to before a payout freezes its wallets and sends nothing', async () => {
  const community = await world.addCommunity();
  await world.addPaid(community, 50);
  await world.distribute(community.id);
  const backup = await copyDatabase(world.ownerUrl);
  onTestFinished(backup.drop);
  await world.payOut();
  expect(await findUnpaid(world, world.chain.token, community.id)).toEqual([]);
  const sent = await countSent(community.wallet);
  const db = createDatabase({
    pool: createPool({ url: backup.ownerUrl, applicationName: 'test-backup' }),
    auditKey: AUDIT_KEY,
    now: () => new Date(),
  });
  onTestFinished(() => db.close());
  const engine = world.engineWith({ db, resendMs: 0, stuckMs: 0 });
  await checkNonces(engine);
  for (let round = 0; round < 5; round++) {
    await takeTransferTurn(engine);
    await world.chain.finalize();
  }
  const wallets = await asOwner(
    backup.ownerUrl,
    'SELECT role, frozen_because, next_nonce::text FROM chain_wallet ORDER BY role',
  );
  expect(wallets).toEqual(
    ['community', 'deposit', 'gas'].map((role) => ({ role, frozen_because: 'chain_ahead', next_nonce: '0' })),
  );
  expect(await countSent(community.wallet)).toBe(sent);
  expect(await findUnpaid(world, world.chain.token, community.id)).toEqual([]);
});
const countSent = (address: string) =>
  world.chain.node.getTransactionCount({ address: address as `0x${string}`, blockTag: 'pending' });
