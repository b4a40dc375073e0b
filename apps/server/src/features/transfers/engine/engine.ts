import type { HaltReason, PayoutLimits } from '@copydesk/domain';
import type { PurposeStep, TransferPurposes } from '../../../core/transfers/transfer-purpose.ts';
import type { ChainSender } from '../../../integrations/chain/chain-sender.ts';
import type { WalletKeys } from '../../../integrations/chain/wallet-keys.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/log/log.ts';

/** Names of the moments at which a worker may die; tests do so at each of them. */
export const ENGINE_STEPS = [
  'looked',
  'prepared',
  'topup_ordered',
  'signed',
  'committed',
  'broadcast_one',
  'broadcast_all',
  'replaced',
  'receipt_seen',
  'booked',
  'concluded',
] as const;
export type EngineStep = (typeof ENGINE_STEPS)[number];

/** What the engine that signs, sends and watches transfers works with. */
export interface TransferEngine {
  db: Database;
  log: Logger;
  now: () => Date;
  chain: ChainSender;
  chainId: number;
  keys: WalletKeys;
  /** What the transfers are for. */
  purposes: TransferPurposes;
  limits: PayoutLimits;
  /** Wei for a unit of gas above which nothing is signed. */
  maxFeeWei: bigint;
  /** Transactions of one wallet that wait to be mined at once. */
  inFlight: number;
  /** What was not mined within this is signed again with a higher fee. */
  stuckMs: number;
  /** What was sent and is not mined is sent again this often. */
  resendMs: number;
  /** A spent nonce whose transaction nobody knows is looked at for so long before its wallet is frozen. */
  doubtMs: number;
  /** Doubtful transfers and wallets by their id, and since when: what one worker has seen. */
  doubts: Map<string, number>;
  /** Called when nothing can be signed for now, whatever the transfer. */
  onHalt?(reason: HaltReason): void;
  /** Called at each step that a crash could fall on. */
  atStep?(step: EngineStep | PurposeStep): void;
}
