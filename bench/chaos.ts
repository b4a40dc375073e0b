import { createHash, randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parseEther } from 'viem';
import { readConfig } from '../apps/server/src/config.ts';
import { resolveDataFolders } from '../apps/server/src/launcher/data-folders.ts';
import { startEmbeddedPostgres } from '../apps/server/src/launcher/embedded-postgres.ts';
import { countPayouts } from './chaos/count-payouts.ts';
import { runFailoverChaos } from './chaos/failover/run-failover-chaos.ts';
import { freezeDeposit, unfreezeDeposits } from './chaos/freeze-deposits.ts';
import { countOpenings, importDebts } from './chaos/imported-debts.ts';
import { killPayers, startPayer } from './chaos/kill-payers.ts';
import { runPoolChaos } from './chaos/pools/run-pool-chaos.ts';
import { createOwingWorld, type Owing } from './support/owing-world.ts';
import { runWorld } from './support/run-world.ts';

// npm run chaos -- --kills=200 [--seed=N] [--naive]: kills workers that pay out on a real local chain over a real
// PostgreSQL, again and again, and compares the result with the chain. The workers also open imported books, and
// deposit addresses are frozen and unfrozen meanwhile. Exits with 1 when a payment was lost or made twice; with
// --naive, when none was made twice: the harness would then be blind.
//
// npm run chaos -- pools --kills=300 [--seed=N] [--naive] does the same with workers that harvest pools, and
// npm run chaos -- webhooks [--events=10000] [--seed=N] sends events of the hosted identity service, and of the payment
// service, in any order, and kills workers that read their subjects.
//
// npm run chaos -- servers --minutes=30 reads and pays through a server of the chain that misbehaves.
//
// npm run chaos -- connections --faults=60 --minutes=20 puts proxies that fail between the programs and their database,
// chain and mail.
//
// npm run chaos -- rolling [--holds=20] [--reads=10000] [--seed=N] holds up one of two APIs behind nginx for seconds, again
// and again, while consoles read.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string', default: '200' },
    events: { type: 'string', default: '10000' },
    minutes: { type: 'string' },
    faults: { type: 'string', default: '60' },
    holds: { type: 'string', default: '20' },
    reads: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    rounds: { type: 'string' },
    only: { type: 'string' },
    control: { type: 'boolean', default: false },
    naive: { type: 'boolean', default: false },
  },
});
if (positionals[0] === 'pools') process.exit(await runPoolChaos(values));
if (positionals[0] === 'failover') process.exit(await runFailoverChaos(values));
if (positionals[0] === 'servers')
  process.exit(
    await runWorld(
      'chaos',
      { CHAOS_MINUTES: values.minutes, CHAOS_SEED: values.seed },
      'bench/chaos/servers',
    ),
  );
if (positionals[0] === 'connections')
  process.exit(
    await runWorld(
      'chaos',
      { CHAOS_FAULTS: values.faults, CHAOS_MINUTES: values.minutes, CHAOS_SEED: values.seed },
      'bench/chaos/connections',
    ),
  );
if (positionals[0] === 'rolling')
  process.exit(
    await runWorld(
      'chaos',
      { CHAOS_HOLDS: values.holds, CHAOS_READS: values.reads, CHAOS_SEED: values.seed },
      'bench/chaos/rolling',
    ),
  );
if (positionals[0] === 'webhooks')
  process.exit(
    await runWorld('chaos', { CHAOS_EVENTS: values.events, CHAOS_SEED: values.seed }, 'bench/chaos/webhooks'),
  );
const kills = Number(values.kills);
const seed = Number(values.seed ?? randomInt(1_000_000));
const isNaive = values.naive;
const COMMUNITIES = 3;
const RECIPIENTS = 20;
const TRADERS = 4;
/** Time limit until everything is final after a restart. */
const PATIENCE_MS = 60_000;
const BLOCK_EVERY_MS = 150;

