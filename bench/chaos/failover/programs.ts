import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keccak256, toHex } from 'viem';
import { MACHINES, type Machine } from '../../../scripts/cluster/files.ts';
import { FOLDER, localCluster } from '../../../scripts/cluster/lay-out.ts';
import { ADDRESSES, type Program, runProgram } from '../../../scripts/cluster/machines.ts';

const ACTOR = fileURLToPath(new URL('./actor.ts', import.meta.url));
const PAYER = fileURLToPath(new URL('../payer.ts', import.meta.url));

/** Where the processes of a machine and their logs are noted. */
export const RUN = (machine: Machine) => join(FOLDER, machine, 'run');
export const historyOf = (machine: Machine) => join(FOLDER, `${machine}.history`);
export const SEED = createHash('sha512').update('failover').digest('hex');
export const payerKeyOf = (machine: Machine) => keccak256(toHex(`trader of ${machine}`));
export const OPERATOR = { email: 'operator@desk.example', password: 'correct horse battery' };

/** The database as its owner, from within a machine. */
const ownerUrl = () =>
  `postgres://copydesk_owner:${localCluster().passwords.owner_password}@127.0.0.1:5000/copydesk`;

/** What a machine runs beside its cluster: its share of the load, and a worker that pays. */
export function loadOf(
  machine: Machine,
  { rpcUrl, tokenAddress, durability }: { rpcUrl: string; tokenAddress: string; durability: string },
): Program[] {
  const { host, passwords } = localCluster();
  const node = (script: string, variables: Record<string, string>) => [
    'env',
    ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    process.execPath,
    '--max-old-space-size=192',
    script,
  ];
  return [
    {
      name: 'actor',
      command: node(ACTOR, {
        HISTORY: historyOf(machine),
        NUMBER: String(MACHINES.indexOf(machine) + 1),
        LISTS_URL: `postgres://copydesk_login:${passwords.login_password}@127.0.0.1:6432/copydesk`,
        OWNER_URL: ownerUrl(),
        RPC_URL: rpcUrl,
        SEED,
        PAYER_KEY: payerKeyOf(machine),
        API_URL: `http://${ADDRESSES[machine]}:3000`,
        ORIGIN: `https://${host}`,
        EMAIL: OPERATOR.email,
        PASSWORD: OPERATOR.password,
      }),
    },
    {
      name: 'payer',
      command: node(PAYER, {
        DATABASE_URL: ownerUrl(),
        DURABILITY: durability,
        RPC_URL: rpcUrl,
        TOKEN_ADDRESS: tokenAddress,
        SEED,
      }),
    },
  ];
}

/** Statements on the leader, from within a machine. @returns what they print */
export const asSuperuser = (text: string, machine: Machine = 'db1') =>
  runProgram(machine, {
    command: [
      ...[
        'env',
        `PGPASSWORD=${localCluster().passwords.superuser_password}`,
        'psql',
        '-h',
        '127.0.0.1',
        '-p',
        '5000',
      ],
      ...['-U', 'postgres', '-d', 'copydesk', '-v', 'ON_ERROR_STOP=1', '-qtAc', text],
    ],
  }).trim();
