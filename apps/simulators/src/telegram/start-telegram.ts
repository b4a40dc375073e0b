import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { readRequest } from '../venues/http/read-request.ts';
import { sendAnswer, sendMalformed } from '../venues/http/send-answer.ts';
import { serve } from '../venues/http/serve.ts';
import type { ChatState } from '../world/index.ts';
import { refuse, tooMany } from './bot-answer.ts';
import { answerCall, readCall } from './bot-api.ts';
import { createBots } from './bots.ts';
import { answerControlRequest } from './control-route.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { type Acting, actAs, type Person } from './people.ts';
import { createTelegramFaults, type TelegramFaults } from './telegram-faults.ts';

export interface TelegramOptions {
  /** The platform's bot. Besides it, every token with `:demo-` after its digits is a bot. */
  token: string;
  chats: { stateOf(chatId: string): ChatState };
  /** Telegram's clock, in ms since 1970. */
  now?: () => number;
  /** 0: any free port. */
  port?: number;
  /** False: a bot may send without limits. */
  hasLimits?: boolean;
}

export interface RunningTelegram {
  /** As in http://127.0.0.1:4106, in place of https://api.telegram.org. */
  url: string;
  faults: TelegramFaults;
  /** What the platform's bot has sent. */
  outbox: Outbox;
  /** Accepts one more token. */
  addBot(token: string): void;
  /** Refuses a token from now on, as after another one was issued. */
  revoke(token: string): void;
  /** The menu of commands of the bot of a token, for a language; empty: for everyone else. */
  commandsOf(token: string, language: string): readonly { command: string; description: string }[];
  /** A person in front of the bot of a token. @throws when there is no such bot */
  person(token: string, person: Person): Acting;
  /** The webhook of a bot, which another program may set. */
  setWebhook(token: string, url: string): void;
  close(): Promise<void>;
}

/** Starts a simulated Bot API on a port of its own. */
export async function startTelegram(options: TelegramOptions): Promise<RunningTelegram> {
  const { token, chats, now = Date.now, port = 0, hasLimits = true } = options;
  const outbox = createOutbox();
  const faults = createTelegramFaults();
  const bots = createBots({ token, chats, outbox, hasLimits, now });
  const botOf = (given: string) => {
    const bot = bots.find(given);
    if (!bot) throw new Error('no bot has this token');
    return bot;
  };

  async function answerRequest(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    if (!request) return sendAnswer(response, refuse(413, 'Request Entity Too Large'));
    const control = answerControlRequest(request, { outbox, faults, bots, now });
    if (control) return sendAnswer(response, control);
    const call = await readCall(request);
    const met = faults.meet(call?.chatId ?? null, call?.method ?? '');
    for (const { kind, ms = 1000 } of met) if (kind === 'latency') await pause(ms, undefined, { ref: false });
    const fault = met.find(({ kind }) => kind !== 'latency');
    if (fault?.kind === 'timeout') return;
    if (fault?.kind === 'down') return void response.destroy();
    if (fault?.kind === 'server_error') return sendAnswer(response, refuse(502, 'Bad Gateway'));
    if (fault?.kind === 'rate_limit')
      return sendAnswer(response, tooMany(Math.ceil((fault.ms ?? 1000) / 1000)));
    if (fault?.kind === 'malformed') return sendMalformed(response, refuse(502, 'Bad Gateway'), 'html');
    const answer = await answerCall(call, bots, now);
    if (fault?.kind === 'lost_answer') response.destroy();
    else sendAnswer(response, answer);
  }

  const server = await serve(answerRequest, { port });
  return {
    url: server.url,
    faults,
    outbox,
    addBot: bots.add,
    revoke: bots.revoke,
    commandsOf: (given, language) => botOf(given).commands.get(language) ?? [],
    person: (given, person) => actAs(botOf(given), person, now),
    setWebhook: (given, url) => botOf(given).updates.setWebhook(url),
    close() {
      bots.close();
      return server.close();
    },
  };
}
