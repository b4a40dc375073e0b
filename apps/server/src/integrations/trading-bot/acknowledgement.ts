import { createTimestampedHmac } from '../../platform/http/webhooks/timestamped-hmac.ts';
import type { VerifySignature } from '../../platform/http/webhooks/webhook-gate.ts';

/** The header of the bot's own signature, which has a secret apart from ours: neither side can speak for the other. */
const ACKNOWLEDGEMENT_HEADER = 'trading-bot-signature';

/**
 * Verifies the bot's acknowledgement, for the webhook's gate. Its body is `tradingBotEvent` of the contract.
 * @param secrets of the bot; two while one is replaced
 */
export const createAcknowledgementVerifier = (secrets: readonly [string, ...string[]]): VerifySignature =>
  createTimestampedHmac({ header: ACKNOWLEDGEMENT_HEADER, secrets });
