import { type Logger, pino } from 'pino';

export type { Logger };

/** Fields that never reach a log, at any of the depths at which we log objects. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'token',
  'secret',
  'api_key',
  'apiKey',
  'secret_key',
  'secretKey',
  'passphrase',
  'agent_private_key',
];

/** Lines are buffered up to this size, or this long: one write per line was measured at a tenth of a request's cost. */
const GATHERED_BYTES = 4_096;
const GATHERED_MS = 250;

/**
 * The structured log of a process, one JSON object a line on standard output. Buffered lines are written when the
 * process exits in order; a fatal line is written at once.
 */
export function createLog(level: string, name: string): Logger {
  const output = pino.destination({
    dest: 1,
    sync: false,
    minLength: GATHERED_BYTES,
    periodicFlush: GATHERED_MS,
  });
  process.on('exit', () => {
    try {
      output.flushSync();
    } catch {
      // Our output has no reader any more, so there is nowhere to report this.
    }
  });
  return pino(
    {
      level,
      name,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]),
        censor: '[redacted]',
      },
      serializers: { err: describeError, error: describeError },
    },
    output,
  );
}

/** Type, code, message and stack only: a driver's error carries parameters and connection strings as well. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as { code?: string };
  return { type: error.name, code, message: error.message, stack: error.stack };
}
