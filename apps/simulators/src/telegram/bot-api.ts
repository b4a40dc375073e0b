import type { VenueRequest } from '../venues/venue.ts';
import { accept, type BotAnswer, badRequest, refuse } from './bot-answer.ts';
import type { Bots, SimulatedBot } from './bots.ts';
import { integerOf, type Parameters, readParameters, textOf, textsOf } from './read-parameters.ts';
import { sendMessage, sendPhoto } from './send-message.ts';

const MOST_UPDATES = 100;

type Method = (given: Parameters, bot: SimulatedBot, now: () => number) => BotAnswer | Promise<BotAnswer>;

const METHODS: Record<string, Method> = {
  getme: (_, { id, name, username }) => accept({ id, is_bot: true, first_name: name, username }),
  sendmessage: sendMessage,
  sendphoto: sendPhoto,
  getupdates: (given, bot) =>
    bot.updates.poll({
      offset: integerOf(given.offset, 0),
      limit: Math.max(1, integerOf(given.limit, MOST_UPDATES)),
      timeoutS: integerOf(given.timeout, 0),
      kinds: textsOf(given.allowed_updates),
    }),
  setwebhook(given, bot) {
    bot.updates.setWebhook(textOf(given.url) ?? '');
    return accept(true);
  },
  deletewebhook(given, bot) {
    bot.updates.setWebhook('');
    if (given.drop_pending_updates === true || given.drop_pending_updates === 'true') bot.updates.drop();
    return accept(true);
  },
  getwebhookinfo: (_, bot) => accept({ has_custom_certificate: false, ...bot.updates.webhook() }),
  answercallbackquery: (given, bot) =>
    bot.presses.delete(textOf(given.callback_query_id) ?? '')
      ? accept(true)
      : badRequest('query is too old and response timeout expired or query ID is invalid'),
  setmycommands(given, bot) {
    const text = textOf(given.commands);
    const commands = text === null ? given.commands : JSON.parse(text);
    if (!Array.isArray(commands)) return badRequest("can't parse commands");
    bot.commands.set(textOf(given.language_code) ?? '', commands);
    return accept(true);
  },
};

/** The method of a request, in lower case, and its parameters; null when its path is not one of the Bot API. */
export async function readCall(request: VenueRequest) {
  const [, token, method] = /^\/bot(\d+:[\w-]+)\/(\w+)$/.exec(request.path) ?? [];
  if (token === undefined || method === undefined) return null;
  const parameters = await readParameters(request);
  return { token, method: method.toLowerCase(), parameters, chatId: textOf(parameters?.chat_id) };
}
export type BotCall = NonNullable<Awaited<ReturnType<typeof readCall>>>;

/** Checks and answers a call like the Bot API (core.telegram.org/bots/api#making-requests). */
export async function answerCall(call: BotCall | null, bots: Bots, now: () => number): Promise<BotAnswer> {
  if (!call) return refuse(404, 'Not Found');
  const bot = bots.find(call.token);
  if (!bot) return refuse(401, 'Unauthorized');
  const method = METHODS[call.method];
  if (!method) return refuse(404, 'Not Found: method not found');
  if (!call.parameters) return badRequest("can't parse the request");
  return method(call.parameters, bot, now);
}
