import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { readConfig } from '../config.ts';
import { resolveDataFolders } from '../launcher/data-folders.ts';
import { findPostmaster, stopOrphan } from '../launcher/postmaster.ts';

async function confirm(question: string): Promise<boolean> {
  if (process.argv.includes('--yes')) return true;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** Moves the data folder aside, so that the next start begins with a new one. Deletes nothing. */
async function setDataAside(): Promise<string> {
  const { dataDir } = resolveDataFolders(readConfig().dataDir);
  if (!existsSync(dataDir)) return `There is no data folder at ${dataDir}: the next start creates one.`;
  const clusterDir = join(dataDir, 'postgres');
  const launcher = findPostmaster(clusterDir)?.launcher;
  if (launcher) throw new Error(`Copydesk runs on ${dataDir} (process ${launcher.pid}). Stop it first.`);
  const aside = `${dataDir}.broken-${new Date().toISOString().replaceAll(/[-:]|\..*/g, '')}`;
  if (!(await confirm(`Move ${dataDir} to ${aside}?`))) return 'Nothing was changed.';
  await stopOrphan(clusterDir);
  renameSync(dataDir, aside);
  return `Moved ${dataDir} to ${aside}. The next start begins with a new database.`;
}

try {
  console.log(await setDataAside());
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
