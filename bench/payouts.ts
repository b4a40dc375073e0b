import { setTimeout as sleep } from 'node:timers/promises';
import { startPayer } from './chaos/kill-payers.ts';
import { createOwingWorld, type OwingWorld } from './support/owing-world.ts';
import { readMemory } from './support/product.ts';
import type { Report } from './support/report.ts';

const RECIPIENTS = 1_000;
const TRADERS = 100;
/** BNB Smart Chain makes blocks faster; the benchmark measures full blocks, not their interval. */
const BLOCK_MS = 1_000;

/** Communities of a payout run, each with this many recipients, paid by this many traders. */
const RUN = { communities: 40, recipients: 25, traders: 5 };

/** As many recipients of many communities: alone, one after the other, and together. */
async function benchRuns(ownerUrl: string, report: Report): Promise<void> {
  const world = await createOwingWorld(ownerUrl, 'bench_payout_runs');
  const owing = async () => {
    const communities = [];
    for (let n = 0; n < RUN.communities; n++) {
      const community = await world.addCommunity();
      await world.owe(community, RUN.recipients, RUN.traders);
      communities.push(community);
    }
    return communities;
  };
  const seconds = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    return (performance.now() - startedAt) / 1_000;
  };
  const alone = await owing();
  const apart = await seconds(async () => {
    for (const community of alone) await world.distribute(community);
  });
  const ids = (await owing()).map(({ communityId }) => communityId);
  let seen = '';
  const planned = await seconds(async () => {
    seen = (await world.planRun(ids)).seen;
  });
  const ordered = await seconds(() => world.orderRun(ids, seen));
  report.row(
    `${RUN.communities} communities of ${RUN.recipients} recipients: distributed one by one; planned, and ordered as one run`,
    `${apart.toFixed(2)} s; ${planned.toFixed(2)} s, ${ordered.toFixed(2)} s`,
    'as one no slower',
  );
  await world.close();
}

/** A thousand recipients of one community, paid by one worker on a local chain. */
export async function benchPayouts(ownerUrl: string, _dataDir: string, report: Report): Promise<void> {
  await benchRuns(ownerUrl, report);
  const world = await createOwingWorld(ownerUrl, 'bench_payouts');
  const community = await world.addCommunity();
  await world.owe(community, RECIPIENTS, TRADERS);
  const startedAt = performance.now();
  await world.distribute(community);
  report.row(
    `${RECIPIENTS.toLocaleString('en-US')} recipients distributed, books of as many invoices opened`,
    `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`,
  );
  await world.node.setAutomine(false);
  const payer = startPayer(world);
  const began = performance.now();
  const perBlock: number[] = [];
  let peakMb = 0;
  let left = RECIPIENTS;
  while (left > 0) {
    await sleep(BLOCK_MS);
    await world.node.mine({ blocks: 1 });
    perBlock.push(await countPayouts(world, community.wallet));
    peakMb = readMemory(payer.pid ?? 0).peakMb;
    const [row] = await world.rows<{ left: number }>(
      "SELECT count(*)::int AS left FROM payout WHERE status <> 'distributed'",
    );
    left = row?.left ?? 0;
  }
  payer.kill('SIGKILL');
  const seconds = (performance.now() - began) / 1_000;
  const full = perBlock.filter((count) => count > 0).sort((a, b) => a - b);
  report.row(
    `paid by one worker, a block a second, ${TRADERS} deposit addresses emptied first`,
    `${seconds.toFixed(0)} s until all are final; ${full.length} blocks with payouts, median ${full[Math.floor(full.length / 2)]}, most ${full.at(-1)} in one; worker ${peakMb.toFixed(0)} MB at most`,
    '≥ 50 a block, < 300 MB',
  );
  await world.close();
}

/** Transactions of the community's wallet in the latest block. */
async function countPayouts({ node }: OwingWorld, wallet: string): Promise<number> {
  const { transactions } = await node.getBlock({ includeTransactions: true });
  return transactions.filter(({ from }) => from.toLowerCase() === wallet.toLowerCase()).length;
}
