import type { TokenTransfer } from '../../integrations/chain/chain-reader.ts';
import type { Tx, WriteTx } from '../../platform/db/database.ts';

/** Which token on which chain. The address is in lower case. */
export interface Token {
  chainId: number;
  tokenAddress: string;
}

/** A transfer to an address of ours, and whose address that is. */
export interface ReceivedTransfer extends TokenTransfer {
  ownerId: string;
}

/**
 * Takes the tokens that arrive at addresses of one kind. The chain is read once for all receivers; what a receiver writes
 * is one transaction with the cursor, so that each transfer is received once.
 */
export interface TransferReceiver {
  /** Owners by their address in lower case. */
  listAddresses(tx: Tx): Promise<ReadonlyMap<string, string>>;
  /**
   * Those of them at which money is expected, where that is not all: when there are too many addresses for one request,
   * these are looked for first.
   */
  listAwaited?(tx: Tx): Promise<readonly string[]>;
  /** Transfers of final blocks, in the order of the chain. */
  receive(tx: WriteTx, token: Token, transfers: readonly ReceivedTransfer[]): Promise<void>;
}
