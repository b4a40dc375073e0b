import type { HarvestStatus } from '@copydesk/domain';
import { expect, test } from 'vitest';
import { pollEveryMs } from './poll-interval.ts';

test.each<[readonly HarvestStatus[], number]>([
  [[], 120_000],
  [['stopped', 'failed', 'awaiting_bybit_withdrawal', 'processing_invoices'], 120_000],
  [['stopped', 'harvesting'], 30_000],
  [['harvesting', 'starting_harvesting'], 15_000],
  [['stopping_harvesting'], 15_000],
])('pools that are %j are read every %i ms', (statuses, everyMs) => {
  expect(pollEveryMs(statuses.map((status) => ({ current_harvest_cycle: { status } })))).toBe(everyMs);
});
