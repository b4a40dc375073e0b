import { EXCHANGES } from '@copydesk/domain';
import type { Config } from '../config.ts';
import type { GatewaySettings, VenueSettings } from '../integrations/exchanges/gateway.ts';

/** Of the limits of one account. All processes together stay below it as long as they do not all read it at once. */
const ACCOUNT_SHARE = 0.5;
/** Workers have a steady load: what may come at once is kept small, and what flows is the larger for it. */
const STEADY_BURST = 0.1;

/**
 * How the API reaches the exchanges: little, and at once. A read is over before the console gives up on its request,
 * which it does after 10 s.
 */
export function interactiveSettings({ exchanges }: Pick<Config, 'exchanges'>): GatewaySettings {
  const { apiShare, timeoutMs } = exchanges;
  return settingsFor(exchanges, { budgetShare: apiShare, timeoutMs, deadlineMs: timeoutMs });
}

/** How a worker reaches the exchanges: as much as it may, evenly. */
export function backgroundSettings({ exchanges }: Pick<Config, 'exchanges'>): GatewaySettings {
  const { workerShare, workerTimeoutMs } = exchanges;
  return settingsFor(exchanges, {
    budgetShare: workerShare,
    timeoutMs: workerTimeoutMs,
    burst: STEADY_BURST,
  });
}

function settingsFor(
  { urls, proxyUrl }: Config['exchanges'],
  own: Pick<VenueSettings, 'budgetShare' | 'timeoutMs' | 'deadlineMs' | 'burst'>,
): GatewaySettings {
  return Object.fromEntries(
    EXCHANGES.map((exchange) => [
      exchange,
      {
        baseUrl: urls[exchange],
        proxyUrl,
        ...own,
        accountShare: Math.max(ACCOUNT_SHARE, own.budgetShare),
      },
    ]),
  ) as GatewaySettings;
}
