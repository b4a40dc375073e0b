import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runAdminCommand } from '../../apps/server/src/wiring/admin.ts';
import { COMPILE_CACHE } from './compile-cache.ts';

const PROGRAM = fileURLToPath(new URL('../../apps/server/src/bin/admin.ts', import.meta.url));

interface Outcome {
  code: unknown;
  output: string;
}

const ofOperator = (env: Record<string, string>) => ({
  ...(env.DATABASE_URL && { DATABASE_OPERATOR_URL: env.DATABASE_URL }),
  DATABASE_DURABILITY: 'single',
  ...env,
});

/** Does what `npm run admin` does, in this process. */
export async function askAdmin(env: Record<string, string>, ...args: string[]): Promise<Outcome> {
  let output = '';
  const write = (line: string) => {
    output += `${line}\n`;
  };
  const code = await runAdminCommand({ args, env: ofOperator(env), print: write, complain: write });
  return { code, output };
}

/** Runs `npm run admin` as an operator does, with this environment and no other: for what Node itself reads of it. */
export async function runAdmin(env: Record<string, string>, ...args: string[]): Promise<Outcome> {
  const child = spawn(process.execPath, ['--no-warnings', PROGRAM, ...args], {
    env: { ...COMPILE_CACHE, ...ofOperator(env) },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, output };
}
