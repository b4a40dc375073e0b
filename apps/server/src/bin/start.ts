import { fileURLToPath } from 'node:url';
import { SIMULATOR_VARIABLES, variablesOf } from '../config/child-environments.ts';
import { readConfig } from '../config.ts';
import { supervise } from '../launcher/supervise.ts';
import { loadKeyring } from '../platform/crypto/keyring.ts';
import { createBoxFiles, loadSealingBox } from '../platform/crypto/worker-box.ts';
import { isOfRewrittenSchema, migrate } from '../platform/db/migrate.ts';

// With a database that is given, nothing of the demo world is loaded: a production has neither it nor the simulators.
const loadDemo = () => import('../demo/demo-parts.ts');

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// `npm start | head` closes our output while we run; an orderly stop matters more than the lines.
process.stdout.on('error', () => {});

try {
  const config = readConfig();
  let telegram: Record<string, string> = {};
  process.exitCode = await supervise(
    { ...config, projectDir: here('../../../..'), env: process.env },
    {
      migrate,
      isOfRewrittenSchema,
      demo: {
        seed: async ({ ownerUrl, dataDir, report }) => {
          const { poolKeysRecipient: configured } = config;
          if (!configured) await createBoxFiles(dataDir);
          return (await loadDemo()).seedDemoWorld(ownerUrl, {
            scale: 1,
            readingEveryMs: config.readingEveryMs,
            keyring: await loadKeyring({ ...config.credentials, dataDir }),
            box: await loadSealingBox({ configured, dataDir }),
            onProgress: report,
          });
        },
        findExchanges: async (ownerUrl) => {
          const demo = await loadDemo();
          const { settings, areSimulated } = await demo.findDemoExchanges(ownerUrl, config.demoBybitPort);
          telegram = await demo.telegramSettings(areSimulated, config.demoTelegramPort);
          return {
            settings: {
              ...settings,
              ...telegram,
              ...(await demo.botSettings(areSimulated, config.port)),
              ...(await demo.billingSettings(areSimulated, config.port)),
              ...(await demo.chainSettings(ownerUrl, areSimulated, config.demoChainPort)),
            },
            areSimulated,
          };
        },
        begin: async (origin, signal) => {
          if (config.demoActs) await (await loadDemo()).actInDemoWorld(origin, telegram, signal);
        },
        children: {
          'simulated exchanges': {
            script: here('../../../simulators/src/bin/simulators.ts'),
            variables: SIMULATOR_VARIABLES,
          },
        },
      },
      children: {
        API: { script: here('./api.ts'), variables: variablesOf('API'), isEssential: true },
        worker: { script: here('./worker.ts'), variables: variablesOf('worker') },
      },
      report: (line) => console.log(line),
    },
  );
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
process.exit();
