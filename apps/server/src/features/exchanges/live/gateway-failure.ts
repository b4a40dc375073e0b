import { GatewayError } from '../../../integrations/exchanges/gateway.ts';

export type GatewayFailure = Pick<GatewayError, 'code' | 'isRetryable' | 'retryAfterMs'>;

/** The gateway's failure. @throws the error itself when it is not the gateway's: a fault of ours */
export function failureOf(error: unknown): GatewayFailure {
  if (!(error instanceof GatewayError)) throw error;
  const { code, isRetryable, retryAfterMs } = error;
  return { code, isRetryable, retryAfterMs };
}
