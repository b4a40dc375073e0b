import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import {
  createEngineWorld,
  type EngineWorld,
  PAID,
} from '../../../../../../../tests/support/world/engine-world.ts';

// Patience, not a measure: each test lets many blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const DAY_MS = 86_400_000;
let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world?.close());
afterEach(() => world.payOut());

const topups = () =>
  world.owner<{ wei: string; state: string }>(
    `SELECT amount_units::text AS wei, state FROM transfer WHERE kind = 'gas_topup' ORDER BY created_at`,
  );
const problems = async (kind: string) =>
  (
    await world.owner<{ problem: string | null }>(
      `SELECT DISTINCT problem FROM transfer WHERE kind = '${kind}' AND state = 'planned'`,
    )
  ).map(({ problem }) => problem);
const again = () => world.owner('UPDATE transfer SET retry_at = NULL');
const sum = (rows: { wei: string }[]) => rows.reduce((total, { wei }) => total + BigInt(wei), 0n);

test('workers at once order no more coin in a day than they may, and go on a day later', async () => {
  const place = await world.addCommunity();
  for (let n = 0; n < 6; n += 1) await world.addPaid(place, 50);
  await world.distribute(place.id);
  const { maxFee } = await world.engineWith().chain.currentFee();
  const before = sum(await topups());
  // Two of the deposit addresses get coin, and the others nothing.
  const perTopup = 200_000n * maxFee;
  const gasBounds = { perTopup, perDay: before + perTopup * 2n + perTopup / 10n };
  await Promise.all([1, 2, 3].map(() => world.turn({ gasBounds })));
  const ordered = await topups();
  expect(sum(ordered)).toBeLessThanOrEqual(gasBounds.perDay);
  expect(sum(ordered)).toBeGreaterThan(before);
  for (const { wei } of ordered) expect(BigInt(wei)).toBeLessThanOrEqual(perTopup);
  expect(await problems('consolidate')).toContain('gas_limit_reached');
  for (let n = 0; n < 4; n += 1) {
    await again();
    await world.turn({ gasBounds });
    await world.chain.finalize();
  }
  expect(sum(await topups())).toBeLessThanOrEqual(gasBounds.perDay);
  // The orders of yesterday do not count any more.
  const tomorrow = () => new Date(Date.now() + DAY_MS + 60_000);
  await again();
  await world.turn({ gasBounds, now: tomorrow });
  expect(sum(await topups())).toBeGreaterThan(gasBounds.perDay);
  await world.payOut();
  expect(await world.paidState(place)).toEqual(PAID);
});

test('a top-up that its row says is larger than one may be is not signed', async () => {
  const place = await world.addCommunity();
  await world.addPaid(place, 50);
  await world.distribute(place.id);
  await world.turn({ inFlight: 0 });
  const gasWallet = await world.gasWalletId();
  const to = place.wallet;
  await world.owner(
    `INSERT INTO transfer (kind, wallet_id, to_address, amount_units) VALUES ('gas_topup', $1, $2, $3)`,
    [gasWallet, to, (10n ** 18n).toString()],
  );
  const own = { gasBounds: { perTopup: 10n ** 17n, perDay: 10n ** 19n } };
  for (let n = 0; n < 2; n += 1) {
    await again();
    await world.turn(own);
  }
  const forged = `FROM transfer WHERE kind = 'gas_topup' AND to_address = $1`;
  const rows = await world.owner(`SELECT state, problem ${forged}`, [to]);
  await world.owner(`DELETE ${forged}`, [to]);
  expect(rows).toEqual([{ state: 'planned', problem: 'gas_limit_reached' }]);
});

test('no transfer of tokens above the hard maximum is signed, whatever the limits of payouts', async () => {
  const place = await world.orderPayout(80);
  const [largest] = await world.owner<{ units: string }>(
    `SELECT max(amount_units)::text AS units FROM transfer WHERE kind = 'consolidate' AND community_id = $1`,
    [place.id],
  );
  const units = BigInt(largest?.units ?? 0);
  const signed = () =>
    world.owner(
      `SELECT FROM transfer WHERE kind = 'consolidate' AND community_id = $1 AND sent_at IS NOT NULL`,
      [place.id],
    );
  const bound = { limits: { perTransaction: null, perDay: null }, hardMaxUnits: units - 1n };
  for (let n = 0; n < 4; n += 1) {
    await again();
    await world.turn(bound);
    await world.chain.finalize();
  }
  expect(await signed()).toHaveLength(0);
  expect(await problems('consolidate')).toEqual(['over_hard_max']);
  await again();
  await world.turn({ hardMaxUnits: units });
  expect(await signed()).toHaveLength(1);
  await world.payOut();
  expect(await world.paidState(place)).toEqual(PAID);
});
