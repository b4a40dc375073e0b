import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AnyMachine } from './files.ts';

// The machines on this one: a network namespace each, on a bridge of their own, so that the files of real machines
// work unchanged, and one can be cut off.

const BRIDGE = 'copydesk-br';
const HOST_ADDRESS = '10.44.0.1/24';
export const ADDRESSES: Record<AnyMachine, string> = {
  db1: '10.44.0.11',
  db2: '10.44.0.12',
  db3: '10.44.0.13',
  backup: '10.44.0.14',
};

const namespaceOf = (machine: AnyMachine) => `copydesk-${machine}`;
/** The end of a machine's cable at the bridge: Linux takes 15 letters. */
const cableOf = (machine: AnyMachine) => `copydesk-${machine}`;

const ip = (...args: string[]) => execFileSync('ip', args, { encoding: 'utf8' });
const hasLink = (name: string) => spawnSync('ip', ['link', 'show', name], { stdio: 'ignore' }).status === 0;
const hasNamespace = (machine: AnyMachine) => ip('netns', 'list').includes(namespaceOf(machine));

/** Connects a machine, new or cut off. */
export function plugIn(machine: AnyMachine): void {
  if (!hasLink(BRIDGE)) {
    ip('link', 'add', BRIDGE, 'type', 'bridge');
    ip('addr', 'add', HOST_ADDRESS, 'dev', BRIDGE);
    ip('link', 'set', BRIDGE, 'up');
  }
  if (!hasNamespace(machine)) {
    const namespace = namespaceOf(machine);
    ip('netns', 'add', namespace);
    ip('link', 'add', cableOf(machine), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
    ip('link', 'set', cableOf(machine), 'master', BRIDGE);
    const inside = (...args: string[]) => ip('-n', namespace, ...args);
    inside('link', 'set', 'lo', 'up');
    inside('addr', 'add', `${ADDRESSES[machine]}/24`, 'dev', 'eth0');
    inside('link', 'set', 'eth0', 'up');
  }
  ip('link', 'set', cableOf(machine), 'up');
}

/** Cuts a machine off: its programs go on, and hear nobody. */
export const unplug = (machine: AnyMachine): void => {
  ip('link', 'set', cableOf(machine), 'down');
};

/** A machine that hears the others and is not heard by them. @returns undoes it */
export function mute(machine: AnyMachine): () => void {
  const routes = (what: 'add' | 'delete') => {
    for (const address of Object.values(ADDRESSES))
      if (address !== ADDRESSES[machine])
        ip('-n', namespaceOf(machine), 'route', what, 'blackhole', `${address}/32`);
  };
  routes('add');
  return () => routes('delete');
}

/** Removes the machines, whose programs have ended. */
export function removeMachines(machines: readonly AnyMachine[]): void {
  for (const machine of machines) {
    if (hasLink(cableOf(machine))) ip('link', 'delete', cableOf(machine));
    if (hasNamespace(machine)) ip('netns', 'delete', namespaceOf(machine));
  }
  if (hasLink(BRIDGE)) ip('link', 'delete', BRIDGE);
}

const pidsOf = (machine: AnyMachine): number[] =>
  hasNamespace(machine)
    ? ip('netns', 'pids', namespaceOf(machine)).trim().split('\n').filter(Boolean).map(Number)
    : [];

/** Sends a signal to every program of a machine. @returns to how many */
export function signalAll(machine: AnyMachine, signal: NodeJS.Signals): number {
  const pids = pidsOf(machine);
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  return pids.length;
}

/** Sends a signal to a program that `startProgram` started with this folder, if it runs. */
export function signalProgram(
  machine: AnyMachine,
  folder: string,
  name: string,
  signal: NodeJS.Signals,
): void {
  const pidFile = join(folder, `${name}.pid`);
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0;
  if (pidsOf(machine).includes(pid)) process.kill(pid, signal);
}

/** A program of a machine. */
export interface Program {
  name: string;
  command: readonly string[];
  /** Root, where there is none. */
  user?: string;
}

const commandOf = (machine: AnyMachine, { command, user }: Omit<Program, 'name'>): [string, string[]] => [
  'ip',
  [
    ...['netns', 'exec', namespaceOf(machine)],
    ...(user ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups'] : []),
    ...command,
  ],
];

/** Starts a program unless it runs. Its output is a file of the folder. */
export function startProgram(machine: AnyMachine, folder: string, program: Program): void {
  mkdirSync(folder, { recursive: true });
  const pidFile = join(folder, `${program.name}.pid`);
  if (existsSync(pidFile) && pidsOf(machine).includes(Number(readFileSync(pidFile, 'utf8')))) return;
  const log = openSync(join(folder, `${program.name}.log`), 'a');
  const [file, args] = commandOf(machine, program);
  const child = spawn(file, args, { detached: true, stdio: ['ignore', log, log], cwd: '/' });
  writeFileSync(pidFile, String(child.pid));
  child.unref();
}

/** Runs a program of a machine to its end. @returns its output @throws Error with its output when it fails */
export function runProgram(machine: AnyMachine, program: Omit<Program, 'name'>): string {
  const [file, args] = commandOf(machine, program);
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program.command.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

/** The same without waiting for it, for programs that need something of this one. */
export const readProgram = async (machine: AnyMachine, program: Omit<Program, 'name'>): Promise<string> =>
  (await promisify(execFile)(...commandOf(machine, program), { encoding: 'utf8' })).stdout;
