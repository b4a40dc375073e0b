import { LANGUAGES, type Language } from '@copydesk/domain/catalogue';
import type { BotInput } from '@copydesk/domain/exchange-bot';
import type { TelegramUpdate, TelegramUser } from '../../../../integrations/telegram/gateway.ts';

/** What a person did in a private chat. */
export interface ReadUpdate {
  person: {
    telegramUserId: number;
    username: string | null;
    name: string | null;
    /** Null: not one of ours. */
    language: Language | null;
  };
  input: BotInput;
  /** When the person wrote; null: Telegram does not say when a button was pressed. */
  sentAt: Date | null;
  /** The press that Telegram waits for an answer to. */
  pressId: string | null;
}

const START = /^\/start(?:@\w+)?(?:\s+(\S+))?\s*$/;
/** A command does what its button does. */
const COMMAND = /^\/(prices|access|questions|language)(?:@\w+)?\s*$/;
const NAME_LENGTH = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL refuses NUL, and no name needs the others
const CONTROLS = /[\u0000-\u001f\u007f]/g;

/** Reads an update; null: of a group, a channel or another bot, where our bots are silent. */
export function readUpdate({ message, callback_query: press }: TelegramUpdate): ReadUpdate | null {
  const from = message?.from ?? press?.from;
  const chat = message?.chat ?? press?.message?.chat;
  if (!from || from.is_bot || chat?.type !== 'private') return null;
  const person = personOf(from);
  if (press)
    return {
      person,
      input: { kind: 'press', data: (press.data ?? '').slice(0, 64) },
      sentAt: null,
      pressId: press.id,
    };
  // A picture or a sticker has no text: the menu answers it.
  const text = message?.text ?? '';
  const start = START.exec(text);
  const command = COMMAND.exec(text)?.[1];
  const input: BotInput = start
    ? { kind: 'start', payload: start[1] ?? null }
    : command
      ? { kind: 'press', data: command }
      : { kind: 'text', text };
  const sentAt = message?.date === undefined ? null : new Date(message.date * 1_000);
  return { person, input, sentAt, pressId: null };
}

function personOf({
  id,
  username,
  first_name,
  last_name,
  language_code: code,
}: TelegramUser): ReadUpdate['person'] {
  const name = [first_name, last_name].filter(Boolean).join(' ').replace(CONTROLS, ' ').trim();
  return {
    telegramUserId: id,
    username: username?.slice(0, 64) || null,
    name: [...name].slice(0, NAME_LENGTH).join('') || null,
    // As in pt-BR: the language, then its region.
    language: LANGUAGES.find((language) => language === code?.split('-')[0]?.toLowerCase()) ?? null,
  };
}
