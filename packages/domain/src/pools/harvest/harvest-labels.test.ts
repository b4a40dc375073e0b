import { expect, test } from 'vitest';
import { HARVEST_STATUSES, type HarvestStatus } from '../../catalogue.ts';
import { GLOBAL_TEXTS } from './global-harvest.ts';
import { GLOBAL_EFFECTS, HARVEST_LABELS, harvestLabelOf, pendingPollMs } from './harvest-labels.ts';

test.each([
  [['harvesting', 'stopping_harvesting'], 15_000],
  [['starting_harvesting'], 15_000],
  [['stopped', 'harvesting'], 30_000],
  [['stopped', 'failed'], 120_000],
  [[], 120_000],
] as [HarvestStatus[], number][])('pending deposits of %j are asked for every %i ms', (statuses, ms) => {
  expect(pendingPollMs(statuses)).toBe(ms);
});

test('labels are those of the specification, section 4; another status is shown as it is', () => {
  expect(HARVEST_STATUSES.map((status) => harvestLabelOf(status)).toSorted()).toEqual([
    'Failed',
    'Harvesting',
    'Manual Withdrawal Required',
    'Processing Invoices',
    'Starting...',
    'Stopping...',
    'Trading',
  ]);
  expect(harvestLabelOf('stopped')).toBe('Trading');
  expect(harvestLabelOf('awaiting_bybit_withdrawal')).toBe('Manual Withdrawal Required');
  expect(harvestLabelOf('toString')).toBe('toString');
  expect(harvestLabelOf(null)).toBe('Unknown');
});

test('"Action required" flags the two statuses of the specification in which people act', () => {
  expect(HARVEST_STATUSES.filter((status) => HARVEST_LABELS[status].isActionRequired)).toEqual([
    'awaiting_bybit_withdrawal',
    'processing_invoices',
  ]);
});

test('the dialogs list the effects of the specification: five of a start, four of a stop', () => {
  expect(GLOBAL_EFFECTS.start).toHaveLength(5);
  expect(GLOBAL_EFFECTS.stop).toHaveLength(4);
  for (const effect of Object.values(GLOBAL_EFFECTS).flat()) expect(effect).toMatch(/^[a-z]/);
});

test('pools on the way are processed, those that wait for people await action, and others are mixed', () => {
  expect(GLOBAL_TEXTS).toEqual({
    starting_harvesting: 'Processing...',
    stopping_harvesting: 'Processing...',
    mixed_transitioning: 'Processing...',
    awaiting_bybit_withdrawal: 'Awaiting action...',
    processing_invoices: 'Awaiting action...',
    mixed: 'Mixed States',
  });
});
