import { violatedUnique } from '../../../../platform/db/connection/connection.ts';
import type { WriteTx } from '../../../../platform/db/database.ts';
import { Refusal } from '../../../../platform/refusal.ts';
import { findBotForUpdate, type LockedBot } from '../bot/bots.store.ts';

const TAKEN = {
  exchange_bot_plan_by_name: 'plan_name_taken',
  exchange_bot_coupon_by_code: 'coupon_code_taken',
  exchange_bot_faq_once: 'question_taken',
} as const;

/** Plans, coupons and questions of one bot each: as many as a menu and a person can survey. */
export const MOST_OFFERS = 100;

/** Locks the bot, so that its offers change one after the other. @throws Refusal `not_found` */
export async function lockBot(tx: WriteTx, id: string): Promise<LockedBot> {
  const bot = await findBotForUpdate(tx, id);
  if (!bot) throw new Refusal('not_found');
  return bot;
}

/** An offer, with its bot locked. The offer is read again under the lock. @throws Refusal `not_found` */
export async function lockOffer<T extends { botId: string }>(
  tx: WriteTx,
  find: () => Promise<T | null>,
): Promise<{ offer: T; bot: LockedBot }> {
  const seen = await find();
  const bot = seen && (await lockBot(tx, seen.botId));
  const offer = bot && (await find());
  if (!offer) throw new Refusal('not_found');
  return { offer, bot };
}

/** @throws Refusal when another offer of the bot has the same name, code or question */
export async function refusingTaken(written: Promise<void>): Promise<void> {
  try {
    await written;
  } catch (error) {
    const code = TAKEN[violatedUnique(error) as keyof typeof TAKEN];
    throw code ? new Refusal(code) : error;
  }
}

export function mustFind<T>(found: T | null): T {
  if (found === null) throw new Refusal('not_found');
  return found;
}