console.log(`${kills} kills, ${isNaive ? 'the naive sender' : 'the payout engine'}, --seed=${seed}`);
let drawn = 0;
/** In [0, 1), the same for the same seed. */
const random = () => createHash('sha256').update(`${seed} ${drawn++}`).digest().readUInt32BE() / 2 ** 32;
const { cacheDir } = resolveDataFolders(readConfig().dataDir);
const postgres = await startEmbeddedPostgres({ dataDir: join(cacheDir, 'chaos'), cacheDir, forTests: true });
let failed = false;
try {
  const world = await createOwingWorld(postgres.ownerUrl, `chaos_${isNaive ? 'naive' : 'engine'}`);
  const communities = await Promise.all(Array.from({ length: COMMUNITIES }, world.addCommunity));
  const { node, rows, token } = world;
  const unfinished = async () => {
    const [row] = await rows<{ count: number }>(
      isNaive
        ? `SELECT count(*)::int AS count FROM payout o
           WHERE to_regclass('naive_paid') IS NULL OR NOT EXISTS (SELECT FROM naive_paid p WHERE p.payout_id = o.id)`
        : `SELECT count(*)::int AS count FROM payout WHERE status NOT IN ('distributed', 'failed')`,
    );
    return row?.count ?? 0;
  };
  /** Keeps payouts under way: distributes new debts when few are left. */
  const keepOwing = () => (isNaive ? keepOwingNaive() : keepImporting());
  const keepImporting = async () => {
    await unfreezeDeposits(world);
    if (random() < 0.5) await freezeDeposit(world);
    for (const community of communities) await distributeOpened(community);
    if ((await unfinished()) > (COMMUNITIES * RECIPIENTS) / 4 || (await unopened()) > 0) return;
    for (const community of communities) await importDebts(world, community, RECIPIENTS, TRADERS);
  };
  /** Traders whose books payers have to open before their payments can be distributed. */
  const unopened = async () => {
    const [row] = await rows<{ count: number }>(
      'SELECT count(*)::int AS count FROM trader WHERE books_opened_at IS NULL',
    );
    return row?.count ?? 0;
  };
  const pending = async ({ communityId }: Owing) => {
    const [row] = await rows<{ count: number }>(
      `SELECT count(*)::int AS count FROM payable y JOIN invoice i ON i.id = y.invoice_id JOIN trader t ON t.id = i.trader_id
       LEFT JOIN chain_wallet w ON w.role = 'deposit' AND w.owner_id = t.id
       WHERE y.community_id = $1 AND y.payout_id IS NULL AND y.paid_at IS NULL AND y.settled_at IS NULL
         AND t.books_opened_at IS NOT NULL AND w.frozen_because IS NULL`,
      [communityId],
    );
    return row?.count ?? 0;
  };
  const distributeOpened = async (community: Owing) => {
    if ((await pending(community)) === 0) return;
    await world.distribute(community).catch((error: { code?: string }) => {
      // Shares that payers just detached, or at an address that is about to be frozen.
      if (error.code !== 'nothing_pending') throw error;
    });
  };
  const keepOwingNaive = async () => {
    if ((await unfinished()) > (COMMUNITIES * RECIPIENTS) / 4) return;
    for (const community of communities) {
      await world.owe(community, RECIPIENTS, TRADERS);
      await world.distribute(community);
      // Existing balances pay for it, and they are enough to do so twice.
      const address = community.wallet as `0x${string}`;
      await node.setBalance({ address, value: parseEther('10') });
      await token.mint(address, parseEther('100000'));
    }
  };
  if (isNaive) await rows('CREATE TABLE naive_paid (payout_id uuid PRIMARY KEY)');
  await keepOwing();
  await node.setAutomine(false);
  let isMining = true;
  /** Without blocks, transactions are stuck and are signed again. */
  let isStuck = false;
  const mining = (async () => {
    while (isMining) {
      // A chain that is too busy to answer makes its next block later.
      if (!isStuck) await node.mine({ blocks: 1 }).catch(() => {});
      await sleep(BLOCK_EVERY_MS);
    }
  })();

  const startedAt = performance.now();
  const killing = await killPayers(world, {
    kills,
    random,
    isNaive,
    keepOwing,
    prepare: async (step) => {
      isStuck = step === 'replaced';
      if (step?.startsWith('opening')) await importDebts(world, communities[0] as Owing, RECIPIENTS, TRADERS);
      if (step === 'released') await freezeDeposit(world);
    },
  });
  isStuck = false;
  if (!isNaive) await unfreezeDeposits(world);
  const killedFor = (performance.now() - startedAt) / 1_000;
  const payer = startPayer(world, { isNaive });
  const restartedAt = performance.now();
  while ((await unfinished()) > 0 && performance.now() - restartedAt < 3 * PATIENCE_MS) await sleep(100);
  const finalAfter = (performance.now() - restartedAt) / 1_000;
  // Detached shares, and those of books opened last, are still to be paid.
  const isAllPaid = async () => {
    for (const community of communities) await distributeOpened(community);
    return (await unfinished()) + (await unopened()) === 0;
  };
  while (!isNaive && !(await isAllPaid()) && performance.now() - restartedAt < 6 * PATIENCE_MS)
    await sleep(500);
  payer.kill('SIGKILL');
  isMining = false;
  await mining;

  const payments = await countPayouts(world, { isBooked: !isNaive });
  const [attempts] = await rows<{ replaced: number }>(
    'SELECT count(*)::int AS replaced FROM transfer_attempt WHERE attempt > 1',
  );
  const openings = await countOpenings(world);
  const [detached] = await rows<{ payouts: number }>(
    `SELECT count(*)::int AS payouts FROM audit_entry WHERE action = 'payout.shares_returned'`,
  );
  const left = (await unfinished()) + (isNaive ? 0 : await unopened());
  console.log(
    [
      `${killing.kills} kills in ${killedFor.toFixed(0)} s, at steps: ${JSON.stringify(killing.atSteps)}`,
      `${payments.payouts} payouts: ${payments.lost} lost, ${payments.double} paid twice, ${payments.wrong} of another amount, ${left} not final`,
      `all final ${finalAfter.toFixed(1)} s after the last restart; ${attempts?.replaced} transactions signed again`,
      ...(isNaive
        ? []
        : [
            `${openings.opened} imported part payments opened, ${openings.wrong} not once or of another amount`,
            `${detached?.payouts} payouts went on without shares at a frozen address`,
            `ledger: postings sum to ${payments.postings}, ${payments.differing} wallets differ from the chain, ${payments.nonceGaps} with a gap in their nonces`,
          ]),
    ].join('\n'),
  );
  failed = isNaive
    ? payments.double === 0
    : left > 0 ||
      finalAfter * 1_000 > PATIENCE_MS ||
      payments.lost +
        payments.double +
        payments.wrong +
        payments.differing +
        payments.nonceGaps +
        openings.wrong >
        0 ||
      openings.opened === 0 ||
      detached?.payouts === 0 ||
      payments.postings !== '0';
  await world.close();
} finally {
  await postgres.stop();
}
console.log(failed ? 'FAILED' : 'passed');
process.exit(failed ? 1 : 0);
