import type { PublicClient } from 'viem';

/**
 * The last final block: the one that the server calls final, or the one with enough blocks after it.
 * @param confirmations null where the chain reports it (BNB Smart Chain: fast finality, tag `finalized`)
 */
export async function findFinalBlock(server: Pick<PublicClient, 'getBlock'>, confirmations: number | null) {
  if (confirmations === null) return server.getBlock({ blockTag: 'finalized' });
  const { number: latest } = await server.getBlock({ blockTag: 'latest' });
  const depth = BigInt(confirmations);
  return server.getBlock({ blockNumber: latest > depth ? latest - depth : 0n });
}
