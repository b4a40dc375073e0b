import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createOwingWorld,
  type OwingCommunity,
  type OwingWorld,
} from '../../../../../tests/support/world/owing-world.ts';
import { expectSoundDistributions } from '../../../../../tests/support/world/sound-distributions.ts';
import { usdt } from '../../../../../tests/support/world/usdt.ts';

let world: OwingWorld;
let community: OwingCommunity;
beforeAll(async () => {
  world = await createOwingWorld();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  community = await world.addCommunity();
});

const act = (what: 'retry' | 'cancel', id: string) =>
  world.ask(`POST /api/sweep-operations/{id}/${what}`, { params: { id } });
const detail = async (id: string) =>
  (await world.ask('GET /api/sweep-operations/{id}', { params: { id } })).body.data;
const fail = (id: string, problem: string) =>
  world.owner(`UPDATE payout SET status = 'failed', problem = $2 WHERE id = $1`, [id, problem]);
const REFUSED = {
  status: 409,
  body: {
    error: 'payout_not_safe',
    message: 'The outcome of this payout on chain is not certain yet. Nothing was changed.',
  },
};

/** One payout of the community's own share, and what it takes. */
async function payout() {
  const trader = await world.addPaid(community, 100);
  const { body } = await world.distribute(community.id, { selectedRecipients: [community.external] });
  const transfers = await world.transfersOf(community.id);
  const idOf = (kind: string) => transfers.find((transfer) => transfer.kind === kind)?.id as string;
  return {
    traderId: trader.id,
    id: body.data.payouts[0]?.id as string,
    transfer: idOf('distribute'),
    consolidation: idOf('consolidate'),
  };
}

type End = 'planned' | 'sent' | 'final' | 'reverted' | 'cancelled' | 'void';
const end = async (transferId: string, state: End) => {
  if (state === 'void')
    await world.owner(`UPDATE transfer SET state = 'void', ended_at = now() WHERE id = $1`, [transferId]);
  else if (state !== 'planned') await world.endTransfer(transferId, state);
};

