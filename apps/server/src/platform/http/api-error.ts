import { ERRORS, type ErrorCode } from '@copydesk/contract';

/** An error meant for the client: thrown anywhere below a handler, sent in the envelope. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: { path: string; message: string }[] | undefined;
  /** Whether the code is a guess at the cause. A guess is not held against the caller in the security log. */
  readonly isGuess: boolean;

  constructor(
    code: ErrorCode,
    options: { message?: string; details?: { path: string; message: string }[]; isGuess?: boolean } = {},
  ) {
    super(options.message ?? ERRORS[code].message);
    this.name = 'ApiError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.details = options.details;
    this.isGuess = options.isGuess ?? false;
  }
}
