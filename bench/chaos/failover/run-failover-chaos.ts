import { execFileSync } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort, openDemoToken, startChain } from '@copydesk/simulators/chain';
import { createTestClient, getAddress, http, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { bsc } from 'viem/chains';
import { createWalletKeys } from '../../../apps/server/src/integrations/chain/wallet-keys.ts';
import { MACHINES } from '../../../scripts/cluster/files.ts';
import { FOLDER, localCluster } from '../../../scripts/cluster/lay-out.ts';
import { bringUp, missingPackages, runCommand, takeDown } from '../../../scripts/cluster/local.ts';
import { ADDRESSES, readProgram, signalProgram, startProgram } from '../../../scripts/cluster/machines.ts';
import { readMembers } from '../../../scripts/cluster/observe.ts';
import { mountDisks, unmountDisks } from './disks.ts';
import { FAULTS, type Fault, type Roles } from './faults.ts';
import { clock, type HistoryEvent } from './history.ts';
import { asSuperuser, historyOf, loadOf, OPERATOR, payerKeyOf, RUN, SEED } from './programs.ts';

const CHECKER = fileURLToPath(new URL('./check-history.ts', import.meta.url));
const HOST = '10.44.0.1';
const BLOCK_EVERY_MS = 250;
const CALM_MS = 6_000;
/** Longer than the session of a leader (ttl of patroni.yml): another one leads meanwhile. */
const HELD_MS = 32_000;
const FINAL_WITHIN_MS = 240_000;
const LISTS = 40;

interface Options {
  rounds?: string | undefined;
  /** The name of the one fault to play. */
  only?: string | undefined;
  seed?: string | undefined;
  /** Asynchronous, and workers that do not ask standbys: it must lose something. */
  control?: boolean;
}

/** Three machines under load that fail in turn, and what is left afterwards. @returns the exit code */
export async function runFailoverChaos({
  rounds = '9',
  only,
  seed,
  control = false,
}: Options): Promise<number> {
  if (process.getuid?.() !== 0) throw new Error('Network namespaces need root.');
  const missing = missingPackages();
  if (missing.length > 0) throw new Error(`Not installed: ${missing.join(' ')}`);
  if (execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' }).includes('copydesk-'))
    throw new Error('A cluster is there already: npm run cluster -- down --data');
  const faults = FAULTS.filter(({ name }) => only === undefined || name === only);
  if (faults.length === 0) throw new Error(`Faults: ${FAULTS.map(({ name }) => name).join(', ')}`);
  const drawn = Number(seed ?? randomInt(1_000_000));
  console.log(
    `${rounds} rounds, ${control ? 'asynchronous, without the guard' : 'synchronous'}, --seed=${drawn}`,
  );
  let draws = 0;
  const random = () => createHash('sha256').update(`${drawn} ${draws++}`).digest().readUInt32BE() / 2 ** 32;
  mountDisks();
  const chain = await startChain({ port: await findFreePort(), blockSeconds: null, stateFile: null });
  let door: Server | undefined;
  try {
    await bringUp(() => {});
    door = await openDoor(new URL(chain.url).port);
    const { port } = door.address() as { port: number };
    const place = { rpcUrl: `http://${HOST}:${port}`, durability: control ? 'managed' : 'synchronous' };
    const tokenAddress = await prepareChain(chain.url);
    prepareDatabase(tokenAddress);
    await prepareOperator();
    if (control) await beAsynchronous();
    return await play({
      rounds: Number(rounds),
      control,
      faults,
      random,
      chainUrl: chain.url,
      load: { ...place, tokenAddress },
    });
  } finally {
    await takeDown({ withData: false });
    door?.close();
    await chain.stop();
    unmountDisks();
    rmSync(FOLDER, { recursive: true, force: true });
  }
}

/** Machines of the cluster reach the chain, which listens on this machine alone. */
async function openDoor(port: string): Promise<Server> {
  const door = createServer((from) => {
    const to = connect(Number(port), '127.0.0.1');
    from.pipe(to).pipe(from);
    const end = () => {
      from.destroy();
      to.destroy();
    };
    for (const socket of [from, to]) socket.on('error', end);
  });
  await new Promise<void>((resolve) => door.listen(0, HOST, resolve));
  return door;
}

/** The token, with what traders have to pay with, and coin for gas. @returns its address */
async function prepareChain(url: string): Promise<string> {
  const token = await openDemoToken(url, privateKeyToAccount(`0x${'1'.repeat(64)}`));
  for (const machine of MACHINES)
    await token.mint(privateKeyToAccount(payerKeyOf(machine)).address, parseEther('10000000'));
  const node = createTestClient({ chain: bsc, transport: http(url), mode: 'anvil' });
  const gas = createWalletKeys(Buffer.from(SEED, 'hex')).addressOf({ role: 'gas', keyIndex: 0 });
  await node.setBalance({ address: getAddress(gas), value: parseEther('1000') });
  return token.address;
}

function prepareDatabase(tokenAddress: string): void {
  asSuperuser(`CREATE SCHEMA chaos;
    CREATE TABLE chaos.list (list int PRIMARY KEY, items bigint[] NOT NULL DEFAULT '{}');
    INSERT INTO chaos.list SELECT generate_series(0, ${LISTS - 1});
    GRANT USAGE ON SCHEMA chaos TO copydesk_login;
    GRANT SELECT, UPDATE ON chaos.list TO copydesk_login;
    INSERT INTO chain_cursor (chain_id, token_address, block_number, block_hash)
    VALUES (56, '${tokenAddress.toLowerCase()}', 0, '0x' || repeat('0', 64))`);
}

/** A super admin, as an operator makes the first one. */
async function prepareOperator(): Promise<void> {
  const said = runCommand('admin', 'create', '--email', OPERATOR.email);
  const token = /token=([\w-]+)/.exec(said)?.[1];
  const answer = await fetch(`http://${ADDRESSES.db1}:3000/api/invitations/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: `https://${localCluster().host}` },
    body: JSON.stringify({ token, name: 'Operator', password: OPERATOR.password }),
  });
  if (!answer.ok) throw new Error(`the invitation was not accepted: ${await answer.text()}`);
}

/** As many run it: a commit waits for no standby, and the next leader has what it has. */
async function beAsynchronous(): Promise<void> {
  const answer = await fetch(`http://${ADDRESSES.db1}:8008/config`, {
    method: 'PATCH',
    headers: {
      authorization: `Basic ${Buffer.from(`patroni:${localCluster().passwords.rest_password}`).toString('base64')}`,
    },
    body: JSON.stringify({
      synchronous_mode: false,
      synchronous_mode_strict: false,
      maximum_lag_on_failover: 1 << 30,
    }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

interface Play {
  rounds: number;
  control: boolean;
  faults: readonly Fault[];
  random: () => number;
  chainUrl: string;
  load: Parameters<typeof loadOf>[1];
}

async function play({ rounds, control, faults, random, chainUrl, load }: Play): Promise<number> {
  const startLoad = () => {
    for (const machine of MACHINES)
      for (const program of loadOf(machine, load)) startProgram(machine, RUN(machine), program);
  };
  const node = createTestClient({ chain: bsc, transport: http(chainUrl), mode: 'anvil' });
  await node.setAutomine(false);
  const mining = setInterval(() => void node.mine({ blocks: 1 }).catch(() => {}), BLOCK_EVERY_MS);
  startLoad();
  while (!MACHINES.every((machine) => existsSync(historyOf(machine)))) await sleep(500);
  let queue: Fault[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    await sleep(CALM_MS);
    if (queue.length === 0) queue = shuffled(faults, random);
    const fault = queue.pop() as Fault;
    const roles = await findRoles(control ? 'replica' : 'sync_standby');
    const began = clock();
    const mend = await fault.begin(roles);
    await sleep(HELD_MS);
    mend?.();
    await bringUp(() => {});
    startLoad();
    const gaps = MACHINES.map((machine) => longestGap(historyOf(machine), began, clock()));
    console.log(
      `${String(round).padStart(3)}. ${fault.name.padEnd(38)} ${roles.leader} led; without an answer for ${gaps
        .map((ms, at) => `${MACHINES[at]} ${(ms / 1_000).toFixed(1)} s`)
        .join(', ')}; whole again after ${((clock() - began) / 1_000).toFixed(0)} s`,
    );
  }
  await sleep(CALM_MS);
  for (const machine of MACHINES) signalProgram(machine, RUN(machine), 'actor', 'SIGTERM');
  const open = () =>
    Number(asSuperuser(`SELECT count(*) FROM payout WHERE status NOT IN ('distributed', 'failed')`));
  const deadline = Date.now() + (control ? CALM_MS : FINAL_WITHIN_MS);
  while (open() > 0 && Date.now() < deadline) await sleep(1_000);
  clearInterval(mining);
  for (const machine of MACHINES) signalProgram(machine, RUN(machine), 'payer', 'SIGTERM');
  const found = await check(load);
  console.table(found);
  const lost = found.lostWrites + found.lostNotes + found.lostOrders + found.unknownTransactions;
  const failed = control
    ? lost === 0
    : lost + FAILURES.reduce((sum, name) => sum + Math.abs(found[name] as number), 0) > 0;
  if (control) console.log(lost > 0 ? 'it loses, as it must' : 'nothing was lost: the harness is blind');
  console.log(failed ? 'FAILED' : 'passed');
  return failed ? 1 : 0;
}

const shuffled = <T>(all: readonly T[], random: () => number): T[] =>
  all
    .map((each) => ({ each, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ each }) => each);

/** What must be none, besides what was lost. */
const FAILURES = [
  'doubledWrites',
  'refusedWrites',
  'wrongReads',
  'cycles',
  'doubledNotes',
  'lostPayouts',
  'doubledPayouts',
  'wrongPayouts',
  'openPayouts',
  'frozenWallets',
  'sumOfPostings',
  'wrongBalances',
];

type Found = Record<string, number> &
  Record<'lostWrites' | 'lostNotes' | 'lostOrders' | 'unknownTransactions', number>;

/** The checker runs in a machine, because no other reaches a database. */
async function check({ rpcUrl, tokenAddress }: Play['load']): Promise<Found> {
  const { superuser_password: password } = localCluster().passwords;
  const output = await readProgram('db1', {
    command: [
      'env',
      `DATABASE_URL=postgres://postgres:${password}@127.0.0.1:5000/copydesk`,
      `RPC_URL=${rpcUrl}`,
      `TOKEN_ADDRESS=${tokenAddress}`,
      process.execPath,
      CHECKER,
      ...MACHINES.map(historyOf),
    ],
  });
  return JSON.parse(output) as Found;
}

/** @param next the role of who would lead next */
async function findRoles(next: 'replica' | 'sync_standby'): Promise<Roles> {
  for (;;) {
    const members = (await readMembers()) ?? [];
    const leader = members.find(({ role, state }) => role === 'leader' && state === 'running')?.name;
    const others = members.filter(({ name }) => name !== leader);
    const second = others.find(({ role }) => role === next)?.name;
    const third = others.find(({ name }) => name !== second)?.name;
    if (leader && second && third) return { leader, second, third };
    await sleep(500);
  }
}

/** The longest time within which a machine's actor was told of no transaction over lists, ms. */
function longestGap(file: string, from: number, to: number): number {
  const ends = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as HistoryEvent)
    .filter(
      ({ kind, outcome, ended }) => kind === 'lists' && outcome === 'done' && ended >= from && ended <= to,
    )
    .map(({ ended }) => ended)
    .sort((one, other) => one - other);
  return Math.max(...[...ends, to].map((at, nth) => at - (ends[nth - 1] ?? from)));
}
