export type LedgerErrorCode =
  | 'zero_posting'
  | 'too_few_postings'
  | 'account_twice'
  | 'unbalanced'
  | 'amount_out_of_range'
  | 'mixed_assets'
  | 'overdrawn'
  | 'split_differs'
  | 'invoice_settled'
  | 'source_taken'
  | 'not_newest'
  | 'reservation_taken'
  | 'reservation_ended';

/** A forbidden movement of money. No posting was written. */
export class LedgerError extends Error {
  readonly code: LedgerErrorCode;

  constructor(code: LedgerErrorCode, message: string) {
    super(`${code}: ${message}`);
    this.name = 'LedgerError';
    this.code = code;
  }
}
