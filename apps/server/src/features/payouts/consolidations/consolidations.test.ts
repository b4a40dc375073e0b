import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newAddress } from '../../../../../../tests/support/world/addresses.ts';
import { paidOnChain } from '../../../../../../tests/support/world/invoices.ts';
import {
  createOwingWorld,
  type OwingCommunity,
  type OwingWorld,
} from '../../../../../../tests/support/world/owing-world.ts';
import { addPayout } from '../../../../../../tests/support/world/payouts.ts';
import { expectSoundDistributions } from '../../../../../../tests/support/world/sound-distributions.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';

let world: OwingWorld;
let community: OwingCommunity;
beforeAll(async () => {
  world = await createOwingWorld();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  community = await world.addCommunity();
});

const consolidations = async () =>
  (await world.transfersOf(community.id)).filter(({ kind }) => kind === 'consolidate');
const statuses = async () => (await world.payoutsOf(community.id)).map(({ status }) => status);

describe('a deposit address', () => {
  test('is emptied once, and the next distribution uses the balance', async () => {
    const trader = await world.addPaid(community, 100, 20);
    await world.addPaid(community, 80);
    const first = await world.distribute(community.id, { selectedRecipients: [community.external] });
    expect(first.body.data).toMatchObject({
      total_amount: '10',
      consolidations: { count: 2, amount: '200' },
      transaction_count: 3,
    });
    const dry = await world.distribute(community.id, { dry_run: true });
    expect(dry.body.data).toMatchObject({ total_amount: '190', consolidations: { count: 0, amount: '0' } });
    const [one, other] = await consolidations();
    await world.endTransfer(one?.id as string, 'final');
    const second = await world.distribute(community.id);
    expect(second.body.data).toMatchObject({
      consolidations: { count: 0, amount: '0' },
      transaction_count: 3,
    });
    expect(await consolidations()).toHaveLength(2);
    expect(await statuses()).toEqual(Array.from({ length: 4 }, () => 'consolidating'));
    await world.endTransfer(other?.id as string, 'final');
    // What the same trader pays later is another matter, and all that is left at its address.
    await world.pay(trader.id, usdt(10));
    const third = await world.distribute(community.id);
    expect(third.body.data).toMatchObject({ total_amount: '10', consolidations: { count: 1, amount: '10' } });
    await expectSoundDistributions(world);
  });

  test('with tokens already in the wallet, payouts go out at once', async () => {
    await world.addPaid(community, 100);
    await world.distribute(community.id, { selectedRecipients: [community.external] });
    const [one] = await consolidations();
    await world.endTransfer(one?.id as string, 'final');
    const hash = `0x${'c'.repeat(64)}`;
    await world.owner(
      `INSERT INTO transfer_attempt (transfer_id, wallet_id, nonce, attempt, hash, raw, max_fee_wei, priority_fee_wei, gas_limit,
         block_number, block_hash, is_success, fee_wei)
       SELECT id, wallet_id, nonce, 1, $2, '0x00', 3000000000, 1, 60000, 7, $2, true, 100000000000000 FROM transfer
       WHERE id = $1`,
      [one?.id, hash],
    );
    const { body } = await world.distribute(community.id);
    expect(body.data).toMatchObject({ transaction_count: 3, expected_fee: '0.0003' });
    const rest = (await world.payoutsOf(community.id)).filter(({ status }) => status === 'consolidated');
    expect(rest).toHaveLength(3);
    const detail = await world.ask('GET /api/sweep-operations/{id}', {
      params: { id: rest[0]?.id as string },
    });
    expect(detail.body.data).toMatchObject({
      status: 'consolidated',
      consolidate_transaction_hash: hash,
      problem: null,
      transfer_count: 2,
      can_retry: false,
      can_cancel: true,
      transfers: [
        { kind: 'distribute', state: 'planned', from_address: community.wallet, nonce: null, attempts: [] },
        {
          kind: 'consolidate',
          state: 'final',
          to_address: community.wallet,
          amount: '100',
          nonce: 0,
          attempts: [
            {
              hash,
              attempt: 1,
              is_cancel: false,
              max_fee_gwei: '3',
              receipt: { block_number: 7, is_success: true, fee: '0.0001' },
            },
          ],
        },
      ],
    });
  });

  test('that a trader has none of cannot be emptied', async () => {
    const trader = await world.addPaid(community, 100);
    await world.owner('UPDATE trader SET deposit_address = NULL WHERE id = $1', [trader.id]);
    expect(await world.distribute(community.id)).toMatchObject({
      status: 409,
      body: {
        error: 'deposits_missing',
        message: '1 trader has no deposit address, so the tokens that it paid cannot be consolidated',
      },
    });
  });
});

