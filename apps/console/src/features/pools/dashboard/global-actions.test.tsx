import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { withDefaults } from '../pools-queries.ts';
import { GlobalActions } from './global-actions.tsx';

const pool = (status: string, step: string) =>
  withDefaults({ current_harvest_cycle: { status, step } } as never);
const open = pool('harvesting', 'open');
const closing = pool('harvesting', 'closing');
const trading = pool('stopped', 'trading');
const harvest = { actions: ['stop'], last_run: null, counts: {} } as never;
const shown = (pools: (typeof open)[]) =>
  renderToStaticMarkup(<GlobalActions harvest={harvest} pools={pools} />);

test.each([
  ['one is open', [closing, open, trading], true],
  ['all are closing', [closing, closing], false],
  ['none is harvested', [trading], false],
])('all gates can be closed while one is open: %s', (_, pools, isOffered) => {
  expect(shown(pools).includes('Close all gates')).toBe(isOffered);
  expect(shown(pools)).toContain('Stop Global Harvest');
});
