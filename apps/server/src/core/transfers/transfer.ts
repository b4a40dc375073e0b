import type { Fee, FinalReceipt } from '../../integrations/chain/chain-sender.ts';
import type { WalletPlace } from '../../integrations/chain/wallet-keys.ts';

export interface Wallet extends WalletPlace {
  id: string;
  ownerId: string;
  address: string;
}

/** What is to be transferred. Units are base units of the token, or wei where there is none. */
export interface Transfer {
  id: string;
  kind: 'gas_topup' | 'consolidate' | 'distribute';
  to: string;
  token: string | null;
  units: bigint;
  communityId: string | null;
  /** What it is for, as its purpose knows it: the id of a payout; null where the transfer is its own reason. */
  subjectId: string | null;
}

/** A transfer that may be signed. */
export interface ReadyTransfer extends Transfer {
  /** Which of our wallets it goes to; null: to somebody else. */
  toWallet: WalletPlace | null;
}

/** A transaction that was signed and stored. */
export interface Attempt {
  hash: `0x${string}`;
  attempt: number;
  isCancel: boolean;
  fee: Fee;
  gasLimit: bigint;
  createdAt: Date;
  broadcastAt: Date | null;
}

export interface SentTransfer extends Transfer {
  wallet: Wallet;
  isFrozen: boolean;
  nonce: number;
  isCancelAsked: boolean;
  /** What a person has to look at, as it was noted. */
  problem: string | null;
  /** Oldest first; all have the one nonce, so that one of them can count at most. */
  attempts: Attempt[];
}

/** A transfer whose nonce was spent in a final block. */
export interface EndedTransfer {
  transfer: SentTransfer;
  /** The one of its attempts that was mined. */
  attempt: Attempt;
  receipt: FinalReceipt;
  state: 'final' | 'reverted' | 'cancelled';
}
