import { unitsToDecimal } from '@copydesk/domain/money';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { isLong } from '../../../../../../../tests/support/long-test.ts';
import { newAddress } from '../../../../../../../tests/support/world/addresses.ts';
import {
  createEngineWorld,
  type EngineWorld,
} from '../../../../../../../tests/support/world/engine-world.ts';
import type { OwingCommunity } from '../../../../../../../tests/support/world/owing-world.ts';

// Patience, not a measure: each test lets many blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** The reasons that `npm test` tries; the others go the same way. */
const IN_SHORT = ['not_approved', 'amount_differs', 'shares_differ'];

let world: EngineWorld;
let community: OwingCommunity;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  community = await world.orderPayout();
});
afterEach(() => world.payOut());

/** Writes what no rule of the database allows, as whoever owns it could. */
async function tamper(statement: string): Promise<void> {
  const triggers = (what: 'DISABLE' | 'ENABLE') =>
    TABLES.map((table) => `ALTER TABLE ${table} ${what} TRIGGER USER`).join('; ');
  await world.owner(triggers('DISABLE'));
  try {
    await world.owner(statement);
  } finally {
    await world.owner(triggers('ENABLE'));
  }
}
const TABLES = ['transfer', 'payout', 'payable', 'distribution', 'invoice', 'deposit'];
const setAside = ({ id }: OwingCommunity) =>
  world.owner(
    `SELECT kind, state, problem_detail AS why, nonce FROM transfer
     WHERE community_id = $1 AND problem = 'not_backed' ORDER BY kind`,
    [id],
  );
const firstOf = async (kind: string) =>
  (await world.transfersOf(community.id)).find(
    (transfer) => transfer.kind === kind && transfer.state === 'planned',
  );

describe('a payout is not signed', () => {
  const TAMPERED: [why: string, statement: (payoutId: string) => string][] = [
    [
      'not_approved',
      () => `UPDATE distribution SET state = 'awaiting_approval' WHERE community_id = '${community.id}'`,
    ],
    [
      'orderer_gone',
      (id) => `UPDATE payout SET ordered_by_id = (SELECT user_id::text FROM identity.user_access
        WHERE NOT super LIMIT 1) WHERE id = '${id}'`,
    ],
    [
      'wrong_recipient',
      (id) => `UPDATE transfer SET to_address = '${newAddress()}' WHERE payout_id = '${id}'`,
    ],
    ['wrong_recipient', (id) => `UPDATE payout SET recipient_address = '${newAddress()}' WHERE id = '${id}'`],
    [
      'amount_differs',
      (id) => `UPDATE transfer SET amount_units = amount_units + 1 WHERE payout_id = '${id}'`,
    ],
    ['shares_differ', (id) => `UPDATE payable SET amount_units = amount_units - 1 WHERE payout_id = '${id}'`],
    [
      'wrong_token',
      (id) => `UPDATE transfer SET token_address = '${newAddress()}' WHERE payout_id = '${id}'`,
    ],
    [
      'order_differs',
      () => `UPDATE distribution SET amount_units = 1 WHERE community_id = '${community.id}'`,
    ],
    [
      'unfounded_share',
      (
        id,
      ) => `DELETE FROM deposit WHERE trader_id IN (SELECT v.trader_id FROM payable y JOIN invoice v ON v.id = y.invoice_id
        WHERE y.payout_id = '${id}')`,
    ],
    [
      'unfounded_share',
      (id) =>
        `UPDATE invoice SET split = '[]' WHERE id IN (SELECT y.invoice_id FROM payable y WHERE y.payout_id = '${id}')`,
    ],
    [
      'unfounded_share',
      (id) => `UPDATE invoice SET settled_by = 'manual' WHERE id IN (
        SELECT y.invoice_id FROM payable y WHERE y.payout_id = '${id}')`,
    ],
  ];
  test.each(isLong ? TAMPERED : TAMPERED.filter(([why]) => IN_SHORT.includes(why)))(
    'that is %s',
    async (why, statement) => {
      await world.untilConsolidated(community);
      const payoutId = (await firstOf('distribute'))?.payout_id as string;
      await tamper(statement(payoutId));
      const { nonce } = {
        nonce: await world.chain.node.getTransactionCount({ address: community.wallet as `0x${string}` }),
      };
      await world.turn();
      const found = await world.owner(
        `SELECT state, problem_detail AS why, nonce FROM transfer WHERE payout_id = $1 AND problem = 'not_backed'`,
        [payoutId],
      );
      expect(found).toEqual([{ state: 'void', why, nonce: null }]);
      const [payout] = await world.owner('SELECT status, problem FROM payout WHERE id = $1', [payoutId]);
      expect(payout).toEqual({ status: 'failed', problem: 'not_backed' });
      expect((await world.auditOf(payoutId)).at(-1)).toMatchObject({
        action: 'transfer.set_aside',
        after: { because: why },
      });
      // The wallet goes on, and is not frozen.
      expect((await world.walletOf(community))?.frozen_because).toBeNull();
      expect((await nonceOf(community.wallet)) - nonce).toBeLessThan(RECIPIENTS);
    },
  );

  const RECIPIENTS = 4;
  const nonceOf = (address: string) =>
    world.chain.node.getTransactionCount({ address: address as `0x${string}` });

  test('that is wrong once and right again: a retry pays it', async () => {
    await world.untilConsolidated(community);
    const transfer = await firstOf('distribute');
    await tamper(`UPDATE transfer SET amount_units = amount_units + 1 WHERE id = '${transfer?.id}'`);
    await world.turn();
    expect(await world.call('POST', `/api/sweep-operations/${transfer?.payout_id}/retry`)).toMatchObject({
      status: 200,
    });
    await world.payOut();
    expect(await world.isPaid(community)).toBe(true);
  });
});

