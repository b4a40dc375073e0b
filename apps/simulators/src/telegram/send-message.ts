import { accept, type BotAnswer, badRequest, refuse, tooMany } from './bot-answer.ts';
import type { SimulatedBot } from './bots.ts';
import type { ReceivedButton } from './outbox.ts';
import { parseHtml } from './parse-html.ts';
import { type Parameters, textOf } from './read-parameters.ts';

const TEXT_LENGTH = 4_096;
const CAPTION_LENGTH = 1_024;
const DATA_BYTES = 64;
/** Not in the documents: what the Bot API was seen to refuse. */
const MOST_BUTTONS = 100;
const MARKUP_BYTES = 10_240;

/** Answers sendMessage (core.telegram.org/bots/api#sendmessage). */
export function sendMessage(given: Parameters, bot: SimulatedBot, now: () => number): BotAnswer {
  const parsed = readText(given, textOf(given.text) ?? '');
  if ('status' in parsed) return parsed;
  if (parsed.text.trim() === '') return badRequest('message text is empty');
  if (parsed.text.length > TEXT_LENGTH) return badRequest('message is too long');
  return deliver(given, parsed, bot, now);
}

/** Answers sendPhoto (core.telegram.org/bots/api#sendphoto); pictures have to be uploaded. */
export function sendPhoto(given: Parameters, bot: SimulatedBot, now: () => number): BotAnswer {
  const parsed = readText(given, textOf(given.caption) ?? '');
  if ('status' in parsed) return parsed;
  if (parsed.text.length > CAPTION_LENGTH) return badRequest('message caption is too long');
  const name = typeof given.photo === 'string' ? given.photo.replace(/^attach:\/\//, '') : 'photo';
  const photo = given[name];
  if (!Buffer.isBuffer(photo)) return badRequest('there is no photo in the request');
  // The first bytes of a PNG and a JPEG.
  if (!/^(89504e470d0a1a0a|ffd8ff)/.test(photo.subarray(0, 8).toString('hex')))
    return badRequest('IMAGE_PROCESS_FAILED');
  return deliver(given, { ...parsed, photo: photo.toString('base64') }, bot, now);
}

function readText(given: Parameters, html: string): { html: string; text: string } | BotAnswer {
  if (!textOf(given.chat_id)) return badRequest('chat_id is empty');
  const parseMode = textOf(given.parse_mode);
  if (parseMode !== null && parseMode.toLowerCase() !== 'html') return badRequest('unsupported parse_mode');
  const parsed = parseMode === null ? { text: html } : parseHtml(html);
  if ('problem' in parsed) return badRequest(`can't parse entities: ${parsed.problem}`);
  return { html, text: parsed.text };
}

function deliver(
  given: Parameters,
  message: { html: string; text: string; photo?: string },
  bot: SimulatedBot,
  now: () => number,
): BotAnswer {
  const chatId = textOf(given.chat_id) as string;
  const keyboard = readKeyboard(given.reply_markup);
  if (typeof keyboard === 'string') return badRequest(keyboard);
  const state = bot.stateOf(chatId);
  if (state === null) return badRequest('chat not found');
  if (state === 'blocked') return refuse(403, 'Forbidden: bot was blocked by the user');
  const waitS = bot.limits.take(chatId);
  if (waitS > 0) return tooMany(waitS);
  const at = now();
  const { message_id } = bot.outbox.add({ chat_id: chatId, ...message, ...(keyboard && { keyboard }), at });
  return accept({
    message_id,
    date: Math.floor(at / 1000),
    chat: { id: Number(chatId), type: 'private' },
    ...(message.photo === undefined ? { text: message.text } : { caption: message.text }),
  });
}

/** The buttons under a message, or the error in them; null: none. */
function readKeyboard(given: unknown): ReceivedButton[][] | string | null {
  const markup = typeof given === 'string' ? parseJson(given) : given;
  if (markup === undefined || markup === null) return null;
  const rows = (markup as { inline_keyboard?: unknown }).inline_keyboard;
  if (!Array.isArray(rows) || !rows.every(Array.isArray)) return 'object expected as reply markup';
  if (rows.flat().length > MOST_BUTTONS || Buffer.byteLength(JSON.stringify(markup)) > MARKUP_BYTES)
    return 'REPLY_MARKUP_TOO_LONG';
  for (const button of rows.flat() as Partial<ReceivedButton>[]) {
    if (typeof button.text !== 'string' || button.text === '')
      return 'text buttons are unallowed in the inline keyboard';
    if (typeof button.callback_data !== 'string' && typeof button.url !== 'string')
      return 'text buttons are unallowed in the inline keyboard';
    const bytes = Buffer.byteLength(button.callback_data ?? 'x');
    if (bytes < 1 || bytes > DATA_BYTES) return 'BUTTON_DATA_INVALID';
  }
  return rows as ReceivedButton[][];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
