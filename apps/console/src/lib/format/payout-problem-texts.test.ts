import { FREEZE_REASONS, HALT_REASONS, PAYOUT_PROBLEMS, REFUSALS } from '@copydesk/domain/payouts';
import { expect, test } from 'vitest';
import { durationWords, frozenWords, problemWords, waitWords } from './payout-problem-texts.ts';

test.each(PAYOUT_PROBLEMS)('%s is described in plain words', (problem) => {
  expect(problemWords(problem)).not.toContain('Reason code');
  expect(problemWords(problem)).toMatch(/^[A-Z].*\.$/);
});

test('an unknown code is shown unchanged', () => {
  expect(problemWords('meteor')).toContain('meteor');
});

test.each(FREEZE_REASONS)('a wallet frozen because of %s is described in plain words', (because) => {
  expect(frozenWords(because)).not.toContain('Reason code');
});

test.each([...HALT_REASONS, 'no_worker', 'payments_stopped'])(
  'payouts halted because of %s say so in plain words',
  (reason) => {
    expect(waitWords({ reason, detail: null, address: '0x' })).not.toContain('Reason code');
  },
);

test.each(REFUSALS)('a transfer that servers refuse as %s says what happens next', (refusal) => {
  const words = waitWords({ reason: `refused_${refusal}`, detail: 'tip needed 1', address: '0x' });
  expect(words).toMatch(/^[A-Z].*\. Message: “tip needed 1”\.$/);
  expect(words).not.toContain('Reason code');
});

test('a wait names the missing amount and the wallet', () => {
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  expect(waitWords({ reason: 'wallet_frozen', detail: 'balance_short', address })).toBe(
    'Wallet 0x5290…9EE7 is frozen. The wallet holds less on chain than the ledger says. Unfreeze it on Transaction History.',
  );
  expect(waitWords({ reason: 'gas_wallet_empty', detail: null, address })).toContain('Send BNB to it.');
  expect(waitWords({ reason: 'not_final', detail: null, address })).toContain('has not confirmed it');
  expect(waitWords({ reason: 'in_turn', detail: null, address })).toContain('not been sent yet');
  expect(waitWords({ reason: 'over_day_limit', detail: '2026-11-27T14:05:00.000Z', address })).toBe(
    'The daily limit is reached. It will be paid on Nov 27, 14:05 UTC, without further action.',
  );
  // A worker of an earlier version says no day.
  expect(waitWords({ reason: 'over_day_limit', detail: null, address })).toContain('retried automatically');
});

test.each([
  [4_000, '4 s'],
  [89_000, '89 s'],
  [600_000, '10 min'],
  [3 * 3_600_000, '3 h'],
  [72 * 3_600_000, '3 days'],
])('%i ms are %s', (ms, words) => {
  expect(durationWords(ms)).toBe(words);
});