describe('what one person ordered alone', () => {
  const bound = (units: bigint) =>
    world.owner(
      `INSERT INTO platform_setting_default (name, value, noted_at) VALUES ('approval_above_usdt', $1, now())
       ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [JSON.stringify(unitsToDecimal(units))],
    );
  afterEach(() => world.owner('DELETE FROM platform_setting_default'));
  const reasons = async () => (await setAside(community)).map(({ why }) => why);

  test('within a day is paid up to the limit of the workers, whatever the database says', async () => {
    await world.untilConsolidated(community);
    // Every payout of this world was ordered by one person, in this hour.
    const [row] = await world.owner<{ units: string }>(`SELECT sum(amount_units)::text AS units FROM transfer
      WHERE kind = 'distribute' AND state IN ('planned', 'sent', 'final')`);
    const units = BigInt(row?.units ?? 0);
    await bound(units - 1n);
    await world.turn();
    const payouts = await world.payoutsOf(community.id);
    expect(await reasons()).toEqual(payouts.map(() => 'over_own_limit'));
    // What is set aside counts no more: the others of the day are within the limit, and one of these as well.
    const [first, ...others] = payouts;
    const retry = (id = '') => world.call('POST', `/api/sweep-operations/${id}/retry`);
    expect(await retry(first?.id)).toMatchObject({ status: 200 });
    await world.payOut();
    const statusOf = async (id = '') =>
      (await world.payoutsOf(community.id)).find((payout) => payout.id === id)?.status;
    expect(await statusOf(first?.id)).toBe('distributed');
    // That it claims to be older, or declined, gains nothing.
    await tamper(`UPDATE payout SET ordered_at = now() - interval '2 days', problem = 'declined'
      WHERE community_id <> '${community.id}' AND distribution_id IS NOT NULL`);
    for (const { id } of others) expect(await retry(id)).toMatchObject({ status: 200 });
    await world.payOut();
    const last = others.at(-1)?.id;
    expect(await reasons()).toEqual([...payouts, last].map(() => 'over_own_limit'));
    expect(await statusOf(last)).toBe('failed');
    // Another person stands behind it.
    expect(await retry(last)).toMatchObject({ status: 200 });
    await tamper(`UPDATE payout SET approved_by_id = 'another' WHERE community_id = '${community.id}'`);
    await world.payOut();
    expect(await world.isPaid(community)).toBe(true);
  });
});

describe('a consolidation is not signed', () => {
  test.each<[why: string, statement: (id: string) => string]>([
    ['wrong_recipient', (id) => `UPDATE transfer SET to_address = '${world.gasWallet}' WHERE id = '${id}'`],
    ['amount_differs', (id) => `UPDATE transfer SET amount_units = amount_units - 1 WHERE id = '${id}'`],
    ['wrong_share', (id) => `UPDATE payable SET paid_at = now() WHERE consolidation_id = '${id}'`],
  ])('that is %s', async (why, statement) => {
    const transfer = await firstOf('consolidate');
    await world.chain.giveCoin(transfer?.from_address as string, 10n ** 18n);
    await tamper(statement(transfer?.id as string));
    await world.turn();
    expect(await setAside(community)).toEqual([{ kind: 'consolidate', state: 'void', why, nonce: null }]);
    await tamper(`UPDATE payable SET paid_at = NULL WHERE consolidation_id = '${transfer?.id}'`);
    const [payout] = await world.payoutsOf(community.id);
    expect(await world.call('POST', `/api/sweep-operations/${payout?.id}/retry`)).toMatchObject({
      status: 200,
    });
    await world.payOut();
    expect(await world.isPaid(community)).toBe(true);
  });
});

const UNFOUNDED = [
  ['pool_return', 'wrong_wallet'],
  ['pool_collect', 'wrong_wallet'],
  ['pool_withdraw', 'no_fact'],
  ['pool_fund', 'no_fact'],
  ['pool_fee', 'no_fact'],
  ['pool_send_back', 'no_fact'],
  ['credit_return', 'no_fact'],
  ['consolidate', 'wrong_wallet'],
];
test.each(isLong ? UNFOUNDED : UNFOUNDED.slice(0, 3))(
  'a %s that no person ordered takes no nonce, and the wallet pays the others',
  async (kind, why) => {
    await world.untilConsolidated(community);
    const wallet = await world.walletOf(community);
    const to =
      kind === 'pool_collect' || kind === 'pool_fee' || kind === 'consolidate'
        ? community.wallet
        : newAddress();
    await tamper(
      `INSERT INTO transfer (kind, wallet_id, community_id, to_address, token_address, amount_units)
     VALUES ('${kind}', '${wallet?.id}', '${community.id}', '${to}', '${world.chain.token.address}', 1)`,
    );
    // A funding is not even ready without its cycle.
    const isReady = kind !== 'pool_fund';
    await world.payOut();
    expect(await setAside(community)).toEqual(isReady ? [{ kind, state: 'void', why, nonce: null }] : []);
    expect(await world.isPaid(community)).toBe(true);
    if (!isReady)
      await world.owner(`UPDATE transfer SET state = 'void', ended_at = now() WHERE kind = 'pool_fund'`);
  },
);
