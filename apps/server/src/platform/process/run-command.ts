import { describeStartProblem } from './start-error.ts';

/** Runs a command of a terminal. A reason that its user can mend is one line, without a stack. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    const found = describeStartProblem(error);
    if (found === null) throw error;
    process.stderr.write(`${found.problem}\n`);
    process.exit(found.exitCode);
  }
}

/** Aborts at the first signal that would end the process, which the command then ends in order. */
export function awaitInterruption(): AbortSignal {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => interruption.abort());
  return interruption.signal;
}
