import { createLog, type Logger } from '../log/log.ts';
import { startTracing } from '../tracing/start-tracing.ts';
import type { TracingSettings } from '../tracing/tracing.ts';
import { reportToServiceManager, type ServiceManager } from './service-manager.ts';
import { onShutdown } from './shutdown.ts';
import { StartError } from './start-error.ts';

interface Startable<Config> {
  /** Of the process, in its log. */
  name: string;
  /** @throws StartError */
  readConfig(): Config;
  /** Null: no service manager started it. */
  manager: ServiceManager | null;
  /** @returns what stops it in order */
  start(config: Config, log: Logger): Promise<() => Promise<void>>;
}

/** Runs a server until a signal. If it cannot start, one line of its log says why, and the process ends with code 1. */
export async function startProcess<
  Config extends { logLevel: string; drainMs: number; tracing: TracingSettings | null },
>({ name, readConfig, manager, start }: Startable<Config>): Promise<void> {
  let log = createLog('info', name);
  try {
    const config = readConfig();
    log = createLog(config.logLevel, name);
    const stopTracing = await startTracing(config.tracing, { name, log });
    const stop = await start(config, log);
    onShutdown(log, () => stop().finally(stopTracing), config.drainMs);
    if (manager) reportToServiceManager(manager);
  } catch (error) {
    if (error instanceof StartError) log.fatal({ problem: error.message }, 'not started');
    else log.fatal({ err: error }, 'not started');
    process.exit(1);
  }
}