test('shares whose consolidation failed are consolidated again when their own recipient is paid', async () => {
  await world.addPaid(community, 100);
  await world.distribute(community.id, { selectedRecipients: [community.external] });
  const [first] = await consolidations();
  await world.endTransfer(first?.id as string, 'reverted');
  const dry = await world.distribute(community.id, { dry_run: true });
  expect(dry.body.data.consolidations).toMatchObject({ count: 1 });
  const { status, body } = await world.distribute(community.id);
  expect(status).toBe(200);
  expect(body.data.consolidations).toEqual(dry.body.data.consolidations);
  expect((await consolidations()).map(({ state }) => state).sort()).toEqual(['planned', 'reverted']);
  const [stranded] = await world.owner(
    `SELECT count(*)::int AS n FROM payable y JOIN transfer c ON c.id = y.consolidation_id
     WHERE y.community_id = $1 AND c.state NOT IN ('planned', 'sent', 'final')`,
    [community.id],
  );
  expect(stranded).toEqual({ n: 0 });
  await expectSoundDistributions(world);
});

test('staff see neither the transfers of a payout nor its possible actions', async () => {
  await world.addPaid(community, 100);
  await world.distribute(community.id);
  const [payout] = await world.payoutsOf(community.id);
  const [staff] = await Promise.all([world.signIn('staff-multi')]);
  const { status, body } = await world.ask(
    'GET /api/sweep-operations/{id}',
    { params: { id: payout?.id as string } },
    {},
    staff,
  );
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    transfers: [],
    transfer_count: 0,
    can_retry: false,
    can_cancel: false,
  });
});

