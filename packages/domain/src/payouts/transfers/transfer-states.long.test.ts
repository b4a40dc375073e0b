import { expect, test } from 'vitest';
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
  TRANSFER_RULES,
  type TransferBounds,
  wrongTransferStep,
} from '../../../../../tests/support/search/transfer-world.ts';

const BOUNDS: TransferBounds = {
  transfers: 3,
  attempts: 3,
  reorganisations: 2,
  hasForeign: true,
  hasHolds: true,
};

test('everything that can happen to a transfer at once keeps every rule, 14 steps deep', () => {
  const all = explore({
    first: firstTransferWorld(BOUNDS),
    stepsOf: stepsOfTransfers(BOUNDS),
    nameOf: nameOfTransferWorld,
    maxDepth: 14,
  });
  expect(all.found.size).toBeGreaterThan(50_000);
  for (const [name, rule] of Object.entries(TRANSFER_RULES))
    expect(nearestBreach(all, rule), name).toBeNull();
  expect(nearestWrongStep(all, wrongTransferStep)).toBeNull();
  // Ways beyond the depth are not known, and count as ways out.
  expect(nearestDeadEnd(all, isTransferEnd)).toBeNull();
});
