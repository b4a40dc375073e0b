import { GatewayError } from '../gateway.ts';
import type { Session } from '../venue.ts';
import { isBybitClassic } from './bybit-account.ts';
import { BYBIT } from './bybit-endpoints.ts';

/** "Parameter error": how a classic account refuses `accountType=UNIFIED` and what is settled in USDC. */
const PARAMETER_ERROR = '10001';

/**
 * Classic accounts keep derivatives, spot and funding apart and have no equity over all of them.
 * @param keyInfo answer of GET /v5/user/query-api
 * @throws GatewayError classic_account, which lasts until the account is upgraded
 */
export function requireUnified(keyInfo: unknown): void {
  if (isBybitClassic(keyInfo)) throw new GatewayError('classic_account');
}

/**
 * Reads something of a unified account. A question that is refused for its parameters is explained by the key: it may
 * belong to a classic account. https://bybit-exchange.github.io/docs/v5/acct-mode
 * @param isPlain the question never changes, so without a word of the key its refusal means a classic account too
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

/** Null: the venue does not say, or says something that cannot be read. */
async function askClassic(session: Session): Promise<boolean | null> {
  try {
    return isBybitClassic(await session.call(BYBIT.keyInfo));
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'bad_response') return null;
    throw error;
  }
}
