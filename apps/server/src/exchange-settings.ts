import { EXCHANGES } from '@copydesk/domain';
import type { Config } from './config.ts';
import type { GatewaySettings } from './integrations/exchanges/gateway.ts';

/** How a process reaches the exchanges. @param budgetShare its part of their documented limits */
export function venueSettings(exchanges: Config['exchanges'], budgetShare: number): GatewaySettings {
  const { urls, timeoutMs, proxyUrl } = exchanges;
  return Object.fromEntries(
    EXCHANGES.map((exchange) => [exchange, { baseUrl: urls[exchange], timeoutMs, proxyUrl, budgetShare }]),
  ) as GatewaySettings;
}
