import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '../../apps/server/src/config.ts';
import { makeFolder, resolveDataFolders } from '../../apps/server/src/launcher/data-folders.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../apps/server/src/launcher/embedded-postgres.ts';
import { OTHER, UNUSUAL_SETTINGS } from './other-postgres.ts';

/**
 * Starts a PostgreSQL for tests. Its cluster and migrated template are kept for the next run; concurrent runs each use
 * a cluster of their own.
 */
export async function startTestCluster(): Promise<EmbeddedPostgres> {
  const { cacheDir } = resolveDataFolders(readConfig().dataDir);
  const { dataDir, release } = takeFreeSlot(
    join(cacheDir, OTHER ? `test-postgres-${OTHER.name}` : 'test-postgres'),
  );
  const start = () => startEmbeddedPostgres({ dataDir, cacheDir, forTests: true, other: OTHER });
  const postgres = await start().catch(() => {
    // Without flushing, a crash of the machine may have damaged it. It contains nothing worth keeping.
    rmSync(join(dataDir, 'postgres'), { recursive: true, force: true });
    return start();
  });
  await setUnusual(postgres.ownerUrl);
  const logFile = join(dataDir, 'postgres.log');
  const logged = statSync(logFile).size;
  const stopOnExit = () => {
    process.kill(postgres.pid, 'SIGINT');
    release();
  };
  process.once('exit', stopOnExit);
  return {
    ...postgres,
    stop: async () => {
      process.off('exit', stopOnExit);
      await postgres.stop();
      release();
      refuseNestedTransactions(readFileSync(logFile).subarray(logged).toString());
    },
  };
}

/** For every login of the owner; databases get the same when they are made. */
async function setUnusual(ownerUrl: string): Promise<void> {
  // No connection stays open, as one of `asOwner` would: a database that has some is no template.
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    for (const setting of UNUSUAL_SETTINGS) await client.query(`ALTER ROLE CURRENT_USER SET ${setting}`);
  } finally {
    await client.end();
  }
}

/**
 * A statement that opens a transaction within one ends the outer transaction with its own COMMIT: what follows runs
 * without role, scope and rollback. PostgreSQL only warns. A ROLLBACK after a COMMIT that failed warns too, and harms
 * nothing.
 */
function refuseNestedTransactions(log: string): void {
  const warnings = log.match(/WARNING: {2}there is already a transaction in progress/g) ?? [];
  if (warnings.length > 0)
    throw new Error(`${warnings.length} times a transaction was begun within another: ${warnings[0]}`);
}

function takeFreeSlot(parent: string): { dataDir: string; release(): void } {
  for (let slot = 0; ; slot += 1) {
    const dataDir = join(parent, `slot-${slot}`);
    const claim = join(dataDir, 'taken-by');
    makeFolder(dataDir);
    if (isHeld(claim)) continue;
    rmSync(claim, { force: true });
    try {
      writeFileSync(claim, String(process.pid), { flag: 'wx' });
      return { dataDir, release: () => rmSync(claim, { force: true }) };
    } catch {
      // Another run has just taken it.
    }
  }
}

/** Whether the process that wrote a claim still runs; it may have been killed. */
function isHeld(claim: string): boolean {
  try {
    return existsSync(`/proc/${readFileSync(claim, 'utf8')}`);
  } catch {
    return false;
  }
}
