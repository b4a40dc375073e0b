import { createHash } from 'node:crypto';
import { cleanLine } from '@copydesk/domain/text';
import type { TelegramUpdate, TelegramUser } from '../../../integrations/telegram/gateway.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import type { Keyring } from '../../../platform/secrets/keyring.ts';
import { queueMail } from '../../../platform/work/mail/mailer.ts';
import { useMailAgain } from '../mail/attention-mail.store.ts';
import {
  type Chat,
  deleteChat,
  listPeopleOf,
  saveChat,
  takeRequest,
  wasConnectedBy,
} from './person-chat.store.ts';
import { hadLinkAnswer, queuePersonMessage } from './person-messages.store.ts';

/** A link of the settings has 32 random bytes: other links to the bot are none of ours. */
const START = /^\/start(?:@\w+)? ([\w-]{43})$/;
const STOP = /^\/stop(?:@\w+)?$/;
const NAME_LENGTH = 64;

/** What the database has of a code. */
export const hashOfCode = (code: string): Buffer => createHash('sha256').update(code).digest();

export interface HearDeps {
  /** Null: no e-mail is sent. */
  keyring: Keyring | null;
  /** Origin of the console. */
  origin: string;
  now: () => Date;
}

/**
 * Reads what a person writes to the platform's bot about its own chat.
 * @returns what comes of it, for the transaction that handles the update; null: it is about something else, or not from
 * a person in a private chat
 */
export function hearPerson(
  deps: HearDeps,
  { update_id: updateId, message }: TelegramUpdate,
  botTelegramId: string,
): ((tx: WriteTx) => Promise<void>) | null {
  const from = message?.from;
  if (!from || from.is_bot || message.chat.type !== 'private' || message.chat.id !== from.id) return null;
  const text = message.text?.trim() ?? '';
  const code = START.exec(text)?.[1];
  const chat = { telegramUserId: from.id, name: nameOf(from), botTelegramId };
  if (code !== undefined) return (tx) => connect(tx, deps, chat, hashOfCode(code));
  if (STOP.test(text)) return (tx) => disconnect(tx, deps, { ...chat, updateId });
  return null;
}

/** What a chat is called on screen: strangers choose it, so it is one line without anything invisible. */
function nameOf({ username, first_name }: TelegramUser): string | null {
  if (username !== undefined && /^\w{1,32}$/.test(username)) return `@${username}`;
  const plain = cleanLine(first_name.replace(/[\s\p{C}]+/gu, ' '));
  return [...plain].slice(0, NAME_LENGTH).join('').trim() || null;
}

async function connect(tx: WriteTx, { keyring, origin, now }: HearDeps, chat: Chat, codeHash: Buffer) {
  const at = now();
  const { telegramUserId, name } = chat;
  const taken = await takeRequest(tx, codeHash, at);
  if (!taken) {
    // A stranger must not be able to make the bot write without bound.
    if ((await wasConnectedBy(tx, codeHash, telegramUserId)) || (await hadLinkAnswer(tx, telegramUserId, at)))
      return;
    return queuePersonMessage(
      tx,
      {
        userId: null,
        kind: 'link_over',
        telegramUserId,
        text: 'This link is no longer valid. Ask for a new one in your settings.',
        dedupeKey: `link_over:${telegramUserId}:${at.toISOString()}`,
      },
      at,
    );
  }
  const { userId, email } = taken;
  await saveChat(tx, userId, { ...chat, codeHash }, at);
  await queuePersonMessage(
    tx,
    {
      userId,
      kind: 'connected',
      telegramUserId,
      text: `This chat now receives what waits for you at ${origin}, once you choose Telegram in your settings. Write /stop to end it.`,
      dedupeKey: `connected:${codeHash.toString('hex')}`,
    },
    at,
  );
  tx.audit({
    action: 'user.telegram_connected',
    target: { kind: 'user', id: userId },
    after: { telegram_name: name },
  });
  // Who pressed the link reads from now on what waits for the person, who must know.
  if (keyring && email !== '')
    await queueMail(
      tx,
      { keyring, at },
      {
        kind: 'account_changed',
        to: email,
        subject: 'A Telegram chat was connected with your Copydesk account',
        text: `A chat with the platform's bot was connected with your account. It can receive what waits for you.\n\nIf it was not you, disconnect it in your settings, end your sessions in your profile, and ask a super admin at once:\n${origin}/preferences\n`,
      },
    );
}

async function disconnect(
  tx: WriteTx,
  { now }: HearDeps,
  { telegramUserId, botTelegramId, updateId }: Chat & { updateId: number },
) {
  const people = await listPeopleOf(tx, telegramUserId);
  if (people.length === 0) return;
  for (const userId of people) await forgetChat(tx, userId);
  const at = now();
  await queuePersonMessage(
    tx,
    {
      userId: null,
      kind: 'disconnected',
      telegramUserId,
      text: 'This chat is disconnected, and receives nothing more.',
      dedupeKey: `disconnected:${botTelegramId}:${updateId}:${at.toISOString()}`,
    },
    at,
  );
}

/** Forgets the chat of a person, who gets mails again. Repeated, it has no effect. */
export async function forgetChat(tx: WriteTx, userId: string): Promise<void> {
  // First the row that whoever writes a message holds: what it queued before is deleted with the others.
  await useMailAgain(tx, userId);
  const forgotten = await deleteChat(tx, userId);
  if (forgotten)
    tx.audit({
      action: 'user.telegram_disconnected',
      target: { kind: 'user', id: userId },
      before: { telegram_name: forgotten.name },
    });
}
