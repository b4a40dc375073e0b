import {
  readPoolKeyIdentities,
  readServiceManager,
  readWalletSeed,
  readWorkerAuditKey,
  readWorkerConfig,
  requirePayoutBounds,
} from '../config.ts';
import { loadWorkerAuditKey } from '../platform/audit/audit-key.ts';
import { StartError } from '../platform/process/start-error.ts';
import { startProcess } from '../platform/process/start-process.ts';
import { loadOpeningBox } from '../platform/secrets/worker-box.ts';
import { openDatabase } from '../wiring/open-database.ts';
import { describeOwnProgram, inspectOwnProgram, warnOfOwnProgram } from '../wiring/own-program.ts';
import { requireDemoWorld } from '../wiring/require-demo-world.ts';
import { startWorker } from '../worker.ts';

/** Much work is due when a worker starts: it waits for a connection rather than fail. */
const CONNECTION_TIMEOUT_MS = 30_000;

await startProcess({
  name: 'worker',
  manager: readServiceManager(),
  readConfig: () => {
    const config = readWorkerConfig();
    return { ...config, seed: readWalletSeed(config), workerAuditKey: readWorkerAuditKey() };
  },
  async start({ seed, workerAuditKey: configured, ...config }, log) {
    const identities = await readPoolKeyIdentities();
    const program = inspectOwnProgram({ dataDir: config.dataDir });
    if (seed && program?.foreignWriter) throw new StartError(describeOwnProgram(program) ?? '');
    const { directUrl, db, auditKeys } = await openDatabase(config, 'copydesk-worker', {
      isApart: true,
      connectionTimeoutMs: CONNECTION_TIMEOUT_MS,
      workerAuditKey: await loadWorkerAuditKey({ configured, dataDir: config.dataDir }),
    });
    await requireDemoWorld({ db, config });
    if (seed) requirePayoutBounds(config);
    const box = await loadOpeningBox({ configured: identities, dataDir: config.dataDir });
    const { stop } = await startWorker({ config, directUrl, db, auditKeys, log, seed, program, box });
    warnOfOwnProgram(program, log);
    return async () => {
      await stop();
      await db.close();
    };
  },
});
