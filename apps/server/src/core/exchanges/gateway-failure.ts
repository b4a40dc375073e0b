import { EXCHANGE_PROBLEMS } from '@copydesk/domain/trading';
import { GatewayError } from '../../integrations/exchanges/gateway.ts';
import { Refusal } from '../../platform/refusal.ts';

export type GatewayFailure = Pick<GatewayError, 'code' | 'isRetryable' | 'retryAfterMs'>;

/** The gateway's failure. @throws the error itself when it is not the gateway's: a fault of ours */
export function failureOf(error: unknown): GatewayFailure {
  if (!(error instanceof GatewayError)) throw error;
  const { code, isRetryable, retryAfterMs } = error;
  return { code, isRetryable, retryAfterMs };
}

/** The message for an operator when the exchange rejected the credentials or could not be reached. */
export function connectionError(problem: {
  code: keyof typeof EXCHANGE_PROBLEMS;
  isRetryable: boolean;
}): Refusal {
  return problem.isRetryable
    ? new Refusal('exchange_unavailable')
    : new Refusal('exchange_refused', { message: EXCHANGE_PROBLEMS[problem.code] });
}
