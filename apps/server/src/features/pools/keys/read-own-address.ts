import { GatewayError } from '../../../integrations/exchanges/gateway.ts';
import type { DepositAddress, PoolAccount } from '../../../integrations/exchanges/pool-records.ts';
import type { PoolVenue } from '../../../integrations/exchanges/pool-venue.ts';

/**
 * The account's deposit address as the exchange gives it; null for keys of subaccounts, which may not read it.
 * @throws GatewayError when the exchange cannot be read
 */
export async function readOwnAddress(
  venue: Pick<PoolVenue, 'readDepositAddress'>,
  account: PoolAccount,
): Promise<DepositAddress | null> {
  try {
    return await venue.readDepositAddress(account, {}, { priority: 'interactive' });
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'unsupported') return null;
    throw error;
  }
}
