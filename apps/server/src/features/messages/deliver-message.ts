import { retryDelayMs } from '@copydesk/domain';
import { renderWalletQuestion } from '../../core/outbox/render-notice.ts';
import type { BotPace } from '../../core/telegram/bot-pace.ts';
import { TelegramError, type TelegramGateway } from '../../integrations/telegram/gateway.ts';
import type { ClaimedMessage, Delivery } from './message-delivery.store.ts';

/** Tries to send a message once and returns the outcome. */
export async function deliverMessage(
  { telegram, pace, now }: { telegram: TelegramGateway; pace: BotPace; now: () => number },
  { chat_id: chatId, text: written, attempts, language, question }: ClaimedMessage,
): Promise<Delivery> {
  if (chatId === null) return { state: 'failed', problem: 'no_chat', detail: null };
  try {
    const asked = question && { ...question, payableFrom: new Date(question.payableFrom) };
    const message = asked ? renderWalletQuestion(asked, { language }) : { text: written };
    const { messageId } = await telegram.send({ chatId, ...message });
    pace.answered();
    return { state: 'sent', telegramMessageId: messageId, text: message.text };
  } catch (error) {
    // Any other error is a fault of ours that may pass; the worker logs it.
    if (!(error instanceof TelegramError)) throw error;
    const { code, isRetryable, retryAfterMs, detail } = error;
    if (code === 'unavailable') pace.unanswered();
    else pace.answered();
    if (retryAfterMs !== null) pace.pause(retryAfterMs);
    const delayMs = isRetryable ? retryDelayMs(attempts + 1) : null;
    if (delayMs === null) return { state: 'failed', problem: code, detail };
    return { state: 'queued', problem: code, detail, retryAt: new Date(now() + (retryAfterMs ?? delayMs)) };
  }
}
