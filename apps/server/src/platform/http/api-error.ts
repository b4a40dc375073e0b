import { ERRORS, type ErrorCode } from '@copydesk/contract';

/** An error meant for the client: thrown anywhere below a handler, sent in the envelope. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: { path: string; message: string }[] | undefined;

  constructor(
    code: ErrorCode,
    options: { message?: string; details?: { path: string; message: string }[] } = {},
  ) {
    super(options.message ?? ERRORS[code].message);
    this.name = 'ApiError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.details = options.details;
  }
}
