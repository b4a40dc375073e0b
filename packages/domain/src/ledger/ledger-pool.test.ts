import { describe, expect, test } from 'vitest';
import { allocateResult } from '../pools/capital/allocation.ts';
import { applyJournal, type JournalDraft } from './ledger.ts';
import { accountKey, ledgerAccount } from './ledger-accounts.ts';
import { LedgerError } from './ledger-error.ts';
import { invoiceIssued, type LedgerInvoice } from './ledger-invoice.ts';
import * as pool from './ledger-pool.ts';
import { poolFeeCharged, poolFeeMoved } from './ledger-pool-fee.ts';
import { VALUED_CHUNK, valuedJournals } from './ledger-pool-valued.ts';

const source = { type: 'test', id: '1' };
const ann = { poolId: 'p', memberId: 'ann' };

/** Balances that are not zero, by kind; checks the sum of the pool's accounts after every journal. */
function after(
  journals: readonly JournalDraft[],
  opening: ReadonlyMap<string, bigint> = new Map(),
): Record<string, bigint> {
  let balances = new Map(opening);
  let sums: Record<string, bigint> = {};
  for (const journal of journals) {
    balances = applyJournal(balances, journal);
    sums = {};
    for (const [key, units] of balances) {
      const kind = key.split(' ')[0] as string;
      if (units !== 0n) sums[kind] = (sums[kind] ?? 0n) + units;
    }
    const of = (kind: string) => sums[`pool_${kind}`] ?? 0n;
    const held = of('proxy') + of('transit') + of('exchange') + of('shortfall');
    expect(of('capital'), journal.kind).toBe(held - of('returned') - of('fees_due') - of('unexplained'));
  }
  return sums;
}

/** Ann has 100 in the pool, and all of it is at the exchange. */
const funded = [
  pool.poolDepositSeen('ann', 100n, source),
  pool.poolDepositAdmitted(ann, 100n, source),
  pool.poolSent('p', 100n, source),
  pool.poolCredited('p', 100n, source),
];
const valued = (
  { returned, exchange = 100n, lost = 0n, unexplained = 0n, foreign = 0n }: Record<string, bigint>,
  shares = [{ memberId: 'ann', units: 100n }],
) =>
  valuedJournals({
    poolId: 'p',
    cycleId: 'c',
    returnedUnits: returned as bigint,
    exchangeUnits: exchange,
    lostInTransitUnits: lost,
    foreignUnits: foreign,
    allocation: allocateResult((returned as bigint) - foreign - exchange - lost, shares, unexplained),
  });

describe('journals of a pool', () => {
  test('a deposit waits at the member’s address, then is capital at the proxy', () => {
    expect(after(funded.slice(0, 1))).toEqual({ pool_deposit_wallet: 100n, pool_pending: 100n });
    expect(after(funded.slice(0, 2))).toEqual({ pool_proxy: 100n, pool_capital: 100n });
  });

  test('a deposit that is asked back leaves nothing', () => {
    expect(after([...funded.slice(0, 1), pool.poolDepositReturned('ann', 100n, source)])).toEqual({});
  });

  test('a withdrawal takes capital out of the proxy', () => {
    const paid = pool.poolWithdrawalPaid(ann, 30n, source);
    expect(after([...funded.slice(0, 2), paid])).toEqual({ pool_proxy: 70n, pool_capital: 70n });
  });

  test('funding goes through transit, and may bounce', () => {
    expect(after(funded)).toEqual({ pool_exchange: 100n, pool_capital: 100n });
    const bounced = pool.poolBounced('p', 100n, source);
    expect(after([...funded.slice(0, 3), bounced])).toEqual({ pool_proxy: 100n, pool_capital: 100n });
  });

  test.each([
    ['is_return', { pool_proxy: 40n, pool_returned: 40n }],
    ['sent_back', {}],
  ] as const)('money with an unknown owner ends as %s', (end, left) => {
    const resolved = pool.poolUnexplainedResolved('p', { end, units: 40n }, source);
    expect(after([pool.poolUnexplainedIn('p', 40n, source), resolved])).toEqual(left);
  });

  test('money that was no withdrawal after all is unexplained again', () => {
    const resolved = pool.poolUnexplainedResolved('p', { end: 'is_return', units: 40n }, source);
    const undone = pool.poolReturnUndone('p', 40n, source);
    expect(after([pool.poolUnexplainedIn('p', 40n, source), resolved, undone])).toEqual({
      pool_proxy: 40n,
      pool_unexplained: 40n,
    });
  });

  test('money paid in covers a shortfall', () => {
    const lost = pool.poolLost('p', { from: 'pool_exchange', units: 100n }, source);
    const covered = pool.poolUnexplainedResolved('p', { end: 'covers_shortfall', units: 100n }, source);
    const journals = [...funded, lost, pool.poolUnexplainedIn('p', 100n, source), covered];
    expect(after(journals)).toEqual({ pool_proxy: 100n, pool_capital: 100n });
  });

  test.each([
    ['pool_deposit_seen', pool.poolDepositSeen('ann', 1n, source)],
    ['pool_deposit_admitted', pool.poolDepositAdmitted(ann, 1n, source)],
    ['pool_deposit_returned', pool.poolDepositReturned('ann', 1n, source)],
    ['pool_withdrawal_paid', pool.poolWithdrawalPaid(ann, 1n, source)],
    ['pool_sent', pool.poolSent('p', 1n, source)],
    ['pool_credited', pool.poolCredited('p', 1n, source)],
    ['pool_bounced', pool.poolBounced('p', 1n, source)],
    ['pool_funds_returned', pool.poolFundsReturned('p', 1n, source)],
    ['pool_unexplained_in', pool.poolUnexplainedIn('p', 1n, source)],
    ['pool_unexplained_resolved', pool.poolUnexplainedResolved('p', { end: 'is_return', units: 1n }, source)],
    ['pool_return_undone', pool.poolReturnUndone('p', 1n, source)],
    ['pool_lost', pool.poolLost('p', { from: 'pool_transit', units: 1n }, source)],
    ['pool_fee_charged', poolFeeCharged(ann, 1n, source)],
  ])('are unique by kind and fact: %s', (kind, journal) => {
    expect(journal).toMatchObject({ kind, source, providerId: null });
  });

  test('more than the balance is refused', () => {
    expect(() => after([...funded, pool.poolWithdrawalPaid(ann, 1n, source)])).toThrow(LedgerError);
  });
});

