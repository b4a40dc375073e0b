import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { variablesOf } from '../config/child-environments.ts';
import type { Config } from '../config.ts';
import { createWorkerAuditKey } from '../platform/audit/audit-key.ts';
import { StartError } from '../platform/process/start-error.ts';
import { createBoxFiles } from '../platform/secrets/worker-box.ts';
import { PROJECT_DIR, resolveDataFolders } from './data-folders.ts';
import { keepRunning, type Program } from './keep-running.ts';
import { requirePort } from './listening-port.ts';
import { findPostmaster } from './postmaster.ts';
import { prepareDemoDatabase, prepareGivenDatabase, type Report } from './prepare-database.ts';
import { runUntilStopped, type Shutdown } from './run-until-stopped.ts';

const script = (name: string) => fileURLToPath(new URL(`../bin/${name}.ts`, import.meta.url));
const PROGRAMS: Program[] = [
  { name: 'API', script: script('api'), variables: variablesOf('API'), isEssential: true },
  { name: 'worker', script: script('worker'), variables: variablesOf('worker') },
];

const HEALTH_TIMEOUT_MS = 60_000;
/** Children of a killed start finish their requests before they release the port. */
const STALE_PORT_PATIENCE_MS = 5000;

/**
 * Runs the whole product until it is asked to stop, and returns the exit code.
 * @param env that of this process: each child gets only the variables that it reads
 */
export function launch(config: Config, env: NodeJS.ProcessEnv, report: Report): Promise<number> {
  const isBelowNpm = env.npm_lifecycle_event !== undefined;
  return runUntilStopped((shutdown) => start(config, env, report, shutdown), { report, isBelowNpm });
}

async function start(
  config: Config,
  env: NodeJS.ProcessEnv,
  report: Report,
  shutdown: Shutdown,
): Promise<void> {
  const { host, databaseUrl, databaseOwnerUrl } = config;
  const isDemo = databaseUrl === undefined;
  const folders = isDemo
    ? resolveDataFolders(config.dataDir)
    : { dataDir: config.dataDir ?? join(PROJECT_DIR, '.data'), cacheDir: join(PROJECT_DIR, '.cache') };
  const earlier = isDemo ? findPostmaster(join(folders.dataDir, 'postgres')) : null;
  if (earlier?.launcher) {
    const { pid, url } = earlier.launcher;
    report(`\nCopydesk already runs on this data folder (process ${pid}): ${url}\n`);
    return shutdown.request(0);
  }
  // Before anything slow, and before anything is written.
  const port = await requirePort(config.port, host, { patienceMs: earlier ? STALE_PORT_PATIENCE_MS : 0 });
  const origin = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
  const url = config.publicUrl ?? origin;

  const { settings, simulators, begin } = isDemo
    ? await prepareDemoDatabase(config, { ...folders, url, report, shutdown })
    : await prepareGivenDatabase(databaseUrl, databaseOwnerUrl ?? databaseUrl, report);
  if (!isDemo && env.WALLET_SEED)
    report(
      'API and worker run as one user, who has the seed of the wallets. For production, run them apart (docs/operations/set-up.md).',
    );
  if (!env.AUDIT_WORKER_KEY) await createWorkerAuditKey(folders.dataDir);
  if (!env.POOL_KEYS_RECIPIENT && !env.POOL_KEYS_IDENTITY) await createBoxFiles(folders.dataDir);
  shutdown.signal.throwIfAborted();

  let isUp = false;
  const children = (simulators ? [simulators, ...PROGRAMS] : PROGRAMS).map((program) =>
    keepRunning(program, {
      report,
      env: {
        // Caches compiled modules: the API loads in half the processor time, and uses 18 MB less without the compiler.
        NODE_COMPILE_CACHE: join(folders.cacheDir, 'compiled-modules'),
        // In the demo world people read this terminal: one line per request would scroll the address away.
        ...(isDemo ? { LOG_LEVEL: 'warn' } : {}),
        ...env,
        ...settings,
        PORT: String(port),
        HOST: host,
        COPYDESK_DATA_DIR: folders.dataDir,
      },
      givesUp: () => {
        const isUseless = program.isEssential === true && !isUp;
        if (isUseless) shutdown.request(1);
        return isUseless;
      },
    }),
  );
  shutdown.onStop(async () => void (await Promise.all(children.map((child) => child.stop()))));
  await waitForHealth(origin, shutdown.signal);
  if (shutdown.signal.aborted) return;
  isUp = true;
  report(announcement(url, isDemo ? folders.dataDir : undefined));
  begin?.(origin);
}

/** @throws StartError when the API does not answer in time */
async function waitForHealth(origin: string, signal: AbortSignal): Promise<void> {
  for (const deadline = Date.now() + HEALTH_TIMEOUT_MS; !signal.aborted; await sleep(40)) {
    const isHealthy = await fetch(`${origin}/api/health`, { signal: AbortSignal.timeout(2000) }).then(
      async (response) => {
        await response.body?.cancel();
        return response.ok;
      },
      () => false,
    );
    if (isHealthy) return;
    if (Date.now() > deadline)
      throw new StartError(
        `The API did not answer at ${origin}/api/health within ${HEALTH_TIMEOUT_MS / 1000} s.`,
      );
  }
}

function announcement(url: string, demoDataDir: string | undefined): string {
  const demo = [
    '    Sign in  choose a persona on the sign-in page (demo world)',
    `    Data     ${demoDataDir}`,
  ];
  const lines = ['', '  Copydesk is running', '', `    Open     ${url}`, ...(demoDataDir ? demo : [])];
  return [...lines, '    Stop     Ctrl-C', ''].join('\n');
}
