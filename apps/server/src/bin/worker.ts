import {
  readConfig,
  readServiceManager,
  readWalletSeed,
  readWorkerAuditKey,
  requirePayoutBounds,
} from '../config.ts';
import { isDemoWorld } from '../features/identity/set-up/demo-world.views.ts';
import { loadWorkerAuditKey } from '../platform/audit/audit-key.ts';
import { WHOLE_SCOPE } from '../platform/db/database.ts';
import { StartError } from '../platform/process/start-error.ts';
import { startProcess } from '../platform/process/start-process.ts';
import { openDatabase } from '../wiring/open-database.ts';
import { describeOwnProgram, inspectOwnProgram, warnOfOwnProgram } from '../wiring/own-program.ts';
import { startWorker } from '../worker.ts';

/** Much work is due when a worker starts: it waits for a connection rather than fail. */
const CONNECTION_TIMEOUT_MS = 30_000;

await startProcess({
  name: 'worker',
  manager: readServiceManager(),
  readConfig: () => {
    const config = readConfig();
    return { ...config, seed: readWalletSeed(config), workerAuditKey: readWorkerAuditKey() };
  },
  async start({ seed, workerAuditKey: configured, ...config }, log) {
    const program = inspectOwnProgram({ dataDir: config.dataDir });
    if (seed && program?.foreignWriter) throw new StartError(describeOwnProgram(program) ?? '');
    const { directUrl, db, auditKeys } = await openDatabase(config, 'copydesk-worker', {
      connectionTimeoutMs: CONNECTION_TIMEOUT_MS,
      workerAuditKey: await loadWorkerAuditKey({ configured, dataDir: config.dataDir }),
    });
    if (seed) {
      const isDemo = config.isDemo && (await db.read(WHOLE_SCOPE, isDemoWorld));
      requirePayoutBounds({ ...config, isDemo });
    }
    const { stop } = await startWorker({ config, directUrl, db, auditKeys, log, seed, program });
    warnOfOwnProgram(program, log);
    return async () => {
      await stop();
      await db.close();
    };
  },
});
