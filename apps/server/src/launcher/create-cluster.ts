import { chownSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { runProgram } from './run-program.ts';
import { HOST_BASED_AUTHENTICATION } from './server-settings.ts';
import type { UnixUser } from './unprivileged-user.ts';

interface NewCluster {
  dataDir: string;
  clusterDir: string;
  binaries: Binaries;
  user: UnixUser | null;
  password: string;
  /** Test clusters clone databases; the product's owner may not create any. */
  mayCreateDatabases: boolean;
  /** Null: names are compared by their bytes, as PostgreSQL 17 and newer do without a library of locales. */
  icuLocale: string | null;
}

const PARTIAL_PREFIX = 'postgres.partial-';
const INITDB_OPTIONS = [
  '--username=postgres',
  '--encoding=UTF8',
  '--locale=C',
  '--auth=reject',
  '--no-sync',
  '--no-instructions',
];
const localeOptions = (icuLocale: string | null) =>
  icuLocale === null
    ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    : ['--locale-provider=icu', `--icu-locale=${icuLocale}`];

/**
 * Creates the cluster under a temporary name and renames it when it is complete, with role, database and extension. A
 * killed start leaves a partial folder, which a later start removes. Measured: 0.6 s for initdb, 0.3 s for the rest.
 */
export async function createCluster(cluster: NewCluster): Promise<void> {
  const { dataDir, clusterDir, binaries, user } = cluster;
  const partial = mkdtempSync(join(dataDir, PARTIAL_PREFIX));
  if (user) chownSync(partial, user.uid, user.gid);
  const place = { user, cwd: partial };
  const initdb = ['-D', partial, ...INITDB_OPTIONS, ...localeOptions(cluster.icuLocale)];
  try {
    await runProgram({ ...place, file: binaries.initdb, args: initdb });
    writeFileSync(join(partial, 'pg_hba.conf'), HOST_BASED_AUTHENTICATION);
    await runStatements(cluster, partial, 'postgres', ownerStatements(cluster));
    await runStatements(cluster, partial, 'copydesk', ['CREATE EXTENSION pg_trgm']);
    // The steps above ran without flushing; this makes them durable at once.
    await runProgram({ ...place, file: binaries.initdb, args: ['-D', partial, '--sync-only'] });
    renameSync(partial, clusterDir);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw new EmbeddedPostgresError(
      `The database could not be created in ${dataDir}: ${(error as Error).message}`,
    );
  }
}

/**
 * Removes the partial folders of killed starts. An initdb that outlived its supervisor may still write there; its files
 * then remain until the next start.
 */
export function removePartialClusters(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (!name.startsWith(PARTIAL_PREFIX)) continue;
    rmSync(join(dataDir, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Sets a new password for the owner when the file with the old one was lost. The server must not be running. */
export async function resetPassword(cluster: NewCluster): Promise<void> {
  const statement = `ALTER ROLE copydesk PASSWORD '${cluster.password}'`;
  await runStatements(cluster, cluster.clusterDir, 'postgres', [statement]);
}

function ownerStatements({ password, mayCreateDatabases }: NewCluster): string[] {
  const attributes = `LOGIN NOSUPERUSER NOBYPASSRLS CREATEROLE ${mayCreateDatabases ? 'CREATEDB' : 'NOCREATEDB'}`;
  return [
    `CREATE ROLE copydesk ${attributes} PASSWORD '${password}'`,
    'CREATE DATABASE copydesk OWNER copydesk',
  ];
}

/** Single-user mode needs no password, no port and no running server: one statement a line on stdin. */
async function runStatements(
  { binaries, user }: NewCluster,
  folder: string,
  database: string,
  statements: string[],
): Promise<void> {
  await runProgram({
    file: binaries.postgres,
    args: [
      '--single',
      '-c',
      'exit_on_error=true',
      '-c',
      'log_min_error_statement=panic',
      '-D',
      folder,
      database,
    ],
    user,
    cwd: folder,
    input: `${statements.join('\n')}\n`,
  });
}
