import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { readConfig } from '../../apps/server/src/config.ts';
import { startAccountReader } from '../../apps/server/src/features/exchanges/reading/account-reader.ts';
import { createExchangeGateway } from '../../apps/server/src/integrations/exchanges/create-gateway.ts';
import { createPool } from '../../apps/server/src/platform/db/connection/connection.ts';
import { createDatabase } from '../../apps/server/src/platform/db/database.ts';
import { backgroundSettings } from '../../apps/server/src/wiring/exchange-settings.ts';
import { BENCH_KEYRING } from './bench-keyring.ts';

// A worker's reading alone, for this many seconds; prints its requests to each exchange and its cost.
const [databaseUrl = '', seconds = '60'] = process.argv.slice(2);
const config = readConfig();
const pool = createPool({ url: databaseUrl, applicationName: 'bench-reading', maxConnections: 6 });
const db = createDatabase({ pool, auditKey: Buffer.alloc(32), now: () => new Date() });
const gateway = createExchangeGateway(backgroundSettings(config), { now: Date.now });
const reader = startAccountReader({
  db,
  gateway,
  keyring: BENCH_KEYRING,
  log: pino({ level: 'silent' }),
  now: Date.now,
  everyMs: 480_000,
  leaseMs: 20_000,
  atOnce: 24,
});
await sleep(10_000); // the burst is spent, and everything is loaded
const before = { usage: await gateway.usage(), cpu: process.cpuUsage(), at: performance.now() };
await sleep(Number(seconds) * 1_000);
const elapsedMs = performance.now() - before.at;
const cpu = process.cpuUsage(before.cpu);
const usage = await gateway.usage();
const weights = Object.fromEntries(
  Object.entries(usage).map(([exchange, now]) => [
    exchange,
    now.weight - (before.usage[exchange as keyof typeof usage]?.weight ?? 0),
  ]),
);
const cpuShare = (cpu.user + cpu.system) / 1_000 / elapsedMs;
console.log(JSON.stringify({ elapsedMs, weights, cpuShare, rssMb: process.resourceUsage().maxRSS / 1_024 }));
await reader.stop();
process.exit();
