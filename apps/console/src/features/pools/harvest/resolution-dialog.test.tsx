import type { FailureReason } from '@copydesk/domain/pools';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { PooledAccount } from '../pools-queries.ts';
import { firstWayOf, WayField } from './resolution-dialog.tsx';

function shownFor(step: string, reason: FailureReason): string {
  const cycle = { status: 'failed', step, reason } as PooledAccount['current_harvest_cycle'];
  return renderToStaticMarkup(<WayField cycle={cycle} kind={firstWayOf(cycle)} onChange={() => {}} />);
}

test('of several ways on none is chosen before, and the one that fails again says so', () => {
  const shown = shownFor('crediting', 'deposit_rejected');
  expect(shown).toMatch(/<option value="" selected="">Choose\.\.\.</);
  expect(shown).toContain('Repeat the failed step (it will fail again)');
  expect(shownFor('crediting', 'deadline_passed')).not.toContain('fail again');
});

test('the only way on is chosen', () => {
  expect(shownFor('opening', 'shortfall')).toMatch(
    /<option value="repeat" selected="">Repeat the failed step</,
  );
});
