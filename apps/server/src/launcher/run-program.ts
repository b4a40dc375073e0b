import { spawn } from 'node:child_process';
import type { UnixUser } from './unprivileged-user.ts';

interface Program {
  file: string;
  args: string[];
  user: UnixUser | null;
  cwd: string;
  input?: string;
}

/** PostgreSQL gets no environment of ours: it would otherwise read PGPORT, PGDATA and the like from it. */
export const SERVER_ENV = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Runs one of PostgreSQL's programs to its end; when it fails, rejects with its last output. */
export function runProgram({ file, args, user, cwd, input = '' }: Program): Promise<void> {
  return new Promise((resolve, reject) => {
    // Detached: Ctrl-C reaches only the supervisor, which decides about a running initdb.
    const child = spawn(file, args, { cwd, env: SERVER_ENV, detached: true, ...user });
    let output = '';
    const collect = (chunk: Buffer) => {
      output = (output + chunk).slice(-4000);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.stdin.on('error', () => {});
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(lastComplaint(output) || `${file} ended with ${code ?? signal}`));
    });
    child.stdin.end(input);
  });
}

/** The last error line of PostgreSQL's output without its prefix, or else the last line. */
export function lastComplaint(output: string): string | undefined {
  const errors = [...output.matchAll(/(?:FATAL|PANIC|ERROR|error): +(.+)/g)];
  return errors.at(-1)?.[1] ?? output.trim().split('\n').at(-1);
}
