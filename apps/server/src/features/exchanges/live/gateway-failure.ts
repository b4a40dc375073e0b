import type { GatewayError } from '../../../integrations/exchanges/gateway.ts';

export type GatewayFailure = Pick<GatewayError, 'code' | 'isRetryable' | 'retryAfterMs'>;

/** What the gateway says went wrong. @throws the error itself when it is none of the gateway's: a fault of ours */
export function failureOf(error: unknown): GatewayFailure {
  if ((error as Error | null)?.name !== 'GatewayError') throw error;
  const { code, isRetryable, retryAfterMs } = error as GatewayError;
  return { code, isRetryable, retryAfterMs };
}
