import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ALL_MACHINES, MACHINES, type Place, REPOSITORY } from './files.ts';
import { DATABASE_USER, FOLDER, layOut, localCluster, placeOf } from './lay-out.ts';
import { type Program, plugIn, removeMachines, runProgram, signalAll, startProgram } from './machines.ts';
import { isSynchronous, type Member, readMembers, readyStatus, votes } from './observe.ts';

const COPYDESK = fileURLToPath(new URL('../../bin/copydesk', import.meta.url));
const KEYS = join(FOLDER, 'keys');

const PATIENCE_MS = 120_000;
const LOOK_EVERY_MS = 500;

/** What is to be installed, by the package of Debian that has it. */
const PACKAGES: Record<string, string> = {
  etcd: 'etcd-server',
  patroni: 'patroni',
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  nginx: 'nginx',
  pgbackrest: 'pgbackrest',
  openssl: 'openssl',
};

/** The packages that are missing. */
export const missingPackages = (): string[] =>
  Object.entries(PACKAGES)
    .filter(([program]) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error)
    .map(([, name]) => name);

/** Programs in the order in which they need each other. */
const databasePrograms = ({ etc, data }: Place): Program[] => [
  { name: 'etcd', command: ['etcd', '--config-file', join(etc, 'etcd.yml')], user: DATABASE_USER },
  { name: 'patroni', command: ['patroni', join(etc, 'patroni.yml')], user: DATABASE_USER },
  {
    name: 'archive',
    command: ['env', `PGBACKREST_CONFIG=${join(etc, 'pgbackrest.conf')}`, 'pgbackrest', 'server'],
    user: DATABASE_USER,
  },
  { name: 'haproxy', command: ['haproxy', '-db', '-f', join(etc, 'haproxy.cfg')] },
  { name: 'pgbouncer', command: ['pgbouncer', '-q', join(etc, 'pgbouncer.ini')], user: DATABASE_USER },
  { name: 'nginx', command: ['nginx', '-p', data, '-c', join(etc, 'nginx.conf')] },
];

const repositoryPrograms = ({ etc }: Place): Program[] => [
  {
    name: 'inbox',
    command: ['env', `PGBACKREST_CONFIG=${join(etc, 'inbox.conf')}`, 'pgbackrest', 'server'],
    user: 'backup',
  },
  { name: 'keep', command: ['bash', join(etc, 'keep.sh')] },
];

/** A program of ours, with variables from these files. */
const withSettings = (files: readonly string[], command: readonly string[]): string[] =>
  ['sh', '-c', 'set -a; for file in $FILES; do . "$file"; done; exec "$@"', 'sh', ...command].toSpliced(
    0,
    0,
    'env',
    `FILES=${files.join(' ')}`,
  );

const key = (name: string) => join(KEYS, name);
const ownPrograms = ({ etc, data }: Place): Program[] => [
  {
    name: 'api',
    command: withSettings(
      [join(etc, 'settings.env'), key('keys.env'), key('api.keys.env')],
      ['env', `COPYDESK_DATA_DIR=${join(data, 'api')}`, COPYDESK, 'api'],
    ),
  },
  {
    name: 'worker',
    command: withSettings(
      [join(etc, 'settings.env'), join(etc, 'worker.env'), key('keys.env'), key('worker.keys.env')],
      ['env', `COPYDESK_DATA_DIR=${join(data, 'worker')}`, COPYDESK, 'worker'],
    ),
  },
];

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline)
      throw new Error(`Waited ${PATIENCE_MS / 1_000} s for ${what}. The logs are in ${FOLDER}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** A leader, a synchronous standby where commits wait for one, and nobody who is still copying. */
async function isWhole(): Promise<boolean> {
  const roles = (await isSynchronous()) ? ['leader', 'sync_standby'] : ['leader'];
  const members = (await readMembers()) ?? [];
  const isRunning = ({ state }: Member) => state === 'running' || state === 'streaming';
  return (
    members.filter(isRunning).length === MACHINES.length &&
    roles.every((role) => members.some((member) => member.role === role))
  );
}

/** Starts what does not run, on machines that are connected again. */
export async function bringUp(say: (line: string) => void): Promise<void> {
  const cluster = localCluster();
  for (const machine of ALL_MACHINES) {
    plugIn(machine);
    layOut(machine, cluster);
  }
  const start = (programsOf: (place: Place) => Program[], only?: string) => {
    for (const machine of MACHINES)
      for (const program of programsOf(placeOf(machine)))
        if (!only || program.name === only) startProgram(machine, join(FOLDER, machine, 'run'), program);
  };
  start(databasePrograms, 'etcd');
  await until('a vote', async () => (await Promise.all(MACHINES.map(votes))).every(Boolean));
  say('etcd votes on three machines');
  start(databasePrograms);
  await until('a leader and two that follow it', isWhole);
  say('PostgreSQL has a leader, a synchronous standby and a replica');
  const repository = placeOf(REPOSITORY);
  runProgram(REPOSITORY, { command: ['bash', join(repository.etc, 'prepare.sh')] });
  for (const program of repositoryPrograms(repository))
    startProgram(REPOSITORY, join(FOLDER, REPOSITORY, 'run'), program);
  say('the repository takes the log');
  await prepareDatabase();
  say('the database has its schema');
  start(ownPrograms);
  await until('three APIs', async () =>
    (await Promise.all(MACHINES.map(readyStatus))).every((status) => status === 200),
  );
  say('three APIs are ready, and three workers run');
}

/** Runs a command of `bin/copydesk` on the first machine, with all settings. @returns its output */
export function runCommand(...command: string[]): string {
  const { etc } = placeOf('db1');
  const files = ['settings.env', 'owner.env', 'worker.env', 'operator.env'].map((name) => join(etc, name));
  const keys = ['keys.env', 'api.keys.env', 'worker.keys.env'].map(key).filter((file) => existsSync(file));
  return runProgram('db1', { command: withSettings([...files, ...keys], [COPYDESK, ...command]) });
}

/** The database, its logins, the schema and the secrets, once. */
async function prepareDatabase(): Promise<void> {
  const made = join(FOLDER, 'database-made');
  if (existsSync(made)) return;
  runCommand('create-database');
  runCommand('migrate');
  rmSync(KEYS, { recursive: true, force: true });
  runCommand('keys', '--out', KEYS);
  // Nothing is paid from here: a worker with the seed needs a chain and limits.
  const workerKeys = readFileSync(key('worker.keys.env'), 'utf8');
  writeFileSync(key('worker.keys.env'), workerKeys.replace(/^WALLET_SEED=.*\n/m, ''));
  writeFileSync(made, '');
}

/** Ends all programs and removes the machines. */
export async function takeDown({ withData }: { withData: boolean }): Promise<void> {
  // What asks comes before what answers.
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const machine of ALL_MACHINES) signalAll(machine, signal);
    for (let tries = 0; tries < 20 && ALL_MACHINES.some((each) => signalAll(each, 'SIGCONT') > 0); tries += 1)
      await sleep(LOOK_EVERY_MS);
  }
  removeMachines(ALL_MACHINES);
  if (withData) rmSync(FOLDER, { recursive: true, force: true });
}
