import type { OpenPosition } from '@copydesk/contract/exchanges';
import { expect, test } from 'vitest';
import type { LivePositions } from './use-open-positions.ts';
import { accountPositions } from './use-open-positions.ts';

const EARLY = '2026-01-01T10:00:00.000Z';
const LATE = '2026-01-01T10:00:30.000Z';
const position = (read_at: string): OpenPosition => ({
  symbol: 'BTCUSDT',
  side: 'long',
  entryPrice: '1',
  markPrice: '1',
  leverage: '1',
  contracts: '1',
  unrealizedPnl: '0',
  exchange: 'bybit',
  provider_name: 'P',
  acc_uid: '1',
  read_at,
});
const livePositions = (read_at: string | null, data: OpenPosition[] = []): LivePositions => ({
  success: true,
  data,
  meta: {
    read_at,
    error: read_at
      ? null
      : { code: 'timeout', message: 'No answer in time.', retryable: true, retry_after_ms: null },
  },
});
const live = (data?: LivePositions, error: unknown = null) => ({ data, error, isPending: !data && !error });

test('the database shows at once, until the exchange has answered', () => {
  expect(accountPositions([position(EARLY)], live())).toMatchObject({ readAt: EARLY, isLoading: false });
  expect(accountPositions([], live())).toMatchObject({ readAt: null, isLoading: true });
  const answered = accountPositions(
    [position(EARLY)],
    live(livePositions(LATE, [position(LATE), position(LATE)])),
  );
  expect(answered.positions).toHaveLength(2);
  expect(answered).toMatchObject({ readAt: LATE, problem: null, isLoading: false });
});

test('positions that the exchange no longer has are gone', () => {
  expect(accountPositions([position(EARLY)], live(livePositions(LATE))).positions).toEqual([]);
});

test('a stored reading after the live one is newer', () => {
  expect(accountPositions([position(LATE)], live(livePositions(EARLY))).readAt).toBe(LATE);
});

test('a failing exchange leaves the last known positions, and gives the reason', () => {
  const failed = accountPositions([position(EARLY)], live(livePositions(null)));
  expect(failed).toMatchObject({ readAt: EARLY, problem: 'No answer in time.' });
  expect(failed.positions).toHaveLength(1);
  expect(accountPositions([], live(undefined, new Error('Offline')))).toEqual({
    positions: [],
    readAt: null,
    problem: 'Offline',
    isLoading: false,
  });
});
