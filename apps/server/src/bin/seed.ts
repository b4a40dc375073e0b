import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import { resolveDataFolders } from '../launcher/data-folders.ts';
import { startEmbeddedPostgres } from '../launcher/embedded-postgres.ts';
import { migrate } from '../platform/db/installation/migrate.ts';
import { describeStartProblem } from '../platform/process/start-error.ts';

// npm run seed -- --scale=N: the demo world with N times its 600 traders, in the database of `npm start`, or in that of
// DATABASE_OWNER_URL or DATABASE_URL. A database with data is left unchanged.
const { values } = parseArgs({ options: { scale: { type: 'string', default: '1' } } });
const scale = Number(values.scale);
const report = (line: string) => console.log(line);

async function load(config: Config, ownerUrl: string, dataDir: string | undefined): Promise<void> {
  // Production images have no simulators, which the demo world needs.
  const { seedWorld } = await import('../launcher/demo-world.ts').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error('This installation has no demo world: apps/simulators is not part of it.');
  });
  await migrate(ownerUrl);
  const isNew = await seedWorld(config, { ownerUrl, dataDir, scale, report });
  report(
    isNew
      ? 'The demo world is loaded.'
      : 'The database has data already; nothing was changed. `npm run reset` makes room.',
  );
}

/** In the database of `npm start`, which must not be running. */
async function loadEmbedded(config: Config): Promise<void> {
  const folders = resolveDataFolders(config.dataDir);
  const postgres = await startEmbeddedPostgres({ ...folders, onProgress: report });
  try {
    await load(config, postgres.ownerUrl, folders.dataDir);
  } finally {
    await postgres.stop();
  }
}

try {
  if (!(scale > 0)) throw new Error('Usage: npm run seed -- --scale=167 (a number above 0)');
  const config = readConfig();
  if (config.databaseOwnerUrl) await load(config, config.databaseOwnerUrl, config.dataDir);
  else await loadEmbedded(config);
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}\n`);
  process.exitCode = describeStartProblem(error)?.exitCode ?? 1;
}
process.exit();
