import type { Exchange } from '@copydesk/domain/catalogue';
import { startVenue, type VenueOptions } from '@copydesk/simulators/venues';
import { createWorldAccounts, type WorldAccount } from '@copydesk/simulators/world';
import { createExchangeGateway } from '../../../apps/server/src/integrations/exchanges/create-gateway.ts';
import type {
  ClosedPosition,
  ExchangeAccount,
  VenueSettings,
} from '../../../apps/server/src/integrations/exchanges/gateway.ts';
import { settingsAt } from './loopback-venue.ts';

const DAY_MS = 86_400_000;

/** The demo world ten days after its seeding, so that there is history and live trading. */
const accounts = createWorldAccounts({ epoch: new Date(Date.now() - 10 * DAY_MS), count: 150 });

/** A simulated venue and a gateway to it; limits are off on both sides by default. */
export async function startSimulatedVenue(
  exchange: Exchange,
  options: Partial<VenueOptions> = {},
  settings: Partial<VenueSettings> = {},
) {
  const venue = await startVenue({ venue: exchange, accounts, rateLimits: 'off', ...options });
  const gateway = createExchangeGateway(settingsAt(venue.url, { budgetShare: 1_000, ...settings }), {
    now: Date.now,
  });
  const all = accounts.list(exchange);
  const ours = (one: WorldAccount): ExchangeAccount => ({
    key: one.id,
    credentials: accounts.credentialsOf(one),
  });

  return {
    ...venue,
    gateway,
    ours,
    credentialsOf: accounts.credentialsOf,
    /** Readable accounts with trading. */
    trading: all.filter(
      ({ isTrading, traits, spareName, equity }) =>
        isTrading &&
        spareName === null &&
        equity !== null &&
        !traits.isRevoked &&
        (traits.ipWhitelist.length === 0 || traits.ipWhitelist.includes('127.0.0.1')),
    ),
    spare(name: string): WorldAccount {
      const found = all.find(({ spareName }) => spareName === name);
      if (!found) throw new Error(`no spare account ${name}`);
      return found;
    },
    /** All positions closed in a range, over any number of pages. */
    async closed(one: WorldAccount, range: { sinceMs: number; untilMs: number }) {
      const items: ClosedPosition[] = [];
      let pages = 0;
      let coverageFrom = 0;
      let cursor: string | null = null;
      do {
        const asked = cursor === null ? range : { ...range, cursor };
        const page = await gateway.closedPositions(ours(one), asked, { priority: 'background' });
        items.push(...page.items);
        pages += 1;
        ({ nextCursor: cursor, coverageFrom } = page);
      } while (cursor !== null);
      return { items, pages, coverageFrom };
    },
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await venue.close();
    },
  };
}
