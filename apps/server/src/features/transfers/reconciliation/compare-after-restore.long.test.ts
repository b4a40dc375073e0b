import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { copyDatabase } from '../../../../../../tests/support/copy-database.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { runAdmin } from '../../../../../../tests/support/run-admin.ts';
import { AUDIT_KEY, AUDIT_KEY_TEXT } from '../../../../../../tests/support/test-app.ts';
import { createPayingWorld, type PayingWorld } from '../../../../../../tests/support/world/paying-world.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import { createPool } from '../../../platform/db/connection/connection.ts';
import { createDatabase } from '../../../platform/db/database.ts';
import { findAfterRestore, secureRestored } from '../../../wiring/after-restore.ts';
import { checkNonces } from '../engine/check-nonces.ts';
import { takeTransferTurn } from '../engine/transfer-turn.ts';

// Patience, not a measure: payouts become final meanwhile.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 180_000 });

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

async function recordReading(): Promise<void> {
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
  await recordReading();
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

  const found = (findings.sent ?? []).map(({ hash, to, units }) => ({
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
  expect(again).toMatchObject({ released: 0, sent: { length: found.length } });
});

/** What another program restored: nothing in it says so. */
async function restoredByOthers(amounts: number[]) {
  const owing: Awaited<ReturnType<typeof addOwing>>[] = [];
  for (const amount of amounts) owing.push(await addOwing(amount));
  await recordReading();
  const backup = await copyDatabase(world.ownerUrl);
  onTestFinished(backup.drop);
  for (const { id } of owing) await world.distribute(id);
  await world.payOut();
  const db = createDatabase({
    pool: createPool({ url: backup.ownerUrl, applicationName: 'test-restored' }),
    auditKey: AUDIT_KEY,
    now: () => new Date(),
  });
  onTestFinished(() => db.close());
  const admin = (...args: string[]) =>
    runAdmin(
      {
        DATABASE_URL: backup.ownerUrl,
        AUDIT_KEY: AUDIT_KEY_TEXT,
        CREDENTIALS_KEY: 'a master key for these tests and no others',
        CREDENTIALS_INDEX_KEY: 'an index key for these tests and no others',
        CHAIN_RPC_URLS: world.chain.url,
        TOKEN_ADDRESS: world.chain.token.address,
      },
      ...args,
    );
  const stops = () =>
    asOwner<{ origin: string; reason: string }>(
      backup.ownerUrl,
      'SELECT origin, reason FROM transfer_stop WHERE lifted_at IS NULL',
    );
  return { owing, backup, db, admin, stops };
}

/** Wallets that have sent something since then: their addresses. */
async function movedSince(ownerUrl: string): Promise<string[]> {
  const then = await asOwner<{ address: string; next: string }>(
    ownerUrl,
    'SELECT lower(address) AS address, next_nonce::text AS next FROM chain_wallet',
  );
  const nonces = new Map(then.map(({ address, next }) => [address, next]));
  const now = await world.owner<{ address: string; next: string }>(
    'SELECT lower(address) AS address, next_nonce::text AS next FROM chain_wallet',
  );
  return now.flatMap(({ address, next }) => (next === (nonces.get(address) ?? '0') ? [] : address)).sort();
}

test('whoever restored it, after-restore stops payments and names each wallet that is ahead', async () => {
  const { owing, backup, admin, stops } = await restoredByOthers([70, 80, 90]);
  const moved = await movedSince(backup.ownerUrl);
  expect(moved.length).toBeGreaterThanOrEqual(6);

  // Nothing has been told to it, and it is not asked to secure anything.
  const checked = await admin('check');
  expect(checked.code).toBe(1);
  const line = checked.output.split('\n').find((each) => each.includes('Wallets: ')) ?? '';
  expect(line).toMatch(/^WRONG\tWallets: the chain has transactions of \d+ that the books do not have/);
  for (const { wallet } of owing) expect(line.toLowerCase()).toContain(wallet.toLowerCase());
  expect(await stops()).toEqual([]);

  const { code, output } = await admin('after-restore');
  expect(code, output).toBe(0);
  expect(output).toMatch(/^All payments are stopped, for every worker\.\n/);
  const listed = [...output.matchAll(/^ {2}(0x[0-9a-f]{40}) {2}.* transactions on chain/gm)]
    .map(([, address]) => address)
    .sort();
  expect(listed).toEqual(moved);
  const hashes = await world.owner<{ hash: string }>(
    `SELECT t.hash FROM transfer i JOIN transfer_attempt t ON t.transfer_id = i.id AND t.is_success
     WHERE i.community_id = ANY ($1) AND i.kind IN ('distribute', 'consolidate')`,
    [owing.map(({ id }) => id)],
  );
  expect(hashes.length).toBeGreaterThan(0);
  for (const { hash } of hashes) expect(output).toContain(hash);
  expect(await stops()).toEqual([{ origin: 'command', reason: expect.stringContaining('was restored') }]);
  const unfrozen = await asOwner<{ address: string }>(
    backup.ownerUrl,
    'SELECT lower(address) AS address FROM chain_wallet WHERE frozen_because IS NULL',
  );
  for (const { address } of unfrozen) expect(moved).not.toContain(address);

  // Asked again, it says the same.
  expect((await admin('after-restore')).output).toBe(output);
  const after = await admin('check');
  expect(after.output).toContain('WRONG\tPayments: stopped since ');
});

test('a worker that starts on it finds that out, signs nothing, and stops all payments', async () => {
  const { owing, backup, db, admin, stops } = await restoredByOthers([40]);
  const [community] = owing;
  const countSent = () =>
    world.chain.node.getTransactionCount({
      address: community?.wallet as `0x${string}`,
      blockTag: 'pending',
    });
  const sent = await countSent();
  const engine = world.engineWith({ db, resendMs: 0, stuckMs: 0 });
  // A server that gives out before any wallet is frozen takes nothing of it away.
  let checks = 0;
  const failing = {
    ...engine.chain,
    check: async (chainId: number) => {
      checks += 1;
      if (checks > 1) throw new Error('the server gave out');
      return engine.chain.check(chainId);
    },
  };
  await expect(checkNonces({ ...engine, chain: failing })).rejects.toThrow('gave out');
  expect(await stops()).toHaveLength(1);
  await checkNonces(engine);
  expect(await stops()).toEqual([
    { origin: 'alert', reason: expect.stringMatching(/^The chain has transactions of .*after-restore$/) },
  ]);
  for (let round = 0; round < 3; round++) {
    await takeTransferTurn(engine);
    await world.chain.finalize();
  }
  expect(await countSent()).toBe(sent);
  const signed = await asOwner(
    backup.ownerUrl,
    'SELECT t.hash FROM transfer_attempt t JOIN transfer i ON i.id = t.transfer_id WHERE i.community_id = $1',
    [community?.id],
  );
  expect(signed).toEqual([]);

  // The worker's stop has ended no session, and mails that waited then were sent since.
  const left = () =>
    asOwner(
      backup.ownerUrl,
      `SELECT (SELECT count(*)::int FROM identity.session) AS sessions,
         (SELECT count(*)::int FROM mail WHERE state = 'waiting') AS mails`,
    );
  await asOwner(
    backup.ownerUrl,
    `INSERT INTO mail (id, kind, recipient, ciphertext, wrapped_key, master_key_id, due_at,
      expires_at, created_at)
    VALUES (gen_random_uuid(), 'account_changed', 'a@example.com', '\\x00', '\\x00', 'x', now(), now(), now())`,
  );
  expect(await left()).toEqual([{ sessions: expect.any(Number), mails: 1 }]);
  expect((await admin('after-restore')).code).toBe(0);
  expect(await left()).toEqual([{ sessions: 0, mails: 0 }]);
});
