import { listOwners, type Owners } from '../../../core/chain/receive-transfers.ts';
import type { TransferReceiver } from '../../../core/chain/transfer-receiver.ts';
import type { Wanted } from '../../../integrations/chain/chain-reader.ts';
import type { Tx } from '../../../platform/db/database.ts';

/** Addresses of one request: geth takes 1,000 values of a topic. */
const FILTER = 1_000;

/** Whose addresses are watched, and which of them a server is asked for in a block. */
export async function listWanted(
  tx: Tx,
  receivers: readonly TransferReceiver[],
): Promise<{ owners: Owners; wanted: Wanted }> {
  const owners = await listOwners(tx, receivers);
  const addresses = new Set(owners.flatMap((byAddress) => [...byAddress.keys()]));
  if (addresses.size <= FILTER) return { owners, wanted: { addresses, filter: [...addresses] } };
  const awaited = new Set<string>();
  for (const [index, { listAwaited }] of receivers.entries())
    for (const address of listAwaited ? await listAwaited(tx) : (owners[index]?.keys() ?? []))
      awaited.add(address);
  return { owners, wanted: { addresses, filter: filterOf(addresses, awaited) } };
}

/**
 * The awaited addresses, filled up with others in their order; null when they are too many for one request, so that a
 * block is read whole and matched here. What arrives at an address that is left out is found by the comparison of
 * balances.
 */
export function filterOf(
  addresses: ReadonlySet<string>,
  awaited: ReadonlySet<string>,
  limit = FILTER,
): string[] | null {
  if (awaited.size > limit) return null;
  const others = [...addresses].filter((address) => !awaited.has(address));
  return [...awaited, ...others].slice(0, limit);
}
