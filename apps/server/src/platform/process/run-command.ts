import { StartError } from './start-error.ts';

/** Runs a command of a terminal. A reason that its user can mend is one line, without a stack. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === null) throw error;
    process.stderr.write(`${reason}\n`);
    process.exit(1);
  }
}

const FILE_PROBLEMS: Record<string, string> = {
  EACCES: 'this user may not read or write it',
  EPERM: 'this user may not change it',
  EROFS: 'it cannot be written',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a file is in place of a folder',
  ENOSPC: 'the disk is full',
};

function reasonOf(error: unknown): string | null {
  if (error instanceof StartError) return error.message;
  const { code = '', path } = error as NodeJS.ErrnoException;
  const problem = FILE_PROBLEMS[code];
  return path && problem ? `${path}: ${problem}.` : null;
}
