import { readConfig, readWalletSeed } from '../config.ts';
import { createLog } from '../platform/log/log.ts';
import { onShutdown } from '../platform/process/shutdown.ts';
import { openDatabase } from '../wiring/open-database.ts';
import { startWorker } from '../worker.ts';

/** Much work is due when a worker starts: it waits for a connection rather than fail. */
const CONNECTION_TIMEOUT_MS = 30_000;

const config = readConfig();
const log = createLog(config.logLevel, 'worker');
try {
  const { directUrl, db, auditKey } = await openDatabase(config, 'copydesk-worker', {
    connectionTimeoutMs: CONNECTION_TIMEOUT_MS,
  });
  const { stop } = await startWorker({ config, directUrl, db, auditKey, log, seed: readWalletSeed() });
  onShutdown(log, async () => {
    await stop();
    await db.close();
  });
} catch (error) {
  log.fatal({ err: error }, 'the worker did not start');
  process.exit(1);
}
