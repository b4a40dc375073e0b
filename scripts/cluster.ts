import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { MACHINES, type Machine, readPasswords, renderFiles, writeFiles } from './cluster/files.ts';
import { bringUp, localCluster, missingPackages, takeDown } from './cluster/local.ts';
import { signalAll, unplug } from './cluster/machines.ts';
import { readMembers, readyStatus, switchOver, votes } from './cluster/observe.ts';

const USAGE = `Usage: npm run cluster -- <command>
  files --to <folder> --host <name> --addresses <a>,<b>,<c>
                  the files of three real machines (docs/operations/cluster.md)
On this machine, as root, with the same files and a network namespace for each of db1, db2 and db3:
  up              starts what does not run, and connects what was cut off
  status          databases, votes and APIs
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
    data: { type: 'boolean', default: false },
  },
});
const [command, name] = positionals;
const isMachine = (word: string | undefined): word is Machine => MACHINES.some((each) => each === word);

async function run(): Promise<string | null> {
  if (command === 'files') return files();
  const commands = ['up', 'status', 'kill', 'cut', 'switch', 'down'];
  if (!commands.includes(command ?? '') || (['kill', 'cut'].includes(command ?? '') && !isMachine(name)))
    return USAGE;
  if (process.getuid?.() !== 0) return 'Network namespaces need root.';
  const missing = missingPackages();
  if (missing.length > 0) return `Not installed: ${missing.join(' ')}`;
  if (command === 'up') await bringUp(console.log);
  if (command === 'status') await showStatus();
  if (command === 'kill')
    console.log(`${signalAll(name as Machine, 'SIGKILL')} programs of ${name} are gone`);
  if (command === 'cut') unplug(name as Machine);
  if (command === 'switch') {
    const { from, to } = await switchOver(localCluster().passwords.rest_password);
    console.log(`${to} leads in place of ${from}`);
  }
  if (command === 'down') await takeDown({ withData: values.data });
  return null;
}

/** The files of three real machines. */
function files(): string | null {
  const { to, host } = values;
  const addresses = values.addresses?.split(',') ?? [];
  if (!to || !host || addresses.length !== MACHINES.length) return USAGE;
  const folder = resolve(to);
  writeFiles(folder, {});
  const cluster = {
    host,
    addresses: Object.fromEntries(MACHINES.map((each, at) => [each, addresses[at]])) as Record<
      Machine,
      string
    >,
    passwords: readPasswords(join(folder, 'passwords.json')),
  };
  for (const each of MACHINES)
    writeFiles(
      join(folder, each),
      renderFiles(each, cluster, { etc: '/etc/copydesk-cluster', data: '/var/lib/copydesk-cluster' }),
    );
  console.log(
    `Written to ${folder}, one folder for each machine. passwords.json belongs to your other secrets.`,
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
}

const problem = await run().catch((error: Error) => error.message);
if (problem) {
  console.error(problem);
  process.exitCode = 1;
}
