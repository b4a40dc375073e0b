import type { TraderExchange } from '@copydesk/contract/exchanges';
import { expect, test } from 'vitest';
import { balanceShown } from './balance-shown.ts';

const EARLY = '2026-01-01T10:00:00.000Z';
const LATE = '2026-01-01T10:00:30.000Z';
const named = { acc_uid: '7', exchange: 'okx', provider_id: 'p', provider_name: 'P' } as const;
const account = (equity: string | null, equity_read_at: string | null): TraderExchange => ({
  ...named,
  equity,
  equity_read_at,
});
const liveBalance = (balance: string, read_at: string, message?: string) => ({
  data: {
    'okx:7': {
      ...named,
      balance,
      read_at,
      error: message ? ({ code: 'timeout', message, retryable: true, retry_after_ms: null } as const) : null,
    },
    '7': { ...named, exchange: 'bybit' as const, balance: '999', read_at: LATE, error: null },
  },
  error: null,
  isPending: false,
});
const waiting = { data: undefined, error: null, isPending: true };

test('the database shows until the exchange has answered', () => {
  expect(balanceShown(account('10', EARLY), waiting)).toMatchObject({ balance: '10', isLoading: false });
  expect(balanceShown(account(null, null), waiting)).toMatchObject({ balance: null, isLoading: true });
});

test('the newer of both counts, for the account on its own exchange', () => {
  expect(balanceShown(account('10', EARLY), liveBalance('11', LATE))).toMatchObject({
    balance: '11',
    readAt: LATE,
  });
  expect(balanceShown(account('10', LATE), liveBalance('11', EARLY))).toMatchObject({
    balance: '10',
    readAt: LATE,
  });
});

test('a failed read leaves the last known balance and gives the reason', () => {
  expect(balanceShown(account('10', EARLY), liveBalance('10', EARLY, 'No answer in time.'))).toEqual({
    balance: '10',
    readAt: EARLY,
    problem: 'No answer in time.',
    isLoading: false,
  });
  const failed = { data: undefined, error: new Error('Offline'), isPending: false };
  expect(balanceShown(account(null, null), failed)).toMatchObject({ balance: null, problem: 'Offline' });
});
