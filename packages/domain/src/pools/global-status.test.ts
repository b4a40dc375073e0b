import { expect, test } from 'vitest';
import { countStatuses, globalStatusOf } from './global-status.ts';

test.each([
  [[], 'no_pools'],
  [['stopped'], 'stopped'],
  [['failed', 'failed'], 'failed'],
  [['stopped', 'harvesting'], 'mixed'],
  [['stopped', 'failed'], 'mixed'],
  [['awaiting_bybit_withdrawal', 'processing_invoices'], 'mixed'],
  [['starting_harvesting', 'starting_harvesting'], 'starting_harvesting'],
  [['starting_harvesting', 'harvesting'], 'mixed_transitioning'],
  [['stopped', 'stopping_harvesting', 'failed'], 'mixed_transitioning'],
] as const)('pools that are %j are %s together', (statuses, together) => {
  expect(globalStatusOf(countStatuses(statuses))).toBe(together);
});
