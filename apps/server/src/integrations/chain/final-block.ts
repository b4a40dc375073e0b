import type { PublicClient } from 'viem';

/**
 * The last block that is taken not to go away: the one that the server calls final, or one that has so many after it.
 * @param confirmations null where the chain tells by itself (BNB Smart Chain: fast finality, tag `finalized`)
 */
export async function findFinalBlock(server: Pick<PublicClient, 'getBlock'>, confirmations: number | null) {
  if (confirmations === null) return server.getBlock({ blockTag: 'finalized' });
  const { number: latest } = await server.getBlock({ blockTag: 'latest' });
  const depth = BigInt(confirmations);
  return server.getBlock({ blockNumber: latest > depth ? latest - depth : 0n });
}
