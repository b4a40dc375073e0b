import { randomUUID } from 'node:crypto';
import type { CallParsed } from '@copydesk/contract';
import { requireSeen } from '../../../../platform/audit/seen-version.ts';
import type { WriteTx } from '../../../../platform/db/database.ts';
import { requirePlainTexts } from '../../../../platform/http/plain-texts.ts';
import { Refusal } from '../../../../platform/refusal.ts';
import { lockBot, lockOffer, MOST_OFFERS, mustFind, refusingTaken } from './change-offer.ts';
import * as store from './offers.store.ts';
import { type Faq, findFaq, listFaqs, withoutBot } from './offers.views.ts';

/** Adds a question at the end of its language. @throws Refusal `not_found`, `text_refused`, `question_taken`, `too_many_offers` */
export async function addFaq(
  tx: WriteTx,
  botId: string,
  { language, question, answer }: CallParsed<'POST /api/exchange-bot/{id}/custom-faqs'>['body'],
): Promise<Faq> {
  requirePlainTexts({ question, answer });
  const bot = await lockBot(tx, botId);
  if ((await store.countOffers(tx, botId)).faqs >= MOST_OFFERS) throw new Refusal('too_many_offers');
  const id = randomUUID();
  const place = (await inLanguage(tx, botId, language)).length;
  await refusingTaken(store.insertFaq(tx, { id, bot_id: botId, language, place, question, answer }));
  tx.audit({
    action: 'exchange_bot.faq_added',
    target: { kind: 'community', id: bot.communityId },
    after: { language, question, answer },
  });
  return withoutBot(mustFind(await findFaq(tx, id)));
}

/** Changes a question, or moves it within its language. @throws Refusal `not_found`, `changed_meanwhile`, `text_refused`, `question_taken` */
export async function changeFaq(
  tx: WriteTx,
  id: string,
  { place, version: seen, ...wanted }: CallParsed<'PATCH /api/exchange-bot/custom-faqs/{id}'>['body'],
): Promise<Faq> {
  const { offer, bot } = await lockOffer(tx, () => findFaq(tx, id));
  const target = { kind: 'community', id: bot.communityId };
  // The bot is locked, so the question stays as it is.
  await requireSeen(tx, {
    target,
    actions: ['exchange_bot.faq_changed'],
    seen,
    version: offer.version,
    present: offer,
    wanted,
  });
  const texts = { question: wanted.question ?? offer.question, answer: wanted.answer ?? offer.answer };
  if (texts.question !== offer.question || texts.answer !== offer.answer) {
    requirePlainTexts(wanted);
    await refusingTaken(store.updateFaq(tx, id, texts));
  }
  if (place !== undefined) {
    const others = (await inLanguage(tx, offer.botId, offer.language)).filter((other) => other !== id);
    await store.orderFaqs(tx, others.toSpliced(place, 0, id));
  }
  const after = mustFind(await findFaq(tx, id));
  const shown = ({ question, answer, place: at }: Faq) => ({ question, answer, place: at });
  if (JSON.stringify(shown(offer)) !== JSON.stringify(shown(after)))
    tx.audit({
      action: 'exchange_bot.faq_changed',
      target,
      before: shown(offer),
      after: shown(after),
    });
  return withoutBot(after);
}

/** Deletes a question; the ones after it move up. @throws Refusal `not_found` */
export async function removeFaq(tx: WriteTx, id: string): Promise<void> {
  const { offer, bot } = await lockOffer(tx, () => findFaq(tx, id));
  await store.deleteFaq(tx, id);
  await store.orderFaqs(tx, await inLanguage(tx, offer.botId, offer.language));
  tx.audit({
    action: 'exchange_bot.faq_removed',
    target: { kind: 'community', id: bot.communityId },
    before: { language: offer.language, question: offer.question, answer: offer.answer },
  });
}

/** The ids of a language's questions, in order. */
async function inLanguage(tx: WriteTx, botId: string, language: string): Promise<string[]> {
  const faqs = await listFaqs(tx, botId);
  return faqs.filter((faq) => faq.language === language).map(({ id }) => id);
}