describe('a failed payout', () => {
  test.each<[consolidation: End, transfer: End, allowed: boolean]>([
    ['planned', 'planned', true],
    ['planned', 'void', true],
    ['sent', 'planned', true],
    ['sent', 'void', true],
    ['final', 'planned', true],
    ['final', 'sent', false],
    ['final', 'final', false],
    ['final', 'reverted', true],
    ['final', 'cancelled', true],
    ['final', 'void', true],
    ['reverted', 'planned', true],
    ['cancelled', 'void', true],
  ])('whose consolidation is %s and transfer %s: retry %s', async (consolidation, transfer, allowed) => {
    const made = await payout();
    await end(made.consolidation, consolidation);
    await end(made.transfer, transfer);
    await fail(made.id, 'reverted');
    expect((await detail(made.id)).can_retry).toBe(allowed);
    const before = await world.counted();
    const answer = await act('retry', made.id);
    if (!allowed) {
      expect(answer).toMatchObject(REFUSED);
      expect(await world.counted()).toEqual(before);
      return;
    }
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: { id: made.id, status: consolidation === 'final' ? 'consolidated' : 'consolidating' },
      },
    });
    const transfers = await world.transfersOf(community.id);
    const live = (kind: string) =>
      transfers.filter((each) => each.kind === kind && ['planned', 'sent', 'final'].includes(each.state));
    expect(live('distribute')).toMatchObject([{ state: 'planned', units: usdt(5).toString() }]);
    expect(live('distribute')[0]?.id === made.transfer).toBe(transfer === 'planned');
    expect(live('consolidate')).toHaveLength(1);
    expect(live('consolidate')[0]?.id === made.consolidation).toBe(
      !['reverted', 'cancelled'].includes(consolidation),
    );
    expect(await detail(made.id)).toMatchObject({ problem: null, can_retry: false, can_cancel: true });
    expect((await world.auditOf(made.id)).map(({ action }) => action)).toEqual(['payout.retried']);
    expect(await act('retry', made.id)).toMatchObject(REFUSED);
    await expectSoundDistributions(world);
  });

  test('takes along the payouts that failed because of the same deposit, as one act', async () => {
    const made = await payout();
    const rest = await world.distribute(community.id);
    const others = rest.body.data.payouts.map(({ id }) => id as string);
    const [cancelled, ...waiting] = others as [string, ...string[]];
    await world.pay(made.traderId, usdt(3));
    await end(made.consolidation, 'reverted');
    for (const id of [made.id, ...others]) await fail(id, 'consolidation_reverted');
    expect(await act('cancel', cancelled)).toMatchObject({ status: 200 });
    const taken = (await detail(made.id)).retried_with.map(({ id }) => id);
    expect(taken.sort()).toEqual(waiting.toSorted());
    const { body } = await act('retry', made.id);
    expect(body.data).toMatchObject({ status: 'consolidating', retried_with: { length: waiting.length } });
    // One consolidation moves everything that the address holds, also for a payout that a person cancelled.
    const consolidations = (await world.transfersOf(community.id)).filter(
      ({ kind, state }) => kind === 'consolidate' && state === 'planned',
    );
    expect(consolidations).toMatchObject([{ units: usdt(103).toString() }]);
    for (const id of waiting) {
      expect(await detail(id)).toMatchObject({ status: 'consolidating', can_retry: false });
      expect((await world.auditOf(id)).at(-1)).toMatchObject({
        action: 'payout.retried',
        after: { with: made.id },
      });
    }
    await end(consolidations[0]?.id as string, 'sent');
    // A person takes up the cancelled one while the deposit is on its way.
    expect(await detail(cancelled)).toMatchObject({ status: 'failed', can_retry: true, retried_with: [] });
    expect(await act('retry', cancelled)).toMatchObject({ body: { data: { status: 'consolidating' } } });
    await expectSoundDistributions(world);
  });

  test('does not keep the shares of others from being distributed', async () => {
    const made = await payout();
    await world.distribute(community.id);
    await end(made.consolidation, 'reverted');
    for (const { id } of await world.payoutsOf(community.id)) await fail(id, 'consolidation_reverted');
    await world.pay(made.traderId, usdt(3));
    const dry = await world.distribute(community.id, { dry_run: true });
    const { status, body } = await world.distribute(community.id);
    expect({ status, ...body.data.consolidations }).toEqual({ status: 200, count: 1, amount: '103' });
    expect(dry.body.data.consolidations).toEqual(body.data.consolidations);
    expect(await detail(made.id)).toMatchObject({ status: 'failed', can_retry: true });
    expect(await act('retry', made.id)).toMatchObject({ body: { data: { status: 'consolidating' } } });
    await expectSoundDistributions(world);
  });

  test('is paid again once, by however many at once', async () => {
    const made = await payout();
    await end(made.consolidation, 'final');
    await end(made.transfer, 'reverted');
    await fail(made.id, 'reverted');
    const answers = await Promise.all(Array.from({ length: 20 }, () => act('retry', made.id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await world.transfersOf(community.id)).filter(({ state }) => state === 'planned')).toHaveLength(
      1,
    );
  });
});

test.each(['pending', 'consolidating', 'consolidated', 'distributing'])(
  'a payout that is %s is not paid again',
  async (status) => {
    const made = await payout();
    await world.owner('UPDATE payout SET status = $2 WHERE id = $1', [made.id, status]);
    expect(await act('retry', made.id)).toMatchObject(REFUSED);
  },
);

