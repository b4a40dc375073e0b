import {
  type InvoiceMessageKind,
  KEY_MESSAGE_KINDS,
  type KeyMessageKind,
  WALLET_ANSWER_KINDS,
  WALLET_MESSAGE_KINDS,
  type WalletAnswerKind,
  type WalletMessageKind,
  WITHDRAWAL_MESSAGE_KINDS,
  type WithdrawalMessageKind,
} from '@copydesk/domain/messages';
import type { WriteTx } from '../../platform/db/database.ts';
import { insertMessages, listAddressees, type NewMessage } from './queue-messages.store.ts';
import {
  type Addressee,
  type KeyFacts,
  type NoticeFacts,
  renderKeyNotice,
  renderNotice,
  renderWalletAnswer,
  renderWalletNotice,
  renderWithdrawalNotice,
  type WalletChange,
  type WalletFacts,
  type WithdrawalFacts,
} from './render-notice.ts';

export type { NoticeFacts };

/** A fact to notify a trader of. */
export type QueuedNotice = NoticePlace &
  (
    | { kind: InvoiceMessageKind; facts: NoticeFacts }
    | { kind: WalletMessageKind; facts: WalletFacts }
    | { kind: WithdrawalMessageKind; facts: WithdrawalFacts }
    | { kind: KeyMessageKind; facts: KeyFacts }
    | { kind: WalletAnswerKind; facts: Pick<WalletChange, 'wallet' | 'payableFrom'> }
  );

interface NoticePlace {
  traderId: string;
  /** The provider of its invoices; null: of several providers. */
  providerId: string | null;
  invoiceId: string | null;
  /** The invoicing run that it is about. */
  runId?: string;
  /** Each key is sent at most once. */
  dedupeKey: string;
  /** Minimum delay before sending; until then it can be withdrawn. */
  delayMs?: number;
}

type WalletNotice = Extract<QueuedNotice, { kind: WalletMessageKind }>;
const isOfWallet = (notice: QueuedNotice): notice is WalletNotice =>
  (WALLET_MESSAGE_KINDS as readonly string[]).includes(notice.kind);
type WalletAnswer = Extract<QueuedNotice, { kind: WalletAnswerKind }>;
const isAnswer = (notice: QueuedNotice): notice is WalletAnswer =>
  (WALLET_ANSWER_KINDS as readonly string[]).includes(notice.kind);
type KeyNotice = Extract<QueuedNotice, { kind: KeyMessageKind }>;
const isOfKey = (notice: QueuedNotice): notice is KeyNotice =>
  (KEY_MESSAGE_KINDS as readonly string[]).includes(notice.kind);
type WithdrawalNotice = Extract<QueuedNotice, { kind: WithdrawalMessageKind }>;
const isOfWithdrawal = (notice: QueuedNotice): notice is WithdrawalNotice =>
  (WITHDRAWAL_MESSAGE_KINDS as readonly string[]).includes(notice.kind);

function textOf(notice: QueuedNotice, trader: Addressee): string {
  if (isAnswer(notice)) return renderWalletAnswer(notice.kind, notice.facts, trader);
  if (isOfWallet(notice)) return renderWalletNotice(notice.kind, notice.facts, trader);
  if (isOfWithdrawal(notice)) return renderWithdrawalNotice(notice.kind, notice.facts, trader);
  if (isOfKey(notice)) return renderKeyNotice(notice.kind, notice.facts, trader);
  return renderNotice(notice.kind, notice.facts, trader);
}

/**
 * Queues messages within the caller's transaction; a fact with an earlier message is skipped. Texts are rendered now,
 * in the trader's language, and stay unchanged. An unreachable trader gets a failed message, which is visible and can
 * be retried.
 * @returns ids by dedupeKey of the new messages
 */
export async function queueMessages(
  tx: WriteTx,
  notices: readonly QueuedNotice[],
): Promise<Map<string, string>> {
  if (notices.length === 0) return new Map();
  const addressees = await listAddressees(
    tx,
    notices.map(({ traderId }) => traderId),
  );
  const messages = notices.map((queued): NewMessage => {
    const { facts, delayMs = 0, ...notice } = queued;
    const trader = addressees.get(notice.traderId);
    if (!trader) throw new Error(`trader ${notice.traderId} of the notice ${notice.kind} does not exist`);
    return {
      ...notice,
      delayMs,
      language: trader.language,
      text: textOf(queued, trader),
      isReachable: trader.hasChat,
    };
  });
  return insertMessages(tx, messages);
}
