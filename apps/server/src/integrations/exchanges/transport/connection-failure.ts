import { GatewayError } from '../gateway.ts';

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const RESETS: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** The connection was cut: typically a kept-alive one that the venue closed at the moment of use. */
export const wasReset = (error: unknown): boolean => RESETS.has(codeOf(error));

/** Why no answer came, in our own words. */
export function connectionFailure(error: unknown, signal: AbortSignal): GatewayError {
  if (error instanceof GatewayError) return error;
  if (signal.aborted) return new GatewayError('timeout');
  const code = codeOf(error);
  // A key with characters that a header cannot contain is not one of the venue's.
  if (code === 'UND_ERR_INVALID_ARG') return new GatewayError('invalid_credentials');
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') return new GatewayError('bad_response');
  if (code.endsWith('TIMEOUT') || code === 'ETIMEDOUT') return new GatewayError('timeout');
  return new GatewayError('venue_unavailable');
}
