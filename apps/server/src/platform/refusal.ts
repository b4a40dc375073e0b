import { ERRORS, type ErrorCode } from '@copydesk/contract';

/** What an error says of a field. */
export interface ErrorDetail {
  path: string;
  message: string;
  /** Of `changed_meanwhile`: the value that was sent, and the present one. */
  yours?: unknown;
  theirs?: unknown;
}

/**
 * Why a request is not carried out. The code that decides throws it; the caller puts it into words: a call
 * (`http/server/error-answer.ts`) or a conversation.
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  /** Whether the code is a guess at the cause. A guess is not held against the caller in the security log. */
  readonly isGuess: boolean;

  constructor(
    code: ErrorCode,
    options: { message?: string; details?: ErrorDetail[]; isGuess?: boolean } = {},
  ) {
    super(options.message ?? ERRORS[code].message);
    this.name = 'Refusal';
    this.code = code;
    this.details = options.details;
    this.isGuess = options.isGuess ?? false;
  }
}
