import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../config.ts';
import { setDataAside } from '../launcher/set-data-aside.ts';

const projectDir = fileURLToPath(new URL('../../../..', import.meta.url));

async function confirm(question: string): Promise<boolean> {
  if (process.argv.includes('--yes')) return true;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

try {
  console.log(await setDataAside(projectDir, readConfig().dataDir, confirm));
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
