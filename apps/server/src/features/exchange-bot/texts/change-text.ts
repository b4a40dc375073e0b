import type { CallAnswer, CallParsed } from '@copydesk/contract';
import {
  BOT_TEXT_KEYS,
  BOT_TEXTS,
  type BotTextKey,
  type BotTextProblem,
  findTextProblem,
  type Language,
} from '@copydesk/domain';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { ApiError } from '../../../platform/http/api-error.ts';
import { findBotForUpdate } from '../bot/bots.store.ts';
import { DEFAULT_BOT_TEXTS } from './defaults/defaults.ts';
import { listOwnTexts, saveOwnText } from './texts.store.ts';

type BotText = CallAnswer<'GET /api/exchange-bot/{id}/texts'>['data'][number];

const textOf = (language: Language, key: BotTextKey, text: string | null): BotText => ({
  key,
  kind: BOT_TEXTS[key].kind,
  placeholders: [...BOT_TEXTS[key].placeholders],
  required: [...BOT_TEXTS[key].required],
  default_text: DEFAULT_BOT_TEXTS[language][key],
  text,
});

/** Every text of a bot in a language. */
export async function listTexts(tx: Tx, botId: string, language: Language): Promise<BotText[]> {
  const own = await listOwnTexts(tx, botId, language);
  return BOT_TEXT_KEYS.map((key) => textOf(language, key, own.get(key) ?? null));
}

/** Writes a text of a bot, or goes back to the default. @throws ApiError `not_found`, `validation_failed` */
export async function changeText(
  tx: WriteTx,
  botId: string,
  { language, key, text }: CallParsed<'PUT /api/exchange-bot/{id}/texts'>['body'],
): Promise<BotText> {
  const bot = await findBotForUpdate(tx, botId);
  if (!bot) throw new ApiError('not_found');
  const problem = text === null ? null : findTextProblem(key, text);
  if (problem) {
    const message = wordsFor(problem);
    throw new ApiError('validation_failed', { message, details: [{ path: 'text', message }] });
  }
  const before = (await listOwnTexts(tx, botId, language)).get(key) ?? null;
  if (before !== text) {
    await saveOwnText(tx, { botId, language, key, text });
    tx.audit({
      action: 'exchange_bot.text_changed',
      target: { kind: 'community', id: bot.communityId },
      before: { language, key, text: before },
      after: { language, key, text },
    });
  }
  return textOf(language, key, text);
}

function wordsFor(problem: BotTextProblem): string {
  switch (problem.code) {
    case 'empty':
      return 'The text is empty';
    case 'too_long':
      return `Use at most ${problem.most} characters`;
    case 'control_characters':
      return 'The text contains characters that cannot be shown';
    case 'several_lines':
      return 'The label of a button is one line';
    case 'unknown_placeholder':
      return `{${problem.name}} is not a value of this text`;
    case 'missing_placeholder':
      return `The text has to contain {${problem.name}}`;
  }
}
