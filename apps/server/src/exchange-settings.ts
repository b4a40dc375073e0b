import { EXCHANGES } from '@copydesk/domain';
import type { Config } from './config.ts';
import type { GatewaySettings } from './integrations/exchanges/gateway.ts';

/** Of the limits of one account. All processes together stay below it as long as they do not all read it at once. */
const ACCOUNT_SHARE = 0.5;
/** Workers have a steady load: what may come at once is kept small, and what flows is the larger for it. */
const STEADY_BURST = 0.1;

/** How the API reaches the exchanges: little, and at once. */
export function interactiveSettings({ exchanges }: Pick<Config, 'exchanges'>): GatewaySettings {
  return settingsFor(exchanges, { budgetShare: exchanges.apiShare });
}

/** How a worker reaches the exchanges: as much as it may, evenly. */
export function backgroundSettings({ exchanges }: Pick<Config, 'exchanges'>): GatewaySettings {
  return settingsFor(exchanges, { budgetShare: exchanges.workerShare, burst: STEADY_BURST });
}

function settingsFor(
  { urls, timeoutMs, proxyUrl }: Config['exchanges'],
  budget: { budgetShare: number; burst?: number },
): GatewaySettings {
  return Object.fromEntries(
    EXCHANGES.map((exchange) => [
      exchange,
      {
        baseUrl: urls[exchange],
        timeoutMs,
        proxyUrl,
        ...budget,
        accountShare: Math.max(ACCOUNT_SHARE, budget.budgetShare),
      },
    ]),
  ) as GatewaySettings;
}
