import type { FailureReason } from '@copydesk/domain/pools';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { PooledAccount } from '../pools-queries.ts';
import { firstWayOf, WayField } from './resolution-dialog.tsx';

const cycleAt = (step: string, reason: FailureReason) =>
  ({ status: 'failed', step, reason }) as PooledAccount['current_harvest_cycle'];
const shownFor = (step: string, reason: FailureReason) =>
  renderToStaticMarkup(<WayField cycle={cycleAt(step, reason)} />);

test('of several ways on none is chosen before, and the one that fails again says so', () => {
  const shown = shownFor('crediting', 'deposit_rejected');
  expect(firstWayOf(cycleAt('crediting', 'deposit_rejected'))).toBe('');
  expect(shown).toMatch(/<option value="">Choose\.\.\.</);
  expect(shown).toContain('Repeat the failed step (it will fail again)');
  expect(shownFor('crediting', 'deadline_passed')).not.toContain('fail again');
});

test('the only way on is chosen', () => {
  expect(firstWayOf(cycleAt('opening', 'shortfall'))).toBe('repeat');
  expect(shownFor('opening', 'shortfall')).toMatch(/<option value="repeat">Repeat the failed step</);
});
