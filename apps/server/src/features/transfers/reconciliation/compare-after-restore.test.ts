import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { copyDatabase } from '../../../../../../tests/support/copy-database.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { AUDIT_KEY } from '../../../../../../tests/support/test-app.ts';
import { createPayingWorld, type PayingWorld } from '../../../../../../tests/support/world/paying-world.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import { createPool } from '../../../platform/db/connection.ts';
import { createDatabase } from '../../../platform/db/database.ts';
import { findAfterRestore } from '../../../wiring/after-restore.ts';
import { secureRestored } from '../../../wiring/secure-restored.ts';

// Patience, not a measure: payouts become final meanwhile.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const OPERATOR = { kind: 'system', id: 'operator', name: 'Operator' } as const;

let world: PayingWorld;
beforeAll(async () => {
  world = await createPayingWorld();
});
afterAll(() => world?.close());

async function addOwing(amount: number) {
  const community = await world.addCommunity();
  await world.addPaid(community, amount);
  return community;
}

async function noteReading(): Promise<void> {
  const { number, hash } = await world.chain.node.getBlock({ blockTag: 'finalized' });
  await world.owner(
    `INSERT INTO chain_cursor (chain_id, token_address, block_number, block_hash) VALUES (56, $1, $2, $3)
     ON CONFLICT (chain_id, token_address) DO UPDATE SET block_number = $2, block_hash = $3`,
    [world.chain.token.address.toLowerCase(), Number(number), hash],
  );
}

test('after a restore, wallets that sent nothing are released, and payouts made since are found', async () => {
  // Before the backup: one payout is final, another one is ordered, a third community owes.
  const early = await addOwing(30);
  await world.distribute(early.id);
  await world.payOut();
  const late = await addOwing(50);
  const quiet = await addOwing(20);
  await noteReading();
  const backup = await copyDatabase(world.ownerUrl);
  onTestFinished(backup.drop);

  // Since: the late one is paid, which the backup knows nothing of.
  await world.distribute(late.id);
  await world.payOut();
  const paid = await world.owner<{ hash: string; to: string; units: string }>(
    `SELECT t.hash, lower(i.to_address) AS to, i.amount_units::text AS units
     FROM transfer i JOIN transfer_attempt t ON t.transfer_id = i.id AND t.is_success
     WHERE i.community_id = $1 AND i.kind IN ('distribute', 'consolidate')`,
    [late.id],
  );

  const db = createDatabase({
    pool: createPool({ url: backup.ownerUrl, applicationName: 'test-restored' }),
    auditKey: AUDIT_KEY,
    now: () => new Date(),
  });
  onTestFinished(() => db.close());
  await secureRestored(db, { takenAt: new Date().toISOString(), now: () => new Date() });
  const chain = {
    rpcUrls: [world.chain.url],
    chainId: 56,
    tokenAddress: world.chain.token.address,
    confirmations: null,
    timeoutMs: 5_000,
    blocksAtOnce: 2,
    minTipGwei: '0',
  };
  const findings = await findAfterRestore(db, { chain }, OPERATOR);

  const found = findings.sent.map(({ hash, to, units }) => ({
    hash,
    to: to.toLowerCase(),
    units: `${units}`,
  }));
  expect(found.sort((a, b) => a.hash.localeCompare(b.hash))).toEqual(
    paid.sort((a, b) => a.hash.localeCompare(b.hash)),
  );
  expect(paid.some(({ units }) => BigInt(units) === usdt(50))).toBe(true);
  const frozen = await asOwner<{ address: string }>(
    backup.ownerUrl,
    'SELECT lower(address) AS address FROM chain_wallet WHERE frozen_because IS NOT NULL ORDER BY 1',
  );
  const ahead = findings.ahead.map(({ address }) => address);
  expect(ahead).toContain(late.wallet.toLowerCase());
  expect(findings.released).toBeGreaterThan(0);
  // A row that is ahead stays frozen. An address without a row is frozen when it is to send: restored-database.test.ts.
  expect(frozen.map(({ address }) => address)).toEqual(
    findings.ahead.flatMap(({ id, address }) => (id === null ? [] : address)).sort(),
  );
  for (const { wallet } of [early, quiet]) expect(ahead).not.toContain(wallet.toLowerCase());

  // Asked again, it finds the same, and releases nothing more.
  const again = await findAfterRestore(db, { chain }, OPERATOR);
  expect(again).toMatchObject({ released: 0, sent: { length: findings.sent.length } });
});
