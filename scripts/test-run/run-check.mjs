import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { projectDir } from '../prepare/project.mjs';

const SIGN_OF_LIFE_MS = 20_000;
const programs = join(projectDir, 'node_modules', '.bin');

/** Runs one step and shows its output only if it fails. Returns whether it passed. */
export async function runCheck({ what, command: [program, ...args], env = {}, remedy }) {
  const startedAt = Date.now();
  const seconds = () => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
  const signs = setInterval(() => console.log(`  ${what} ... ${seconds()}`), SIGN_OF_LIFE_MS);
  const child = spawn(program, args, {
    cwd: projectDir,
    env: { ...plainEnv(), PATH: `${programs}${delimiter}${process.env.PATH}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const forward = (signal) => child.kill(signal);
  process.on('SIGINT', forward).on('SIGTERM', forward);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(-1);
    });
    child.once('close', resolve);
  });
  clearInterval(signs);
  process.off('SIGINT', forward).off('SIGTERM', forward);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${what}  ${seconds()}`);
  if (code !== 0) console.log(`\n${output.trimEnd()}\n${remedy ? `\n${remedy}.\n` : ''}`);
  return code === 0;
}

/** Without colours: the output is read in files. FORCE_COLOR has to go, since it outweighs NO_COLOR whatever its value. */
function plainEnv() {
  const { FORCE_COLOR: _, ...env } = process.env;
  return { ...env, NO_COLOR: '1' };
}