describe('a payout is taken back', () => {
  test('at once when nothing was signed, and can be paid again', async () => {
    const made = await payout();
    expect(await act('cancel', made.id)).toMatchObject({
      status: 200,
      body: { data: { id: made.id, status: 'failed' } },
    });
    expect(await detail(made.id)).toMatchObject({
      problem: 'cancelled',
      can_retry: true,
      can_cancel: false,
      transfer_count: 2,
    });
    expect(await act('cancel', made.id)).toMatchObject(REFUSED);
    expect(await act('retry', made.id)).toMatchObject({ body: { data: { status: 'consolidating' } } });
    expect((await world.auditOf(made.id)).map(({ action }) => action)).toEqual([
      'payout.cancelled',
      'payout.retried',
    ]);
    await expectSoundDistributions(world);
  });

  test('by its nonce after it was sent, which is requested once', async () => {
    const made = await payout();
    await end(made.consolidation, 'final');
    await end(made.transfer, 'sent');
    await world.owner(`UPDATE payout SET status = 'distributing' WHERE id = $1`, [made.id]);
    expect(await act('cancel', made.id)).toMatchObject({ body: { data: { status: 'distributing' } } });
    const transfers = await world.transfersOf(community.id);
    expect(transfers.find(({ id }) => id === made.transfer)).toMatchObject({
      state: 'sent',
      is_cancel_asked: true,
    });
    expect((await detail(made.id)).can_cancel).toBe(false);
    expect(await act('cancel', made.id)).toMatchObject(REFUSED);
    expect((await world.auditOf(made.id)).map(({ action }) => action)).toEqual(['payout.cancel_asked']);
  });

  test.each<End>(['final', 'reverted', 'cancelled', 'void'])('not when it is %s', async (state) => {
    const made = await payout();
    await end(made.transfer, state);
    expect(await act('cancel', made.id)).toMatchObject(REFUSED);
  });
});

describe('a frozen wallet', () => {
  const unfreeze = (id: string, body: object = { reason: 'Looked at' }) =>
    world.askAnything('POST /api/super-admin/wallets/{id}/unfreeze', { params: { id }, body });
  const frozen = async () =>
    (await world.ask('GET /api/super-admin/wallets', { query: {} })).body as {
      data: { id: string }[];
      meta: { total: number };
    };

  test("sends again from the state of the chain, on a person's reason", async () => {
    await payout();
    const [wallet] = await world.owner<{ id: string }>(
      `UPDATE chain_wallet SET frozen_because = 'nonce_ahead', frozen_at = now(), next_nonce = 3, chain_nonce = 7
       WHERE owner_id = $1 RETURNING id`,
      [community.id],
    );
    const id = wallet?.id as string;
    expect(await frozen()).toMatchObject({
      data: [
        {
          id,
          role: 'community',
          owner_id: community.id,
          address: community.wallet,
          frozen_because: 'nonce_ahead',
        },
      ],
      meta: { total: 1 },
    });
    expect(await unfreeze(id, {})).toMatchObject({
      status: 400,
      body: { details: [{ path: 'reason', message: 'Required' }] },
    });
    expect(await unfreeze(id, { reason: ' ' })).toMatchObject({ status: 400 });
    expect(await unfreeze(id)).toMatchObject({ status: 200, body: { data: { id } } });
    expect(await frozen()).toMatchObject({ data: [], meta: { total: 0 } });
    const [row] = await world.owner('SELECT next_nonce::int, frozen_at FROM chain_wallet WHERE id = $1', [
      id,
    ]);
    expect(row).toEqual({ next_nonce: 7, frozen_at: null });
    expect(await world.auditOf(id)).toEqual([
      {
        action: 'wallet.unfrozen',
        before: { address: community.wallet, because: 'nonce_ahead', next_nonce: '3' },
        after: { reason: 'Looked at', next_nonce: '7' },
      },
    ]);
    expect(await unfreeze(id)).toMatchObject({ status: 409, body: { error: 'wallet_not_frozen' } });
  });

  test('never goes back to nonces that it has handed out', async () => {
    await payout();
    const [wallet] = await world.owner<{ id: string }>(
      `UPDATE chain_wallet SET frozen_because = 'nonce_unknown', frozen_at = now(), next_nonce = 9, chain_nonce = 7
       WHERE owner_id = $1 RETURNING id`,
      [community.id],
    );
    await unfreeze(wallet?.id as string);
    const [row] = await world.owner('SELECT next_nonce::int FROM chain_wallet WHERE id = $1', [wallet?.id]);
    expect(row).toEqual({ next_nonce: 9 });
  });
});
