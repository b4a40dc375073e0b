import { readConfig, readServiceManager, readWalletSeed } from '../config.ts';
import { startProcess } from '../platform/process/start-process.ts';
import { openDatabase } from '../wiring/open-database.ts';
import { startWorker } from '../worker.ts';

/** Much work is due when a worker starts: it waits for a connection rather than fail. */
const CONNECTION_TIMEOUT_MS = 30_000;

await startProcess({
  name: 'worker',
  manager: readServiceManager(),
  readConfig: () => {
    const config = readConfig();
    return { ...config, seed: readWalletSeed(config) };
  },
  async start({ seed, ...config }, log) {
    const { directUrl, db, auditKey } = await openDatabase(config, 'copydesk-worker', {
      connectionTimeoutMs: CONNECTION_TIMEOUT_MS,
    });
    const { stop } = await startWorker({ config, directUrl, db, auditKey, log, seed });
    return async () => {
      await stop();
      await db.close();
    };
  },
});
