import { fileURLToPath } from 'node:url';
import { SIMULATOR_VARIABLES } from '../config/child-environments.ts';
import type { Config } from '../config.ts';
import { billingSettings } from '../demo/demo-billing.ts';
import { botSettings } from '../demo/demo-bot.ts';
import { chainSettings } from '../demo/demo-chain.ts';
import { findDemoExchanges } from '../demo/demo-exchanges.ts';
import { telegramSettings } from '../demo/demo-telegram.ts';
import { actInDemoWorld } from '../demo/first-acts.ts';
import { seedDemoWorld } from '../demo/seed.ts';
import { loadKeyring } from '../platform/secrets/keyring.ts';
import { createBoxFiles, loadSealingBox } from '../platform/secrets/worker-box.ts';
import type { Program } from './keep-running.ts';

// The only module through which programs load the demo world, on request: a production installation has
// neither it nor the simulators.

export const SIMULATORS: Program = {
  name: 'simulated exchanges',
  script: fileURLToPath(new URL('../../../simulators/src/bin/simulators.ts', import.meta.url)),
  variables: SIMULATOR_VARIABLES,
};

/**
 * Loads the demo world into a database without data, with `scale` times its 600 traders.
 * @param ownerUrl connection of the owner of the schema, which is migrated
 * @returns whether the database was empty
 */
export async function seedWorld(
  { poolKeysRecipient: configured, readingEveryMs, credentials }: Config,
  {
    ownerUrl,
    dataDir,
    scale,
    report,
  }: {
    ownerUrl: string;
    dataDir: string | undefined;
    scale: number;
    report: (line: string) => void;
  },
): Promise<boolean> {
  if (dataDir && !configured) await createBoxFiles(dataDir);
  const { seeded } = await seedDemoWorld(ownerUrl, {
    scale,
    readingEveryMs,
    keyring: await loadKeyring({ ...credentials, dataDir }),
    box: await loadSealingBox({ configured, dataDir }),
    onProgress: report,
  });
  return seeded;
}

/** The settings by which the processes reach the demo world, and whether its exchanges are simulated. */
export async function findWorldSettings(
  config: Config,
  ownerUrl: string,
): Promise<{ settings: Record<string, string>; areSimulated: boolean }> {
  const { settings, areSimulated } = await findDemoExchanges(ownerUrl, config.demoBybitPort);
  return {
    areSimulated,
    settings: {
      ...settings,
      ...(await telegramSettings(areSimulated, config.demoTelegramPort)),
      ...(await botSettings(areSimulated, config.port)),
      ...(await billingSettings(areSimulated, config.port)),
      ...(await chainSettings(ownerUrl, areSimulated, config.demoChainPort)),
    },
  };
}

/** The first day of a world that was just loaded, once the API answers. It works without, so a failure is reported. */
export async function beginWorld(
  origin: string,
  settings: Record<string, string>,
  signal: AbortSignal,
  report: (line: string) => void,
): Promise<void> {
  try {
    await actInDemoWorld(origin, settings, signal);
  } catch (error) {
    if (!signal.aborted) report(`The first day of the demo world was cut short: ${(error as Error).message}`);
  }
}
