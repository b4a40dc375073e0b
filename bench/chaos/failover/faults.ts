import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Machine } from '../../../scripts/cluster/files.ts';
import { localCluster } from '../../../scripts/cluster/lay-out.ts';
import { mute, plugIn, signalAll, signalProgram, unplug } from '../../../scripts/cluster/machines.ts';
import { switchOver } from '../../../scripts/cluster/observe.ts';
import { fillDisk } from './disks.ts';
import { asSuperuser, RUN } from './programs.ts';

export interface Roles {
  leader: Machine;
  /** The synchronous standby, which leads next. */
  second: Machine;
  third: Machine;
}

/** What can happen to three machines. Whatever it leaves is mended by what it returns, and by `bringUp`. */
export interface Fault {
  name: string;
  begin(roles: Roles): Promise<undefined | (() => void)>;
}

/** Longer than any lease, and than a session of Patroni. */
const PAUSE_MS = 35_000;
/** Shorter than a session of Patroni. */
const BEHIND_MS = 4_000;

const signal = (machine: Machine, program: string, name: NodeJS.Signals) =>
  signalProgram(machine, RUN(machine), program, name);

function switchSegment(machine: Machine): boolean {
  try {
    asSuperuser('SELECT pg_switch_wal()', machine);
    return true;
  } catch {
    return false; // it has none left
  }
}

export const FAULTS: readonly Fault[] = [
  {
    name: 'leader killed',
    begin: async ({ leader }) => void signalAll(leader, 'SIGKILL'),
  },
  {
    name: 'leader cut off',
    begin: async ({ leader }) => void unplug(leader),
  },
  {
    name: 'leader hears and is not heard',
    begin: async ({ leader }) => mute(leader),
  },
  {
    name: 'etcd without a majority',
    async begin({ leader, second }) {
      for (const machine of [leader, second]) signal(machine, 'etcd', 'SIGKILL');
      return undefined;
    },
  },
  {
    name: 'disk of the leader full',
    async begin({ leader }) {
      const file = fillDisk(leader);
      // The log uses old segments again while it has some.
      for (let nth = 0; nth < 40 && switchSegment(leader); nth += 1) await sleep(20);
      return () => rmSync(file, { force: true });
    },
  },
  {
    name: 'standbys behind, and one leads then',
    async begin({ leader, second, third }) {
      // They have seconds less when the leader is lost. Its cable first: what waits in it would still arrive.
      for (const machine of [second, third]) unplug(machine);
      await sleep(BEHIND_MS);
      unplug(leader);
      signalAll(leader, 'SIGKILL');
      for (const machine of [second, third]) plugIn(machine);
      return undefined;
    },
  },
  {
    name: 'switch',
    async begin() {
      await switchOver(localCluster().passwords.rest_password);
      return undefined;
    },
  },
  {
    name: 'PgBouncer killed',
    begin: async ({ third }) => void signal(third, 'pgbouncer', 'SIGKILL'),
  },
  {
    name: 'payer paused beyond its leases',
    async begin({ third }) {
      signal(third, 'payer', 'SIGSTOP');
      await sleep(PAUSE_MS);
      signal(third, 'payer', 'SIGCONT');
      return undefined;
    },
  },
];
