import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { type WriteLine, watchOutages } from '../db/connection/outage.ts';
import { currentLogFields } from './log-context.ts';
import { createLogOutput } from './log-output.ts';
import { currentTraceFields } from './tracing.ts';

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

/** The structured log of a process, one JSON object a line on standard output. A fatal line is written at once. */
export function createLog(level: string, name: string): Logger {
  const output = createLogOutput();
  const log = createLogTo(output, level, name);
  output.onLost(({ lines, code }) =>
    code === null
      ? log.warn({ lines }, 'lines of this log were dropped: nothing read them')
      : log.warn({ lines, code }, 'this log could not be written for a time: this many lines were dropped'),
  );
  return log;
}

/** The same log, to any output. */
export function createLogTo(output: DestinationStream, level: string, name: string): Logger {
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
      mixin: () => Object.assign(currentLogFields(), currentTraceFields()),
      hooks: { logMethod: gatherOutages() },
    },
    output,
  );
}

/** Turns lines about a missing database into those of its outage, wherever they come from. */
function gatherOutages(): NonNullable<LoggerOptions['hooks']>['logMethod'] {
  const outageOf = watchOutages();
  return function (args, method, level) {
    const [fields, text] = args as unknown as [unknown, unknown];
    const error = fields instanceof Error ? fields : (fields as { err?: unknown } | null)?.err;
    const outage = level < WARN ? null : outageOf(error);
    if (!outage) {
      method.apply(this, args);
      return;
    }
    const write: WriteLine = (kind, ...line) => this[kind](...line);
    // A plain description, not the error: the lines of the outage must not count as failures again.
    outage.failed(write, describeError(error), String(text ?? ''));
  };
}

const WARN = 40;

/**
 * Type, code, message and stack only: a driver's error carries parameters and connection strings as well. Libraries
 * also report copies of errors, which are plain objects.
 */
function describeError(error: unknown) {
  if (typeof error !== 'object' || error === null) return { message: String(error) };
  const { name, type, code, message, stack } = error as Record<string, unknown>;
  // Several failed attempts to connect are one error without a text, so the first attempt's text is used.
  const first = error instanceof AggregateError ? (error.errors[0] as Error | undefined)?.message : undefined;
  return { type: type ?? name, code, message: textOf(message || first), stack: textOf(stack) };
}

/** A call to the chain that failed for a hundred addresses names them all, in its text and in its stack: 40,000 characters. */
const LONGEST_TEXT = 4_000;
const KEPT_AT_EACH_END = 1_500;

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.length <= LONGEST_TEXT) return value;
  const left = value.length - 2 * KEPT_AT_EACH_END;
  return `${value.slice(0, KEPT_AT_EACH_END)} [${left} characters] ${value.slice(-KEPT_AT_EACH_END)}`;
}
