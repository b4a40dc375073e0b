import { listMismatches } from '../../../apps/server/src/core/ledger/mismatches.views.ts';
import { WHOLE_SCOPE } from '../../../apps/server/src/platform/db/database.ts';
import type { InvoicingWorld } from './invoicing-world.ts';
import type { PayingChain } from './paying-chain.ts';

/**
 * Checks the invariants of payouts, without the code under test: the ledger agrees with itself, every recipient has on
 * chain exactly the sum of its final payouts, and every wallet's balance equals the ledger's.
 */
export async function findUnpaid(
  world: Pick<InvoicingWorld, 'owner' | 'db'>,
  token: PayingChain['token'],
  communityId: string,
): Promise<string[]> {
  const wrong: string[] = [];
  const expect = (what: string, found: bigint, wanted: bigint) => {
    if (found !== wanted) wrong.push(`${what}: ${found} instead of ${wanted}`);
  };
  // Communities share recipients.
  const recipients = await world.owner<{ address: `0x${string}`; units: string }>(
    `SELECT lower(recipient_address) AS address,
       coalesce(sum(amount_units) FILTER (WHERE status = 'distributed'), 0)::text AS units
     FROM payout WHERE distribution_id IS NOT NULL GROUP BY 1`,
  );
  for (const { address, units } of recipients)
    expect(`paid to ${address}`, await token.balanceOf(address), BigInt(units));
  const wallets = await world.owner<{ address: `0x${string}`; units: string }>(
    `SELECT w.address, coalesce(b.posted, 0)::text AS units FROM chain_wallet w
     LEFT JOIN ledger_account a ON a.owner_id = w.owner_id AND a.kind IN ('deposit_wallet', 'community_wallet')
     LEFT JOIN ledger_balance b ON b.account_id = a.id
     WHERE w.role <> 'gas' AND (w.owner_id = $1 OR w.id IN (
       SELECT wallet_id FROM transfer WHERE community_id = $1))`,
    [communityId],
  );
  for (const { address, units } of wallets)
    expect(`held by ${address}`, await token.balanceOf(address), BigInt(units));
  const [row] = await world.owner<Record<string, string>>(
    `SELECT (SELECT coalesce(sum(amount), 0)::text FROM posting) AS postings,
       (SELECT count(*)::text FROM ledger_balance WHERE NOT allow_negative AND posted - pending < 0) AS overdrawn,
       (SELECT count(*)::text FROM chain_wallet w WHERE w.next_nonce <>
         w.first_nonce + (SELECT count(*) FROM transfer i WHERE i.wallet_id = w.id AND i.nonce >= w.first_nonce)) AS nonce_gaps,
       (SELECT count(*)::text FROM payable p JOIN payout o ON o.id = p.payout_id
         WHERE o.distribution_id IS NOT NULL AND (p.paid_at IS NOT NULL) <> (o.status = 'distributed')) AS unlike_payables`,
  );
  for (const [what, found] of Object.entries(row ?? {})) expect(what, BigInt(found), 0n);
  const mismatches = await world.db.read(WHOLE_SCOPE, (tx) => listMismatches(tx, null));
  if (mismatches.length > 0) wrong.push(JSON.stringify(mismatches));
  return wrong;
}
