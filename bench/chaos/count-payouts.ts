import { erc20Abi, getAbiItem } from 'viem';
import type { OwingWorld } from '../support/owing-world.ts';

export interface ChaosCounts {
  payouts: number;
  /** Payouts that were not sent, transfers without a payout, and payouts sent in another amount. */
  lost: number;
  double: number;
  wrong: number;
  /** Sum of all postings, wallets that differ from the chain, and nonces without a transfer: zero each. */
  postings: string;
  differing: number;
  nonceGaps: number;
}

/** The chain's record of every payout, from its transfers, and whether the books agree. */
export async function countPayouts(
  { rows, node, token }: OwingWorld,
  { isBooked }: { isBooked: boolean },
): Promise<ChaosCounts> {
  const logs = await node.getLogs({
    address: token.address,
    event: getAbiItem({ abi: erc20Abi, name: 'Transfer' }),
    fromBlock: 0n,
    toBlock: 'latest',
    strict: true,
  });
  const received = new Map<string, bigint[]>();
  for (const { args } of logs) {
    const to = args.to.toLowerCase();
    received.set(to, [...(received.get(to) ?? []), args.value]);
  }
  const payouts = await rows<{ to: string; units: string }>(
    'SELECT lower(recipient_address) AS to, amount_units::text AS units FROM payout',
  );
  const counts = { lost: 0, double: 0, wrong: 0 };
  // Another payout also pays a recipient whose shares were detached.
  for (const [to, ordered] of Map.groupBy(payouts, (payout) => payout.to)) {
    const values = [...(received.get(to) ?? [])];
    const unmatched = ordered.filter(({ units }) => {
      const at = values.indexOf(BigInt(units));
      if (at >= 0) values.splice(at, 1);
      return at < 0;
    });
    const wrong = Math.min(unmatched.length, values.length);
    counts.wrong += wrong;
    counts.lost += unmatched.length - wrong;
    counts.double += values.length - wrong;
  }
  const [books] = await rows<{ postings: string; gaps: string }>(
    `SELECT (SELECT coalesce(sum(amount), 0)::text FROM posting) AS postings,
       (SELECT count(*)::text FROM chain_wallet w WHERE w.next_nonce - w.first_nonce <>
         (SELECT count(*) FROM transfer i WHERE i.wallet_id = w.id AND i.nonce >= w.first_nonce)) AS gaps`,
  );
  const wallets = await rows<{ address: `0x${string}`; units: string }>(
    `SELECT w.address, coalesce(b.posted, 0)::text AS units FROM chain_wallet w
     LEFT JOIN ledger_account a ON a.owner_id = w.owner_id AND a.kind IN ('deposit_wallet', 'community_wallet')
     LEFT JOIN ledger_balance b ON b.account_id = a.id WHERE w.role <> 'gas'`,
  );
  let differing = 0;
  if (isBooked)
    for (const { address, units } of wallets)
      if ((await token.balanceOf(address)) !== BigInt(units)) differing += 1;
  return {
    payouts: payouts.length,
    ...counts,
    postings: books?.postings ?? '',
    differing,
    nonceGaps: Number(books?.gaps ?? 0),
  };
}
