import { setTimeout as sleep } from 'node:timers/promises';
import type { FullConfig } from '@playwright/test';
import { tryToListen } from '../../../apps/server/src/platform/process/free-port.ts';
import { findLastingPort, makeDataDir, removeDataDir, startProduct } from '../../support/product.ts';

/** Where people without the admin flag are sent; the tests answer for it. */
export const EXTERNAL_URL = 'https://members.example/';

/** One product with a demo world, and what its tests look at beside it. */
export interface DemoWorld {
  url: string;
  chainUrl: string;
  bybitUrl: string;
  telegramUrl: string;
  stop(): Promise<void>;
}

export default ({ workers }: FullConfig): Promise<() => Promise<void>> =>
  startDemoWorlds(workers, () => startDemoWorld({}));

/**
 * For each worker a product with a demo world of its own: tests change its data. Their addresses are in E2E_URLS, those
 * of their chains in E2E_CHAIN_URLS, of their Bybit in E2E_BYBIT_URLS and of their Telegram in E2E_TELEGRAM_URLS, in the order of the workers' parallel indexes.
 */
export async function startDemoWorlds(
  workers: number,
  start: () => Promise<DemoWorld>,
): Promise<() => Promise<void>> {
  const worlds = await Promise.allSettled(Array.from({ length: workers }, start));
  const started = worlds.filter((world) => world.status === 'fulfilled').map((world) => world.value);
  const stop = async () => {
    await Promise.all(started.map((world) => world.stop()));
  };
  const failed = worlds.find((world) => world.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  process.env.E2E_URLS = started.map(({ url }) => url).join(' ');
  process.env.E2E_CHAIN_URLS = started.map(({ chainUrl }) => chainUrl).join(' ');
  process.env.E2E_BYBIT_URLS = started.map(({ bybitUrl }) => bybitUrl).join(' ');
  process.env.E2E_TELEGRAM_URLS = started.map(({ telegramUrl }) => telegramUrl).join(' ');
  return stop;
}

/** @param settings beside those of every demo world, among them the data folder where the caller needs it */
export async function startDemoWorld({
  COPYDESK_DATA_DIR: dataDir = makeDataDir(),
  ...settings
}: Record<string, string>): Promise<DemoWorld> {
  const chainPort = await findLastingPort();
  const bybitPort = await findLastingPort();
  const telegramPort = await findLastingPort();
  // As started by npm: it ends by itself when this process is gone, however that came about.
  const product = await startProduct({
    COPYDESK_DATA_DIR: dataDir,
    EXTERNAL_URL,
    SIMULATORS_PORT_CHAIN: String(chainPort),
    SIMULATORS_PORT_BYBIT: String(bybitPort),
    SIMULATORS_PORT_TELEGRAM: String(telegramPort),
    // Balances stay as they are, and no page is told of changes that its test does not make.
    READING_EVERY_MS: String(24 * 3_600_000),
    npm_lifecycle_event: 'start',
    ...settings,
  });
  const stop = async () => {
    product.kill('SIGTERM');
    await product.ended;
    // Why tests of one worker failed: a program of its product that ended, or an error in its log.
    for (const line of product.output().split('\n').filter(isTrouble))
      console.error(`${product.url}: ${line}`);
    await removeDataDir(dataDir);
  };
  try {
    const end = product.ended.then(() => Promise.reject(new Error(product.output())));
    await Promise.race([product.prints(/Copydesk is running/, 300_000), end]);
    end.catch(() => {});
    await Promise.race([waitForSimulators([chainPort, bybitPort, telegramPort]), end]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: product.url,
    chainUrl: `http://127.0.0.1:${chainPort}`,
    bybitUrl: `http://127.0.0.1:${bybitPort}`,
    telegramUrl: `http://127.0.0.1:${telegramPort}`,
    stop,
  };
}

const isTrouble = (line: string) => /ended (unexpectedly|\d+ times)|"level":[56]0/.test(line);

/** The console answers before the simulators listen; without them a product is none for tests. */
async function waitForSimulators(ports: readonly number[]): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (const port of ports)
    while ((await tryToListen(port, '127.0.0.1')) === null) {
      if (Date.now() > deadline) throw new Error(`no simulator listens on port ${port}`);
      await sleep(200);
    }
}
