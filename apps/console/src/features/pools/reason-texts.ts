import type { FailureReason, ValuationReason } from '@copydesk/domain/pools';

const REASONS: Record<FailureReason | ValuationReason | 'positions_appeared', string> = {
  deadline_passed: 'The deadline passed.',
  transfer_reverted: 'The transfer reverted on chain.',
  deposit_rejected: 'Bybit rejected the deposit.',
  shortfall: 'The pool owes more than it holds.',
  positions_appeared: 'The start was called off: a position was opened in the meantime.',
  everything_gone: 'Nothing came back from Bybit.',
  large_result: 'The result is more than 30% of the pool.',
  foreign_money: "Bybit's transaction log lists money that is not from trading.",
  cross_check_off: "The result differs from Bybit's transaction log.",
  money_owed: 'The Bybit account owes money.',
  other_coins: 'Other coins are in the Bybit account.',
  evidence_old: 'The evidence is older than 10 minutes.',
};

const isKnown = (code: string): code is keyof typeof REASONS => Object.hasOwn(REASONS, code);

/** Why a pool failed or waits: the text for one or more codes, any other text as it is. */
export function reasonWords(reason: string): string {
  const codes = reason.split(/,\s*/);
  return codes.every(isKnown) ? codes.map((code) => REASONS[code]).join(' ') : reason;
}
