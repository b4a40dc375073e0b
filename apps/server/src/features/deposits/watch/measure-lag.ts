import { Gauge, type Registry } from 'prom-client';

/** A figure that no turn has confirmed for this long is not shown. */
const FORGET_MS = 60_000;

const noted = new Map<number, { blocks: number; at: number }>();

const lag = new Gauge({
  name: 'copydesk_chain_lag_blocks',
  help: 'Final blocks whose transfers are not booked yet, as this worker last found',
  labelNames: ['chain'],
  registers: [],
  collect() {
    this.reset();
    for (const [chain, { blocks, at }] of noted)
      if (performance.now() - at < FORGET_MS) this.set({ chain: String(chain) }, blocks);
  },
});

/** Shows how far this process is behind the chain. */
export function registerLag(registry: Registry): void {
  registry.registerMetric(lag);
}

/** Notes how many final blocks are left to read. */
export function recordLag(chainId: number, blocks: bigint): void {
  noted.set(chainId, { blocks: Number(blocks < 0n ? 0n : blocks), at: performance.now() });
}
