import { GatewayError } from '../gateway.ts';
import type { Session } from '../venue.ts';
import { isBybitClassic } from './bybit-account.ts';
import { BYBIT } from './bybit-endpoints.ts';

/** "Parameter error": a classic account's refusal of `accountType=UNIFIED` and of contracts settled in USDC. */
const PARAMETER_ERROR = '10001';

/**
 * Classic accounts keep derivatives, spot and funding apart and have no total equity.
 * @param keyInfo answer of GET /v5/user/query-api
 * @throws GatewayError classic_account, which lasts until the account is upgraded
 */
export function requireUnified(keyInfo: unknown): void {
  if (isBybitClassic(keyInfo)) throw new GatewayError('classic_account');
}

/**
 * Runs a read that needs a unified account. A refusal of its parameters is checked against the key, which may belong to
 * a classic account. https://bybit-exchange.github.io/docs/v5/acct-mode
 * @param isPlain the request never varies, so its refusal means a classic account even when the key does not say
 * @throws GatewayError `classic_account`; any other failure of the read as it is
 */
export async function unlessClassic<T>(
  session: Session,
  read: () => Promise<T>,
  isPlain = false,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof GatewayError) || error.venueCode !== PARAMETER_ERROR) throw error;
    if ((await askClassic(session)) ?? isPlain)
      throw new GatewayError('classic_account', { venueCode: PARAMETER_ERROR });
    throw error;
  }
}

/** Null: the venue does not say, or its answer is unreadable. */
async function askClassic(session: Session): Promise<boolean | null> {
  try {
    return isBybitClassic(await session.call(BYBIT.keyInfo));
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'bad_response') return null;
    throw error;
  }
}