describe('invoices that were imported as paid', () => {
  /** A trader with invoices of 100 USDT that were paid on chain before there were books. */
  async function imported(count = 1) {
    const depositAddress = newAddress();
    const trader = await world.addTrader({
      community_id: community.id,
      selected_provider_id: community.providerId,
      deposit_address: depositAddress,
      books_opened_at: null,
    });
    const invoices = await world.addInvoices(trader.id, {
      count,
      ...paidOnChain(usdt(100)),
      payment_address: depositAddress,
      split: [
        { recipient_type: 'mark', units: String(usdt(60)) },
        { recipient_type: 'community', units: String(usdt(40)) },
      ],
    });
    await world.addPayables(invoices, newAddress());
    return { ...trader, invoices };
  }
  const journalsOf = (invoiceId: string) =>
    world.owner(`SELECT kind, source_type FROM journal WHERE source_id = $1 ORDER BY kind`, [invoiceId]);
  const OPENED = [
    { kind: 'deposit_received', source_type: 'opening' },
    { kind: 'invoice_issued', source_type: 'invoice' },
    { kind: 'invoice_paid', source_type: 'opening' },
  ];

  test('are paid out only after a look at the chain, which opens their books once', async () => {
    const { invoices } = await imported(2);
    expect(await world.pending(community.id)).toMatchObject({ totalAmount: '0', recipients: [] });
    expect((await world.pending(community.id)).held).toMatchObject([
      { recipientType: 'mark', amount: '120', reason: 'not_checked', payableFrom: null, canRelease: false },
      { recipientType: 'community', amount: '80', reason: 'not_checked' },
    ]);
    expect(await world.distribute(community.id)).toMatchObject({ body: { error: 'nothing_pending' } });
    await world.openAllBooks();
    const { body } = await world.distribute(community.id, { selectedRecipients: [community.external] });
    expect(body.data).toMatchObject({ total_amount: '80', consolidations: { count: 1, amount: '200' } });
    for (const id of invoices) expect(await journalsOf(id)).toEqual(OPENED);
    expect((await world.distribute(community.id)).body.data.total_amount).toBe('120');
    for (const id of invoices) expect(await journalsOf(id)).toEqual(OPENED);
    await expectSoundDistributions(world);
  });

  test('do not count a tip twice that came in later', async () => {
    const { id } = await imported();
    await world.pay(id, usdt(30));
    await world.openAllBooks();
    const { body } = await world.distribute(community.id);
    expect(body.data).toMatchObject({ total_amount: '130', consolidations: { count: 1, amount: '130' } });
    const [held] = await world.owner<{ posted: string; pending: string }>(
      `SELECT b.posted::text, b.pending::text FROM ledger_balance b JOIN ledger_account a ON a.id = b.account_id
       WHERE a.kind = 'deposit_wallet' AND a.owner_id = $1`,
      [id],
    );
    expect(held).toEqual({ posted: usdt(130).toString(), pending: usdt(130).toString() });
    await expectSoundDistributions(world);
  });

  test('keep the payouts that their recipients already had', async () => {
    const { id, invoices } = await imported(2);
    const payout = await addPayout(world.owner, community.id, {
      amount_units: usdt(60),
      status: 'distributed',
      distribute_transaction_hash: `0x${'d'.repeat(64)}`,
    });
    await world.owner(
      `UPDATE payable SET payout_id = $1, paid_at = now() WHERE invoice_id = $2 AND recipient_type = 'mark'`,
      [payout, invoices[0]],
    );
    await world.openAllBooks();
    const { body } = await world.distribute(community.id);
    expect(body.data).toMatchObject({ total_amount: '140', consolidations: { count: 1, amount: '140' } });
    const balances = await world.owner(
      `SELECT a.kind, b.posted::text, b.pending::text FROM ledger_balance b
       JOIN ledger_account a ON a.id = b.account_id
       WHERE (a.kind = 'deposit_wallet' AND a.owner_id = $1) OR (a.kind = 'community_wallet' AND a.owner_id = $2)
         OR (a.kind = 'payable_mark' AND a.owner_id = $3) ORDER BY a.kind`,
      [id, community.id, invoices[0]],
    );
    expect(balances).toEqual([
      { kind: 'community_wallet', posted: '0', pending: '0' },
      { kind: 'deposit_wallet', posted: usdt(140).toString(), pending: usdt(140).toString() },
      { kind: 'payable_mark', posted: '0', pending: '0' },
    ]);
    await expectSoundDistributions(world);
  });

  test('leave alone payouts under way at the time of the import', async () => {
    const { invoices } = await imported(2);
    const payout = await addPayout(world.owner, community.id, {
      amount_units: usdt(60),
      status: 'consolidating',
    });
    await world.owner(`UPDATE payable SET payout_id = $1 WHERE invoice_id = $2 AND recipient_type = 'mark'`, [
      payout,
      invoices[0],
    ]);
    await world.openAllBooks();
    const { body } = await world.distribute(community.id);
    expect(body.data).toMatchObject({ total_amount: '140', consolidations: { count: 1, amount: '140' } });
    for (const call of ['retry', 'cancel'] as const)
      expect(
        await world.ask(`POST /api/sweep-operations/{id}/${call}`, { params: { id: payout } }),
      ).toMatchObject({ status: 409, body: { error: 'payout_not_safe' } });
    await expectSoundDistributions(world);
  });

  test('without tokens at the deposit address were settled off the platform: nothing of them is owed', async () => {
    const { id, invoices } = await imported(3);
    await world.owner(`UPDATE invoice SET created_at = now() - interval '1 day' WHERE id = $1`, [
      invoices[1],
    ]);
    // Enough for one of the three and a half: the oldest is backed, and no other in part.
    await world.openAllBooks(() => usdt(150));
    const pending = await world.pending(community.id);
    expect(pending).toMatchObject({ totalAmount: '100', held: [] });
    const { body } = await world.distribute(community.id);
    expect(body.data).toMatchObject({ total_amount: '100', consolidations: { count: 1, amount: '100' } });
    const states = await world.owner(
      `SELECT i.id = $2 AS is_oldest, i.off_platform_units::text AS off, i.off_platform_reason AS reason,
         (SELECT count(*)::int FROM payable y WHERE y.invoice_id = i.id AND y.settled_at IS NOT NULL) AS settled
       FROM invoice i WHERE i.trader_id = $1 ORDER BY i.created_at, i.id`,
      [id, invoices[1]],
    );
    expect(states).toEqual([
      { is_oldest: true, off: '0', reason: null, settled: 0 },
      { is_oldest: false, off: usdt(100).toString(), reason: 'not_on_chain', settled: 2 },
      { is_oldest: false, off: usdt(100).toString(), reason: 'not_on_chain', settled: 2 },
    ]);
    expect((await world.auditOf(id)).at(-1)).toMatchObject({
      action: 'trader.books_opened',
      after: { invoices: 3, backed: '100', settled_off_platform: '200' },
    });
    await expectSoundDistributions(world);
  });
});
