import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { HarvestState } from './pool-columns.tsx';
import { withDefaults } from './pools-queries.ts';
import { turnCountsWords } from './turn-texts.ts';

const pool = (cycle: object, has_bot = true) =>
  withDefaults({
    has_bot,
    created_at: '2026-11-20T10:00:00Z',
    current_harvest_cycle: { since: '2026-11-20T10:00:00Z', step_since: '2026-11-20T10:00:00Z', ...cycle },
  } as never);
const owner = pool({
  status: 'awaiting_bybit_withdrawal',
  step: 'withdrawing',
  deadline_at: '2026-11-23T10:00:00Z',
});
const operator = pool({ status: 'starting_harvesting', step: 'pausing' }, false);
const bot = pool({ status: 'starting_harvesting', step: 'pausing' });
const shown = (each: typeof owner) => renderToStaticMarkup(<HarvestState pool={each} />);

test('beneath "Action required" stands for whom the pool waits, and until when', () => {
  expect(shown(owner)).toContain('Action required');
  expect(shown(owner)).toMatch(/Waits for the owner to withdraw, since Nov 20[^<]*, until Nov 23/);
});

test('a pause that an operator confirms looks unlike one that the bot reports', () => {
  expect(shown(operator)).toContain('Waits for an operator to confirm that trading is paused');
  expect(shown(bot)).toContain('Waits for the trading bot');
  expect(shown(operator)).toContain('lucide-user-round');
  expect(shown(bot)).not.toContain('lucide-user-round');
});

test('trading after the pause is an alert in red', () => {
  const traded = pool({
    status: 'awaiting_bybit_withdrawal',
    step: 'withdrawing',
    reason: 'open_positions_exist',
  });
  expect(shown(traded)).toMatch(/role="alert"[^>]*text-negative/);
  expect(shown(owner)).not.toContain('role="alert"');
});

test('the dashboard counts for whom pools wait', () => {
  expect(turnCountsWords([owner, operator, owner, pool({ status: 'stopped' })])).toBe(
    '1 waits for an operator, 2 wait for the owner',
  );
  expect(turnCountsWords([pool({ status: 'stopped' })])).toBeNull();
});
