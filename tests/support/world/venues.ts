import { EXCHANGES, type Exchange } from '@copydesk/domain/catalogue';
import { type RunningVenue, startVenue } from '@copydesk/simulators/venues';
import { createWorldAccounts, type WorldAccount, type WorldAccounts } from '@copydesk/simulators/world';

export interface TestVenues {
  accounts: WorldAccounts;
  of: Record<Exchange, RunningVenue>;
  /** The addresses of the exchanges, for an API or a worker. */
  env: Record<string, string>;
  /** Moves the clock of all exchanges forward. */
  advance(ms: number): void;
  now(): number;
  /** An account without an owner. */
  spare(exchange: Exchange, name: string): WorldAccount;
  close(): Promise<void>;
}

/** All five simulated exchanges, on the real clock plus an offset that a test moves by hand. */
export async function startVenues({ epoch, traders }: { epoch: Date; traders: number }): Promise<TestVenues> {
  const accounts = createWorldAccounts({ epoch, count: traders });
  let offset = 0;
  const now = () => Date.now() + offset;
  const started = await Promise.all(
    EXCHANGES.map((venue) => startVenue({ venue, accounts, now, rateLimits: 'off' })),
  );
  const of = Object.fromEntries(started.map((venue) => [venue.venue, venue])) as Record<
    Exchange,
    RunningVenue
  >;
  return {
    accounts,
    of,
    env: Object.fromEntries(started.map(({ venue, url }) => [`EXCHANGE_${venue.toUpperCase()}_URL`, url])),
    advance: (ms) => {
      offset += ms;
    },
    now,
    spare(exchange, name) {
      const account = accounts.list(exchange).find(({ spareName }) => spareName === name);
      if (!account) throw new Error(`no spare ${exchange} account named ${name}`);
      return account;
    },
    close: async () => {
      await Promise.all(started.map((venue) => venue.close()));
    },
  };
}
