import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from './compile-cache.ts';

const PROGRAM = fileURLToPath(new URL('../../apps/server/src/bin/admin.ts', import.meta.url));

/** Runs `npm run admin` as an operator does, with this environment and no other. An operator's login is the one of the rest. */
export async function runAdmin(
  env: Record<string, string>,
  ...args: string[]
): Promise<{ code: unknown; output: string }> {
  const child = spawn(process.execPath, ['--no-warnings', PROGRAM, ...args], {
    env: { ...COMPILE_CACHE, ...(env.DATABASE_URL && { DATABASE_OPERATOR_URL: env.DATABASE_URL }), ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, output };
}
