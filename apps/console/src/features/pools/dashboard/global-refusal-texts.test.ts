import { expect, test } from 'vitest';
import { ApiError } from '../../../lib/api/api-error.ts';
import { withDefaults } from '../pools-queries.ts';
import { globalRefusalWords } from './global-refusal-texts.ts';

const refused = (status: number, message: string, code = 'x') => new ApiError({ code, status, message });
const UNAVAILABLE = 'The global controls are not available. Manage the pools individually.';

test.each([
  [refused(404, 'Not found'), UNAVAILABLE],
  [refused(501, 'Global harvest is not yet implemented'), UNAVAILABLE],
  [refused(200, 'Not yet implemented.'), UNAVAILABLE],
  [refused(409, 'Harvesting is not active.'), 'Harvesting is not active. Nothing has changed.'],
  [
    refused(409, 'Two are under way.', 'pending_operations'),
    'Two are under way. Nothing has changed: all gates stay as they were.',
  ],
  [
    refused(0, 'Network error: timeout.', 'timeout'),
    'Network error: timeout. It may have begun: look at the pools before you try again. Trying again here does not begin it twice.',
  ],
  [
    refused(503, 'Try again in a moment.', 'unavailable'),
    'Try again in a moment. It may have begun: look at the pools before you try again. Trying again here does not begin it twice.',
  ],
])('%s reads: %s', (error, text) => {
  expect(globalRefusalWords(error)).toBe(text);
});

test("a pool without a community or a cycle reads 'Unknown', 1, stopped", () => {
  const pool = { id: 'p', created_at: '2026-01-01T00:00:00Z' } as never;
  expect(withDefaults(pool)).toMatchObject({
    community: { name: 'Unknown' },
    current_harvest_cycle: { cycle_number: 1, status: 'stopped', step: 'trading' },
  });
  expect(
    withDefaults({ ...(pool as object), community: null, current_harvest_cycle: null } as never),
  ).toMatchObject({
    community: { name: 'Unknown' },
    current_harvest_cycle: { cycle_number: 1, status: 'stopped' },
  });
});
