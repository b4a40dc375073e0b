import type { VenueRequest } from '../venues/venue.ts';
import type { ChatState } from '../world/index.ts';
import { accept, type BotAnswer, badRequest, refuse, tooMany } from './bot-answer.ts';
import type { MessageLimits } from './message-limits.ts';
import type { createOutbox } from './outbox.ts';
import { parseHtml } from './parse-html.ts';
import { type Parameters, readParameters } from './read-parameters.ts';

const TEXT_LENGTH = 4_096;
/** Bots that people connect to communities in the demo world: every token of this form is one. */
const DEMO_TOKEN = /^\d+:demo-/;

export interface BotParts {
  token: string;
  chats: { stateOf(chatId: string): ChatState };
  limits: MessageLimits;
  outbox: ReturnType<typeof createOutbox>;
  now: () => number;
}

/** The method of a request, in lower case, and its parameters; null when its path is not one of the Bot API. */
export function readCall(request: VenueRequest) {
  const [, token, method] = /^\/bot(\d+:[\w-]+)\/(\w+)$/.exec(request.path) ?? [];
  if (token === undefined || method === undefined) return null;
  const parameters = readParameters(request);
  return { token, method: method.toLowerCase(), parameters, chatId: textOf(parameters?.chat_id) };
}
export type BotCall = NonNullable<ReturnType<typeof readCall>>;

/** Checks and answers a call like the Bot API (core.telegram.org/bots/api#making-requests). */
export function answerCall(call: BotCall | null, bot: BotParts): BotAnswer {
  if (!call) return refuse(404, 'Not Found');
  const id = Number(call.token.split(':')[0]);
  if (DEMO_TOKEN.test(call.token) && call.method === 'getme')
    return accept({ id, is_bot: true, first_name: `Demo Bot ${id}`, username: `demo_${id}_bot` });
  // These bots belong to communities, and people of the demo world have not started them.
  if (DEMO_TOKEN.test(call.token) && call.method === 'sendmessage') return badRequest('chat not found');
  if (call.token !== bot.token) return refuse(401, 'Unauthorized');
  if (call.method === 'getme')
    return accept({ id, is_bot: true, first_name: 'Copydesk', username: 'copydesk_demo_bot' });
  if (call.method !== 'sendmessage') return refuse(404, 'Not Found: method not found');
  if (!call.parameters) return badRequest("can't parse the request");
  return sendMessage(call.parameters, call.chatId, bot);
}

function sendMessage(given: Parameters, chatId: string | null, bot: BotParts): BotAnswer {
  if (!chatId) return badRequest('chat_id is empty');
  const html = textOf(given.text) ?? '';
  const parseMode = textOf(given.parse_mode);
  if (parseMode !== null && parseMode.toLowerCase() !== 'html') return badRequest('unsupported parse_mode');
  const parsed = parseMode === null ? { text: html } : parseHtml(html);
  if ('problem' in parsed) return badRequest(`can't parse entities: ${parsed.problem}`);
  if (parsed.text.trim() === '') return badRequest('message text is empty');
  if (parsed.text.length > TEXT_LENGTH) return badRequest('message is too long');
  const state = bot.chats.stateOf(chatId);
  if (state === null) return badRequest('chat not found');
  if (state === 'blocked') return refuse(403, 'Forbidden: bot was blocked by the user');
  const waitS = bot.limits.take(chatId);
  if (waitS > 0) return tooMany(waitS);
  const at = bot.now();
  const { message_id } = bot.outbox.add({ chat_id: chatId, html, text: parsed.text, at });
  return accept({
    message_id,
    date: Math.floor(at / 1000),
    chat: { id: Number(chatId), type: 'private' },
    text: parsed.text,
  });
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null;
