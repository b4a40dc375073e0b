import type { Durability, GasBounds, HaltReason, PayoutLimits } from '@copydesk/domain/payouts';
import type { PurposeStep, TransferPurposes } from '../../../core/transfers/transfer-purpose.ts';
import type { ChainSender } from '../../../integrations/chain/chain-sender.ts';
import type { WalletKeys } from '../../../integrations/chain/wallet-keys.ts';
import type { AuditKeys } from '../../../platform/audit/entry-hashes.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/observe/log.ts';

/** Points at which a worker may crash; tests crash it at each of them. */
export const ENGINE_STEPS = [
  'looked',
  'prepared',
  'claimed',
  'checked',
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

/** The dependencies of the engine that signs, sends and watches transfers. */
export interface TransferEngine {
  db: Database;
  /** What people ordered is signed only where the audit says so under these. */
  auditKeys: AuditKeys;
  log: Logger;
  now: () => Date;
  /** What keeps a stored transaction when the machine of the database is lost. */
  durability: Durability;
  chain: ChainSender;
  chainId: number;
  /** The token of the books, in lower case. */
  tokenAddress: string;
  keys: WalletKeys;
  /** The registered purposes of transfers. */
  purposes: TransferPurposes;
  limits: PayoutLimits;
  /** The largest transfer of tokens, base units; null: none. */
  hardMaxUnits: bigint | null;
  gasBounds: GasBounds;
  /** Maximum wei per unit of gas; above it no transfer is signed. */
  maxFeeWei: bigint;
  /** Minimum tip, wei per unit of gas, whatever servers suggest. */
  minTipWei: bigint;
  /** Payments stop when this many transfers were set aside within an hour; 0: never. */
  stopAfterSetAside: number;
  /** Maximum number of unmined transactions of one wallet. */
  inFlight: number;
  /** A transaction not mined within this time is signed again with a higher fee. */
  stuckMs: number;
  /** Interval at which an unmined transaction is sent again; doubles for bytes that no server takes. */
  resendMs: number;
  /** How long a spent nonce without a known transaction is rechecked before its wallet is frozen. */
  doubtMs: number;
  /** Doubtful transfers and wallets by their id, with the time of the first doubt, as seen by this worker. */
  doubts: Map<string, number>;
  /** Called when no transfer can be signed or sent for now. @param detail the words of a server */
  onHalt?(reason: HaltReason, detail?: string | null): void;
  /** Called at each step where a crash could happen. */
  atStep?(step: EngineStep | PurposeStep): void;
}

/** Whether a doubt has lasted long enough to act on it: a lagging server may briefly report wrong data. */
export function isLasting({ doubts, doubtMs, now }: TransferEngine, id: string): boolean {
  const since = doubts.get(id) ?? now().getTime();
  doubts.set(id, since);
  return now().getTime() - since >= doubtMs;
}
