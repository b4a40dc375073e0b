import type { Refusal } from '@copydesk/domain/payouts';
import type { Fee, FinalReceipt } from '../../integrations/chain/chain-sender.ts';
import type { WalletPlace } from '../../integrations/chain/wallet-keys.ts';

export interface Wallet extends WalletPlace {
  id: string;
  ownerId: string;
  address: string;
}

/** A transfer. Units are base units of the token, or wei without one. */
export interface Transfer {
  id: string;
  kind:
    | 'gas_topup'
    | 'consolidate'
    | 'distribute'
    | 'pool_collect'
    | 'pool_return'
    | 'pool_withdraw'
    | 'pool_fund'
    | 'pool_fee'
    | 'pool_send_back'
    | 'credit_return';
  to: string;
  token: string | null;
  units: bigint;
  communityId: string | null;
  /** The id of its subject, as its purpose defines it, such as a payout; null when it has none. */
  subjectId: string | null;
}

/** A transfer that may be signed. */
export interface ReadyTransfer extends Transfer {
  /** Our own wallet that receives it; null: an external address. */
  toWallet: WalletPlace | null;
  /** People have allowed it, once, beyond the limits on amounts. */
  isAllowedOnce: boolean;
}

/** A transaction that was signed and stored. */
export interface Attempt {
  hash: `0x${string}`;
  attempt: number;
  isCancel: boolean;
  fee: Fee;
  gasLimit: bigint;
  createdAt: Date;
  /** When a server last took it. */
  broadcastAt: Date | null;
  /** Why no server took it when it was last sent; null: one did, or it was not sent yet. */
  refused: { because: Refusal; at: Date; times: number } | null;
}

export interface SentTransfer extends Transfer {
  wallet: Wallet;
  isFrozen: boolean;
  nonce: number;
  isCancelAsked: boolean;
  /** A noted problem that needs review. */
  problem: string | null;
  /** Oldest first; all have the same nonce, so at most one can count. */
  attempts: Attempt[];
}

/** A transfer whose nonce was spent in a final block. */
export interface EndedTransfer {
  transfer: SentTransfer;
  /** The mined attempt. */
  attempt: Attempt;
  receipt: FinalReceipt;
  state: 'final' | 'reverted' | 'cancelled';
}
