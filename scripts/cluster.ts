import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readCertificates } from './cluster/certificates.ts';
import {
  ALL_MACHINES,
  type AnyMachine,
  MACHINES,
  REPOSITORY,
  readPasswords,
  renderFiles,
  writeFiles,
} from './cluster/files.ts';
import { localCluster } from './cluster/lay-out.ts';
import { bringUp, missingPackages, takeDown } from './cluster/local.ts';
import { signalAll, unplug } from './cluster/machines.ts';
import { readMembers, readPosition, readyStatus, switchOver, votes } from './cluster/observe.ts';
import { describeArchive, readArchive, restoreTo, takeBackup } from './cluster/repository.ts';

const USAGE = `Usage: npm run cluster -- <command>
  files --to <folder> --host <name> --addresses <a>,<b>,<c> --repository <d>
                  the files of real machines (docs/operations/cluster.md)
On this machine, as root, with the same files and a network namespace for each of db1, db2, db3 and backup:
  up              starts what does not run, and connects what was cut off
  status          databases, votes, APIs and the archive of the log
  backup          takes a backup into the repository
  restore --to-time "2026-03-01 14:02:00+00"
                  the database as it was then, beside the cluster
  kill <machine>  ends all its programs at once
  cut <machine>   its network
  switch          another machine leads
  down [--data]   ends everything; with --data, removes it`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    to: { type: 'string' },
    host: { type: 'string' },
    addresses: { type: 'string' },
    repository: { type: 'string' },
    'to-time': { type: 'string' },
    data: { type: 'boolean', default: false },
  },
});
const [command, name] = positionals;
const isMachine = (word: string | undefined): word is AnyMachine =>
  ALL_MACHINES.some((each) => each === word);

async function run(): Promise<string | null> {
  if (command === 'files') return files();
  const commands = ['up', 'status', 'backup', 'restore', 'kill', 'cut', 'switch', 'down'];
  if (!commands.includes(command ?? '') || (['kill', 'cut'].includes(command ?? '') && !isMachine(name)))
    return USAGE;
  if (process.getuid?.() !== 0) return 'Network namespaces need root.';
  const missing = missingPackages();
  if (missing.length > 0) return `Not installed: ${missing.join(' ')}`;
  if (command === 'up') await bringUp(console.log);
  if (command === 'status') await showStatus();
  if (command === 'backup') takeBackup();
  if (command === 'restore') {
    const time = values['to-time'];
    if (!time) return USAGE;
    console.log(restoreTo(time));
  }
  if (command === 'kill')
    console.log(`${signalAll(name as AnyMachine, 'SIGKILL')} programs of ${name} are gone`);
  if (command === 'cut') unplug(name as AnyMachine);
  if (command === 'switch') {
    const { from, to } = await switchOver(localCluster().passwords.rest_password);
    console.log(`${to} leads in place of ${from}`);
  }
  if (command === 'down') await takeDown({ withData: values.data });
  return null;
}

/** The files of real machines. */
function files(): string | null {
  const { to, host, repository } = values;
  const databases = values.addresses?.split(',') ?? [];
  if (!to || !host || !repository || databases.length !== MACHINES.length) return USAGE;
  const folder = resolve(to);
  writeFiles(folder, {});
  const addresses = [...databases, repository];
  const cluster = {
    host,
    addresses: Object.fromEntries(ALL_MACHINES.map((each, at) => [each, addresses[at]])) as Record<
      AnyMachine,
      string
    >,
    passwords: readPasswords(join(folder, 'passwords.json')),
  };
  const certificates = readCertificates(join(folder, 'certificates'), cluster);
  const place = { etc: '/etc/copydesk-cluster', data: '/var/lib/copydesk-cluster' };
  for (const each of ALL_MACHINES)
    writeFiles(join(folder, each), { ...renderFiles(each, cluster, () => place), ...certificates(each) });
  console.log(
    `Written to ${folder}, one folder for each machine. passwords.json and certificates belong to your other secrets.`,
  );
  return null;
}

async function showStatus(): Promise<void> {
  const members = await readMembers();
  for (const machine of MACHINES) {
    const {
      role = 'away',
      state = '',
      timeline = '',
      lag,
    } = members?.find((each) => each.name === machine) ?? {};
    const [hasVote, api] = await Promise.all([votes(machine), readyStatus(machine)]);
    const facts = [
      `${role} ${state}`.padEnd(24),
      `timeline ${timeline}`.padEnd(12),
      `${lag === undefined ? '' : `behind by ${lag}`}`.padEnd(20),
      (hasVote ? 'votes' : 'no vote').padEnd(8),
      api === 200 ? 'API ready' : `API ${api || 'silent'}`,
    ];
    console.log(`${machine}  ${facts.join('  ')}`);
  }
  console.log(`${REPOSITORY}  ${describeArchive(readArchive(), await readPosition())}`);
}

const problem = await run().catch((error: Error) => error.message);
if (problem) {
  console.error(problem);
  process.exitCode = 1;
}
