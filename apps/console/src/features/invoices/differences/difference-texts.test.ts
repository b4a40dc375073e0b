import { expect, test } from 'vitest';
import { differencesTitle, differenceText, noticeTitle } from './difference-texts.ts';

const close = {
  exchange: 'bybit',
  acc_uid: '7',
  symbol: 'BTCUSDT',
  invoiced_profit: '100',
  reported_profit: '40',
  unread: null,
} as const;

test('each kind of difference is a sentence', () => {
  expect(differenceText({ ...close, kind: 'corrected_close' })).toBe(
    'BTCUSDT was invoiced with a profit of $100.00. Bybit reports $40.00 since.',
  );
  expect(differenceText({ ...close, kind: 'doubled_close', reported_profit: null })).toBe(
    'BTCUSDT at Bybit, a profit of $100.00, is on two invoices.',
  );
  const unread = { since: '2026-01-02T10:00:00Z', until: '2026-01-02T11:00:00Z' };
  expect(
    differenceText({ ...close, kind: 'unread_closes', symbol: null, invoiced_profit: null, unread }),
  ).toMatch(/^Bybit account 7 was not read from .+ until its removal at .+\.$/);
});

test('the title counts them', () => {
  expect([1, 1200].map(differencesTitle)).toEqual([
    '1 difference between invoices and exchanges',
    '1,200 differences between invoices and exchanges',
  ]);
});

test('without differences the notice names the deductions that next invoices are less by', () => {
  expect([noticeTitle(1, 2), noticeTitle(0, 1), noticeTitle(0, 1200)]).toEqual([
    '1 difference between invoices and exchanges',
    'Next invoices are less by 1 deduction',
    'Next invoices are less by 1,200 deductions',
  ]);
});
