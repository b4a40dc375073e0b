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

/** The structured log of a process, one JSON object a line on standard output. */
export function createLog(level: string, name: string): Logger {
  return pino({
    level,
    name,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]),
      censor: '[redacted]',
    },
    serializers: { err: describeError, error: describeError },
  });
}

/** Type, code, message and stack only: a driver's error carries parameters and connection strings as well. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as { code?: string };
  return { type: error.name, code, message: error.message, stack: error.stack };
}
