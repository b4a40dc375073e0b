import { createPoolState, createPools, type PoolState, type PoolsOptions } from '@copydesk/simulators/pools';
import { createFaults, startVenue, type VenueOptions } from '@copydesk/simulators/venues';
import { createWorldAccounts, demoPoolAccount } from '@copydesk/simulators/world';
import { createExchangeGateway } from '../../../apps/server/src/integrations/exchanges/create-gateway.ts';
import type { VenueSettings } from '../../../apps/server/src/integrations/exchanges/gateway.ts';
import type { PoolAccount } from '../../../apps/server/src/integrations/exchanges/pool-records.ts';
import { settingsAt } from './loopback-venue.ts';

const accounts = createWorldAccounts({ epoch: new Date(), count: 1 });

/** The state of a pool's account by number. */
export function poolState(index: number, changes: Partial<PoolState> = {}): PoolState {
  const { uid, credentials, depositAddress } = demoPoolAccount(index);
  return createPoolState({ ...credentials, uid, depositAddress, ...changes });
}

/** The account as our side knows it. */
export const poolAccount = (index: number): PoolAccount => ({
  key: `pool ${index}`,
  credentials: demoPoolAccount(index).credentials,
});

/** A simulated Bybit with accounts of pools, and a gateway to it; limits are off on both sides by default. */
export async function startSimulatedPools(
  states: PoolState[] = [poolState(1)],
  {
    hasRealClock = false,
    speed = 0,
    venue: venueOptions = {},
    settings = {},
    pools: poolsOptions = {},
  }: {
    /** For a gateway that keeps its own time; else time stands still until `advance`. */
    hasRealClock?: boolean;
    /** How many times as fast as the real one time passes between calls of `advance`. */
    speed?: number;
    venue?: Partial<VenueOptions>;
    settings?: Partial<VenueSettings>;
    pools?: Partial<PoolsOptions>;
  } = {},
) {
  const startedAt = Date.now();
  const clock = { ms: startedAt };
  // The venue and the gateway share it, or signatures would be too old.
  const now = hasRealClock ? Date.now : () => clock.ms + Math.floor((Date.now() - startedAt) * speed);
  const faults = createFaults();
  const pools = createPools({ accounts: states, faults, now, ...poolsOptions });
  const venue = await startVenue({
    venue: 'bybit',
    accounts,
    rateLimits: 'off',
    now,
    pools,
    faults,
    ...venueOptions,
  });
  const gateway = createExchangeGateway(settingsAt(venue.url, { budgetShare: 1_000, ...settings }), { now });
  return {
    ...venue,
    gateway,
    /** The calls under test. */
    reads: gateway.pools,
    pools,
    now,
    startedAt,
    advance(ms: number): void {
      clock.ms += ms;
    },
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await venue.close();
      await pools.close();
    },
  };
}
