import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { checkNonces } from '../../apps/server/src/features/transfers/engine/check-nonces.ts';
import { takeTransferTurn } from '../../apps/server/src/features/transfers/engine/transfer-turn.ts';
import { createPool } from '../../apps/server/src/platform/db/connection.ts';
import { createDatabase } from '../../apps/server/src/platform/db/database.ts';
import { copyDatabase } from '../support/copy-database.ts';
import { asOwner } from '../support/owner.ts';
import { AUDIT_KEY } from '../support/test-app.ts';
import { createPayingWorld, type PayingWorld } from '../support/world/paying-world.ts';
import { findUnpaid } from '../support/world/sound-payouts.ts';

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
