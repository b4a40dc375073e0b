/** EX_CONFIG of sysexits.h: the next start would end in the same way, so service managers do not repeat it. */
export const EXIT_CONFIG = 78;

/**
 * A process cannot start for a reason that the operator can mend. The message names the setting and never its value; it
 * is all that the log says, without a stack.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
  /** `EXIT_CONFIG`, or 1 when no setting is wrong: a server is down, a port is taken, a disk is full. */
  readonly exitCode: number;
  constructor(message: string, { isSetting = true }: { isSetting?: boolean } = {}) {
    super(message);
    this.exitCode = isSetting ? EXIT_CONFIG : 1;
  }
}

const FILE_PROBLEMS: Record<string, string> = {
  EACCES: 'this user may not read or write it',
  EPERM: 'this user may not change it',
  EROFS: 'it cannot be written',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a file is in place of a folder',
  ENOSPC: 'the disk is full',
};

/** What an error of the file system says about a path, without a code; null: it is another one. */
export function describeFileProblem(error: unknown): string | null {
  const { code = '', path } = error as NodeJS.ErrnoException;
  const problem = FILE_PROBLEMS[code];
  return path && problem ? `${path}: ${problem}.` : null;
}

/**
 * Classes of errors of PostgreSQL that a setting or a missing privilege causes: the login, the database, the schema, a
 * parameter. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const REFUSALS = /^(22023|28|3D|3F|42)/;

/** Why a start or a command failed, in one line, and its exit code; null: it is a fault of ours, which needs its stack. */
export function describeStartProblem(error: unknown): { problem: string; exitCode: number } | null {
  if (error instanceof StartError) return { problem: error.message, exitCode: error.exitCode };
  const ofFile = describeFileProblem(error);
  if (ofFile !== null) return { problem: ofFile, exitCode: 1 };
  const { code = '', severity, message, hint } = error as Record<string, string | undefined>;
  if (severity === undefined || !/^[0-9A-Z]{5}$/.test(code)) return null;
  const advice = hint ? ` ${hint.replace(/\s+/g, ' ')}` : '';
  return {
    problem: `The database refuses (${code}): ${message?.replace(/\s+/g, ' ')}.${advice} bin/copydesk admin doctor looks for the reason.`,
    exitCode: REFUSALS.test(code) ? EXIT_CONFIG : 1,
  };
}
