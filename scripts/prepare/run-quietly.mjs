import { spawn } from 'node:child_process';
import { projectDir } from './project.mjs';

const REPORT_EVERY_MS = 10_000;

/**
 * Runs a command without its output and shows a description and the elapsed time. Returns the exit code and the output,
 * for the message after a failure.
 */
export async function runQuietly(what, file, args, { timeoutMs = 20 * 60_000, ...options } = {}) {
  const startedAt = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  console.log(`${what} ...`);
  const reports = setInterval(() => console.log(`${what} ... ${seconds()}`), REPORT_EVERY_MS);
  const child = spawn(file, args, {
    cwd: projectDir,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    ...options,
  });
  // A signal that reaches only this process must not leave an npm behind that goes on replacing node_modules.
  const endChild = () => child.kill();
  process.once('exit', endChild);
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
    child.once('close', (exitCode) => resolve(exitCode ?? -1));
  });
  clearInterval(reports);
  process.off('exit', endChild);
  if (code === 0) console.log(`${what}: done in ${seconds()}`);
  return { code, output };
}

/** The last useful lines: npm's warnings about engines and funding do not explain the failure. */
export function lastLines(output, count = 15) {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !/^npm (warn|notice)/i.test(line));
  return lines.slice(-count).join('\n');
}
