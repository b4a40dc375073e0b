import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { hurry } from '../db/connection/silence.ts';
import { createLog, createLogTo, type Logger } from '../observe/log.ts';
import { startTracing } from '../observe/start-tracing.ts';
import type { TracingSettings } from '../observe/tracing.ts';
import { reportToServiceManager, type ServiceManager } from './service-manager.ts';
import { describeStartProblem } from './start-error.ts';

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

/** A start that takes longer is waiting, as for a database, and has begun nothing that must end in order. */
const START_PATIENCE_MS = 3_000;

async function stopStarted(starting: Promise<() => Promise<void>>): Promise<void> {
  const givenUp = sleep(START_PATIENCE_MS, null, { ref: false });
  const stop = await Promise.race([starting.catch(() => null), givenUp]);
  await stop?.();
}

/** Writes to standard error synchronously, because the process ends. */
const lastLine = (name: string) =>
  createLogTo(
    {
      write(line: string) {
        try {
          writeSync(2, line);
        } catch {
          // The reader of standard error is gone.
        }
      },
    },
    'fatal',
    name,
  );

/**
 * Runs a server until a signal. If it cannot start, one line of its log on standard error says why. The exit code is
 * that of the problem: `EXIT_CONFIG` where a setting has to change first.
 */
export async function startProcess<
  Config extends { logLevel: string; drainMs: number; tracing: TracingSettings | null },
>({ name, readConfig, manager, start }: Startable<Config>): Promise<void> {
  let log = createLog('info', name);
  try {
    const config = readConfig();
    log = createLog(config.logLevel, name);
    const stopTracing = await startTracing(config.tracing, { name, log });
    const starting = start(config, log);
    // A server answers requests before its start has returned, so a signal during the start must end it in
    // order too.
    onShutdown(log, () => stopStarted(starting).finally(stopTracing), config.drainMs);
    await starting;
    if (manager) reportToServiceManager(manager);
  } catch (error) {
    const found = describeStartProblem(error);
    if (found) lastLine(name).fatal({ problem: found.problem }, 'not started');
    else lastLine(name).fatal({ err: error }, 'not started');
    process.exit(found?.exitCode ?? 1);
  }
}

/** Connections still open after this long are cut off. */
const DEADLINE_MS = 9_000;

/**
 * Runs `stop` once on a signal, or when the parent process is gone, and then ends the process.
 * @param drainMs time that `stop` takes at least
 */
export function onShutdown(log: Logger, stop: () => Promise<void>, drainMs = 0): void {
  let isStopping = false;
  const shutDown = async (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ reason }, 'shutting down');
    // A database that does not answer is not waited for.
    setTimeout(hurry, drainMs).unref();
    setTimeout(() => {
      log.error('shutdown took too long');
      process.exit(1);
    }, drainMs + DEADLINE_MS).unref();
    try {
      await stop();
      process.exit(0);
    } catch (error) {
      log.error({ err: error }, 'shutdown failed');
      process.exit(1);
    }
  };
  process.on('SIGTERM', () => void shutDown('SIGTERM'));
  process.on('SIGINT', () => void shutDown('SIGINT'));
  process.on('disconnect', () => void shutDown('parent gone'));
  // The parent may have ended during our start, before the listener was attached.
  if (process.connected === false) void shutDown('parent gone');
}
