import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  documentedCommands,
  documentedSettings,
  type Folders,
  PROJECT_DIR,
  unitOf,
} from './documented-set-up.ts';

const START_MS = 240_000;
/** What a root shell has, and nothing of the tests' own environment. */
const SHELL = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/root' };

export interface Settings {
  /** Values of settings.env, beyond what the document names too. */
  settings: Record<string, string>;
  owner: Record<string, string>;
  worker: Record<string, string>;
  operator: Record<string, string>;
  folders: Folders;
  port: number;
}

/** An installation as docs/operations/set-up.md has an operator make it: its commands, its files, its units. */
export async function installAsDocumented({
  settings,
  owner,
  worker: ofWorker,
  operator,
  folders,
  port,
}: Settings) {
  const [keys, database, doctor] = documentedCommands(folders);
  if (!keys || !database || !doctor) throw new Error('The document has three commands to play.');
  await shell(keys);
  writeFileSync(join(folders.etc, 'settings.env'), documentedSettings('settings.env', settings));
  writeFileSync(join(folders.etc, 'owner.env'), documentedSettings('owner.env', owner));
  writeFileSync(join(folders.etc, 'worker.env'), documentedSettings('worker.env', ofWorker));
  writeFileSync(join(folders.etc, 'operator.env'), documentedSettings('operator.env', operator));
  const { output: created } = await shell(database);
  if (!created.includes('Created the database copydesk.')) throw new Error(created);
  const api = start('copydesk-api@', String(port), folders);
  const worker = start('copydesk-worker@', '1', folders);
  const url = `http://127.0.0.1:${port}`;
  for (const end = Date.now() + START_MS; !(await answers(`${url}/api/health`)); await sleep(200))
    if (Date.now() > end) throw new Error(`the API did not start:\n${api.output()}`);
  return {
    url,
    api,
    worker,
    shell,
    output: () => api.output() + worker.output(),
    doctor: () => shell(doctor),
    /** A command of `bin/copydesk admin`, with the environment that the document gives it. */
    admin: (command: string) => shell(doctor.replace('admin doctor', `admin ${command}`)),
    async stop() {
      await Promise.all([api.stop(), worker.stop()]);
    },
  };
}

/** Any number does: the users of the units need not exist. */
const numberOf = (user: string) => 64_000 + (Buffer.from(user).reduce((sum, byte) => sum + byte, 0) % 1_000);

/** Whether each unit runs as its own user, as systemd would run it: as root, in a folder that all may read. */
export const RUN_APART =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ['-e', '0'], { cwd: PROJECT_DIR, uid: 64_000, gid: 64_000 }).status === 0;

const answers = (address: string) =>
  fetch(address).then(
    ({ ok }) => ok,
    () => false,
  );

async function shell(commands: string): Promise<{ code: number; output: string }> {
  const options = { cwd: PROJECT_DIR, env: SHELL };
  return promisify(execFile)('/bin/sh', ['-c', commands], options).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ code, output: `${stdout}${stderr}` }),
  );
}

function start(unit: 'copydesk-api@' | 'copydesk-worker@', instance: string, folders: Folders) {
  const { command, args, env, user, stateFolder } = unitOf(unit, instance, folders);
  mkdirSync(stateFolder, { recursive: true });
  chmodSync(folders.data, 0o755);
  chmodSync(stateFolder, 0o700);
  const identity = RUN_APART ? { uid: numberOf(user), gid: numberOf(user) } : {};
  if (RUN_APART) chownSync(stateFolder, numberOf(user), numberOf(user));
  const child: ChildProcess = spawn(command, args, {
    ...identity,
    env: { ...SHELL, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      text += chunk;
    });
  const ended = new Promise((resolve) => child.once('close', resolve));
  return {
    output: () => text,
    pid: child.pid,
    env: { ...SHELL, ...env } as Record<string, string>,
    ...identity,
    stateFolder,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
