import { erc20Abi, getAbiItem } from 'viem';
import type { PoolWorld } from '../../../tests/support/world/pool-world.ts';
import type { DrivenPool } from './drive-pool.ts';

/** Everything about a pool that must be the same however its workers died. Amounts are base units. */
export async function booksOfPool(world: PoolWorld, { poolId, uid, members, community }: DrivenPool) {
  const nthOf = new Map(members.map(({ id }, nth) => [id, nth]));
  const capital = await world.owner<{ id: string; posted: string; pending: string }>(
    `SELECT a.owner_id AS id, b.posted::text AS posted, b.pending::text AS pending
     FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
     WHERE a.kind = 'pool_capital' AND a.owner_id = ANY ($1::uuid[])`,
    [[...nthOf.keys()]],
  );
  const parts = await world.owner<{ cycle: number; id: string; part: string }>(
    `SELECT h.cycle_number AS cycle, a.member_id AS id,
       concat_ws(' ', a.allocated_units, a.fee_units, a.carry_after_units, a.capital_after_units) AS part
     FROM harvest_allocation a JOIN harvest_cycle h ON h.id = a.cycle_id WHERE h.pooled_account_id = $1`,
    [poolId],
  );
  const invoices = await world.owner<{ cycle: number; amount: string; status: string; payables: number }>(
    `SELECT h.cycle_number AS cycle, i.amount_units::text AS amount, i.status,
       (SELECT count(*)::int FROM payable y WHERE y.invoice_id = i.id) AS payables
     FROM invoice i JOIN harvest_cycle h ON h.id = i.harvest_cycle_id
     WHERE h.pooled_account_id = $1 ORDER BY 1, i.amount_units`,
    [poolId],
  );
  const funding = await world.owner<{ cycle: number; units: string }>(
    `SELECT h.cycle_number AS cycle, sum(f.credited_units)::text AS units FROM harvest_funding f
     JOIN harvest_cycle h ON h.id = f.cycle_id WHERE h.pooled_account_id = $1 GROUP BY 1 ORDER BY 1`,
    [poolId],
  );
  const wallet = await world.walletOf(community.id);
  const byMember = <T extends { id: string }>(rows: T[]) =>
    rows.map(({ id, ...rest }) => ({ member: nthOf.get(id), ...rest })).sort(inOrder);
  return {
    pool: await world.booksOf(poolId),
    capital: byMember(capital),
    parts: byMember(parts),
    invoices,
    funding,
    atExchange: world.venue.pools.get(uid).unified,
    moves: world.venue.pools.get(uid).transfers.length,
    fees: await world.chain.token.balanceOf(wallet),
    asked: (await world.messagesOf(community.id)).filter(({ kind }) => kind === 'withdraw_funds').length,
  };
}

const inOrder = (a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b));

export interface Paid {
  withdrawals: number;
  lost: number;
  double: number;
}

/** Compares every withdrawal with the transfers that its member received on chain. */
export async function countPaid(
  world: PoolWorld,
  pools: readonly DrivenPool[],
  amount: string,
): Promise<Paid> {
  const { node, token } = world.chain;
  const logs = await node.getLogs({
    address: token.address,
    event: getAbiItem({ abi: erc20Abi, name: 'Transfer' }),
    fromBlock: 0n,
    toBlock: 'latest',
    strict: true,
  });
  const received = Map.groupBy(logs, ({ args }) => args.to.toLowerCase());
  const asked = await world.owner<{ to: string; units: string }>(
    `SELECT lower(t.external_wallet_address) AS to, w.${amount}::text AS units
     FROM pool_withdrawal w JOIN pool_member m ON m.id = w.member_id JOIN trader t ON t.id = m.trader_id
     WHERE w.pooled_account_id = ANY ($1::uuid[]) AND w.${amount} IS NOT NULL`,
    [pools.map(({ poolId }) => poolId)],
  );
  const paid: Paid = { withdrawals: asked.length, lost: 0, double: 0 };
  const wanted = Map.groupBy(asked, ({ to }) => to);
  for (const address of pools.flatMap(({ members }) =>
    members.map(({ payoutAddress }) => payoutAddress.toLowerCase()),
  )) {
    const left = (received.get(address) ?? []).map(({ args }) => args.value);
    for (const { units } of wanted.get(address) ?? []) {
      const at = left.indexOf(BigInt(units));
      if (at >= 0) left.splice(at, 1);
      else paid.lost += 1;
    }
    paid.double += left.length;
  }
  return paid;
}