describe('a valuation', () => {
  const returned = (units: bigint) => pool.poolFundsReturned('p', units, source);

  test('a profit goes to capital', () => {
    expect(after([...funded, returned(130n), ...valued({ returned: 130n })])).toEqual({
      pool_proxy: 130n,
      pool_capital: 130n,
    });
  });

  test('a loss comes out of capital, down to nothing', () => {
    expect(after([...funded, returned(80n), ...valued({ returned: 80n })])).toEqual({
      pool_proxy: 80n,
      pool_capital: 80n,
    });
    expect(after([...funded, ...valued({ returned: 0n })])).toEqual({});
  });

  test('neither profit nor loss ends the exchange account in one journal', () => {
    const journals = valued({ returned: 100n });
    expect(journals).toHaveLength(1);
    expect(after([...funded, returned(100n), ...journals])).toEqual({
      pool_proxy: 100n,
      pool_capital: 100n,
    });
  });

  test('a loss beyond all capital is a shortfall, named by a journal of its own', () => {
    const fee = poolFeeCharged(ann, 40n, source);
    const journals = valued({ returned: 20n }, [{ memberId: 'ann', units: 60n }]);
    expect(journals.map(({ kind }) => kind)).toEqual(['pool_valued', 'pool_valued', 'pool_lost']);
    expect(after([...funded, fee, returned(20n), ...journals])).toEqual({
      pool_proxy: 20n,
      pool_shortfall: 20n,
      pool_fees_due: 40n,
    });
  });

  test('without capital a profit is unexplained, and a loss takes that first', () => {
    const profit = valued({ returned: 30n, exchange: 0n }, []);
    expect(after([returned(30n), ...profit])).toEqual({ pool_proxy: 30n, pool_unexplained: 30n });
    const sent = [pool.poolSent('p', 30n, source), pool.poolCredited('p', 30n, source)];
    const loss = valued({ returned: 5n, exchange: 30n, unexplained: 30n }, []);
    expect(after([returned(30n), ...profit, ...sent, returned(5n), ...loss])).toEqual({
      pool_proxy: 5n,
      pool_unexplained: 5n,
    });
  });

  test('money lost on its way to the exchange is part of the result', () => {
    const lost = pool.poolLost('p', { from: 'pool_transit', units: 30n }, source);
    const books = [...funded.slice(0, 3), pool.poolCredited('p', 70n, source), lost];
    expect(after(books)).toEqual({ pool_exchange: 70n, pool_shortfall: 30n, pool_capital: 100n });
    for (const back of [0n, 10n, 70n, 90n, 120n]) {
      const journals = valued({ returned: back, exchange: 70n, lost: 30n });
      const left = back === 0n ? {} : { pool_proxy: back, pool_capital: back };
      expect(after([...books, ...(back > 0n ? [returned(back)] : []), ...journals])).toEqual(left);
    }
  });

  test.each([
    ['more than is left at the exchange', 70n, 30n, 20n, 60n, 20n],
    ['everything at the exchange and a part of the lost transfer', 10n, 90n, 0n, 5n, 95n],
  ])(
    'a lost transfer and a loss beyond all capital: %s',
    (_what, exchange, lost, back, capital, shortfall) => {
      const fee = 100n - capital;
      const books = [
        ...funded.slice(0, 3),
        pool.poolCredited('p', exchange, source),
        pool.poolLost('p', { from: 'pool_transit', units: lost }, source),
        poolFeeCharged(ann, fee, source),
        ...(back > 0n ? [returned(back)] : []),
      ];
      const journals = valued({ returned: back, exchange, lost }, [{ memberId: 'ann', units: capital }]);
      expect(after([...books, ...journals])).toEqual({
        ...(back > 0n ? { pool_proxy: back } : {}),
        pool_fees_due: fee,
        pool_shortfall: shortfall,
      });
    },
  );

  test.each([
    ['a profit', 3_000_000n],
    ['a loss', 1_000n],
  ])('%s of 1,234 members takes chunks that each balance and overdraw nothing', (_what, back) => {
    const members = Array.from({ length: 1_234 }, (_, index) => `m${String(index).padStart(5, '0')}`);
    const units = (index: number) => BigInt(index + 1);
    const total = members.reduce((sum, _, index) => sum + units(index), 0n);
    const opening = new Map([[accountKey(ledgerAccount.poolExchange('p')), total]]);
    for (const [index, memberId] of members.entries())
      opening.set(accountKey(ledgerAccount.poolCapital(memberId)), units(index));
    const shares = members.map((memberId, index) => ({ memberId, units: units(index) }));
    const journals = valued({ returned: back, exchange: total }, shares);
    expect(journals).toHaveLength(1 + Math.ceil(members.length / VALUED_CHUNK));
    expect(new Set(journals.map((journal) => journal.source.id)).size).toBe(journals.length);
    expect(after([returned(back), ...journals], opening)).toEqual({ pool_proxy: back, pool_capital: back });
  });

  test.each([
    ['a profit', 150n, { pool_proxy: 150n, pool_capital: 110n, pool_unexplained: 40n }],
    ['a loss', 120n, { pool_proxy: 120n, pool_capital: 80n, pool_unexplained: 40n }],
    ['all that is left', 40n, { pool_proxy: 40n, pool_unexplained: 40n }],
  ])('foreign money beside %s belongs to no member', (_what, back, books) => {
    const journals = [...funded, returned(back), ...valued({ returned: back, foreign: 40n })];
    expect(after(journals)).toEqual(books);
  });

  test('each of its journals has a fact of its own within the cycle', () => {
    const journals = valued({ returned: 20n }, [{ memberId: 'ann', units: 60n }]);
    expect(journals.map((journal) => journal.source)).toEqual([
      { type: 'harvest_cycle', id: 'c:0' },
      { type: 'harvest_cycle', id: 'c:1' },
      { type: 'harvest_cycle', id: 'c:exchange' },
    ]);
  });

  test('a member without capital has no part in a loss', () => {
    const shares = [
      { memberId: 'ann', units: 100n },
      { memberId: 'bob', units: 0n },
    ];
    expect(after([...funded, returned(80n), ...valued({ returned: 80n }, shares)])).toEqual({
      pool_proxy: 80n,
      pool_capital: 80n,
    });
  });

  describe('is refused with an allocation', () => {
    const books = {
      poolId: 'p',
      cycleId: 'c',
      returnedUnits: 130n,
      exchangeUnits: 100n,
      lostInTransitUnits: 0n,
      foreignUnits: 0n,
    };
    const allocated = (units: bigint[], unexplainedUnits = 0n, uncoveredUnits = 0n) => ({
      parts: units.map((each, nth) => ({ memberId: `m${nth}`, units: each })),
      unexplainedUnits,
      uncoveredUnits,
    });
    test.each([
      ['of another result', {}, allocated([31n])],
      ['of a profit in which a member loses', {}, allocated([40n, -10n])],
      ['of a loss by which a member gains', { returnedUnits: 70n }, allocated([-40n, 10n])],
      ['that gives a member money with an unknown owner', { returnedUnits: 100n }, allocated([5n], -5n)],
      ['that takes from a member and gives to no one', { returnedUnits: 100n }, allocated([-5n], 5n)],
      ['of a loss that covers less than nothing', {}, allocated([25n], 0n, -5n)],
      ['of more foreign money than returned', { foreignUnits: 230n }, allocated([-100n], 0n, 100n)],
      ['of less foreign money than none', { foreignUnits: -10n }, allocated([40n])],
    ])('%s', (_what, changed, allocation) => {
      expect(() => valuedJournals({ ...books, ...changed, allocation })).toThrow('unbalanced: c: ');
    });
  });
});

test('the fee transfer pays the invoices of the cycle, and their shares are in the community’s wallet', () => {
  const invoice: LedgerInvoice = {
    invoiceId: 'i',
    traderId: 'ann',
    providerId: 'aurora',
    amountUnits: 40n,
    split: [
      { recipientType: 'mark', amountUnits: 30n },
      { recipientType: 'community', amountUnits: 10n },
    ],
    offPlatformUnits: 0n,
  };
  const charged = [...funded.slice(0, 2), invoiceIssued(invoice), poolFeeCharged(ann, 40n, source)];
  expect(after(charged)).toMatchObject({ pool_capital: 60n, pool_fees_due: 40n, receivable: 40n });
  const moved = poolFeeMoved({ poolId: 'p', communityId: 'c' }, [invoice], source);
  expect(moved).toMatchObject({ kind: 'pool_fee_moved', source, providerId: null });
  expect(after([...charged, moved])).toEqual({
    pool_proxy: 60n,
    pool_capital: 60n,
    community_wallet: 40n,
    payable_mark: 30n,
    payable_community: 10n,
  });
});
