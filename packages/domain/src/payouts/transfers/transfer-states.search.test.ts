import { describe, expect, test } from 'vitest';
import {
  explore,
  nearestBreach,
  nearestDeadEnd,
  nearestWrongStep,
} from '../../../../../tests/support/search/explore.ts';
import {
  firstTransferWorld,
  isTransferEnd,
  nameOfTransferWorld,
  stepsOfTransfers,
  TRANSFER_GUARDS,
  TRANSFER_RULES,
  type TransferBounds,
  type TransferGuards,
  wrongTransferStep,
} from '../../../../../tests/support/search/transfer-world.ts';

const BOUNDS: TransferBounds = {
  transfers: 2,
  attempts: 2,
  reorganisations: 1,
  hasForeign: false,
  hasHolds: false,
};
function search(bounds: Partial<TransferBounds>, without: (keyof TransferGuards)[] = [], maxDepth?: number) {
  const all = { ...BOUNDS, ...bounds };
  const left = Object.fromEntries(without.map((guard) => [guard, false]));
  return explore({
    first: firstTransferWorld(all),
    stepsOf: stepsOfTransfers(all, { ...TRANSFER_GUARDS, ...left }),
    nameOf: nameOfTransferWorld,
    ...(maxDepth !== undefined && { maxDepth }),
  });
}

describe('two workers, an operator and a chain, in every order', () => {
  test.each([
    ['another signer of the wallet, and a reorganisation', { hasForeign: true }],
    ['stops, a changed address, and a reorganisation', { hasHolds: true }],
  ])('keep every rule: %s', (_, bounds) => {
    const all = search(bounds);
    expect(all.isWhole).toBe(true);
    expect(all.found.size).toBeGreaterThan(10_000);
    for (const [name, rule] of Object.entries(TRANSFER_RULES))
      expect(nearestBreach(all, rule), name).toBeNull();
    expect(nearestWrongStep(all, wrongTransferStep)).toBeNull();
    expect(nearestDeadEnd(all, isTransferEnd)).toBeNull();
  });
});

describe('without one guard the search finds how', () => {
  test.each([
    ['a payout is paid twice', 'paidOnce', ['readsStateUnderLock'], 8],
    ['a payout is paid twice, with bytes built again', 'paidOnce', ['keepsBytes'], 8],
    ['a transfer takes two nonces', 'oneNoncePerTransfer', ['readsStateUnderLock'], 4],
    [
      'a nonce is signed for two transfers',
      'oneContentPerNonce',
      ['readsStateUnderLock', 'readsNonceUnderLock', 'hasUniqueNonces'],
      6,
    ],
    ['a payment is booked that is not final', 'bookedWhenFinal', ['waitsForFinality'], 6],
    ['a payment is booked twice', 'bookedWhenFinal', ['endsOnce'], 9],
    ['a payout is distributed and not paid', 'statusAsBooked', ['keepsBytes'], 9],
    ['an act is offered and refused', 'offersKept', ['offersAllowed'], 2],
  ] as [string, keyof typeof TRANSFER_RULES, (keyof TransferGuards)[], number][])(
    '%s',
    (_, rule, without, steps) => {
      expect(nearestBreach(search({}, without, steps), TRANSFER_RULES[rule])?.path).toHaveLength(steps);
    },
  );

  test('a transfer that was sent waits again', () => {
    expect(nearestWrongStep(search({}, ['keepsBytes'], 3), wrongTransferStep)).not.toBeNull();
  });

  test('a frozen wallet is frozen for ever', () => {
    const bounds = { transfers: 1, attempts: 1, reorganisations: 0, hasForeign: true };
    expect(nearestDeadEnd(search(bounds), isTransferEnd)).toBeNull();
    expect(nearestDeadEnd(search(bounds, ['unfreezes']), isTransferEnd)?.path).toEqual([
      'another signer uses the wallet',
      'worker freezes: chain ahead',
    ]);
  });
});
