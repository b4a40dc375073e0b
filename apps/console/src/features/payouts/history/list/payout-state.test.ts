import { PAYOUT_PROBLEMS } from '@copydesk/domain/payouts';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failedBriefly, onceAfter, PayoutState } from './payout-state.tsx';

const UPDATED_AT = '2026-11-20T10:00:00.000Z';
beforeEach(() => vi.useFakeTimers({ now: Date.parse(UPDATED_AT) }));
afterEach(() => vi.useRealTimers());

test.each(PAYOUT_PROBLEMS)('%s fits into a list', (problem) => {
  expect(failedBriefly(problem)).toMatch(/^[A-Z][a-z ]{1,20}$/);
});

test('an unknown problem is shown as unknown', () => {
  expect(failedBriefly(null)).toBe('Reason unknown');
  expect(failedBriefly('lost_in_space')).toBe('lost in space');
});

test('a payout that stands says so right after ten minutes, without another reason to render', async () => {
  const payout = {
    status: 'distributing' as const,
    problem: null,
    is_imported: false,
    awaits_approval: false,
    updated_at: UPDATED_AT,
  };
  const shown = () => renderToStaticMarkup(createElement(PayoutState, { payout }));
  const rendered: string[] = [];
  const stop = onceAfter(Date.parse(UPDATED_AT) + 600_000, () => rendered.push(shown()));
  await vi.advanceTimersByTimeAsync(600_000);
  expect([rendered.length, shown()]).toEqual([0, expect.not.stringContaining('Since ')]);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(rendered).toEqual([expect.stringContaining('Since ')]);
  stop();
});

test('what is past, or has left the screen, renders nothing again', async () => {
  const act = vi.fn();
  onceAfter(Date.now() - 1, act);
  onceAfter(Date.now() + 1_000, act)();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(act).not.toHaveBeenCalled();
});
