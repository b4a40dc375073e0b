import { EXCHANGES } from '@copydesk/domain/catalogue';
import type { Config } from '../config.ts';
import type { GatewaySettings, VenueSettings } from '../integrations/exchanges/gateway.ts';

/**
 * Part of one account's limits. All processes together stay below the limit unless they all read the account at once.
 */
const ACCOUNT_SHARE = 0.5;
/** Workers have a steady load: a small burst leaves a larger steady rate. */
const STEADY_BURST = 0.1;

/**
 * The API's access to the exchanges: few requests, answered at once. A read ends before the console gives up on its
 * request, after 10 s.
 */
export function interactiveSettings({ exchanges }: Pick<Config, 'exchanges'>): GatewaySettings {
  const { apiShare, timeoutMs } = exchanges;
  return settingsFor(exchanges, { budgetShare: apiShare, timeoutMs, deadlineMs: timeoutMs });
}

/** A worker's access to the exchanges: the highest allowed rate, evenly spread. */
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
