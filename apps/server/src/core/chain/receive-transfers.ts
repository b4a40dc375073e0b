import type { TokenTransfer } from '../../integrations/chain/chain-reader.ts';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import type { ReceivedTransfer, Token, TransferReceiver } from './transfer-receiver.ts';

/** Owners by their address in lower case, for each receiver. */
export type Owners = readonly ReadonlyMap<string, string>[];

export const listOwners = (tx: Tx, receivers: readonly TransferReceiver[]): Promise<Owners> =>
  Promise.all(receivers.map((receiver) => receiver.listAddresses(tx)));

/** Has each receiver take the transfers to its addresses. Those that were received before change nothing. */
export async function receiveTransfers(
  tx: WriteTx,
  { receivers, token }: { receivers: readonly TransferReceiver[]; token: Token },
  owners: Owners,
  transfers: readonly TokenTransfer[],
): Promise<void> {
  for (const [index, receiver] of receivers.entries()) {
    const received = receivedBy(owners[index] ?? new Map(), transfers);
    if (received.length > 0) await receiver.receive(tx, token, received);
  }
}

function receivedBy(
  owners: ReadonlyMap<string, string>,
  transfers: readonly TokenTransfer[],
): ReceivedTransfer[] {
  return transfers.flatMap((transfer) => {
    const ownerId = owners.get(transfer.to.toLowerCase());
    return ownerId ? [{ ...transfer, ownerId }] : [];
  });
}
