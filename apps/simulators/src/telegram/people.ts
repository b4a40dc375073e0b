import type { SimulatedBot } from './bots.ts';
import type { ReceivedMessage } from './outbox.ts';

/** A person as the Bot API describes one (core.telegram.org/bots/api#user). */
export interface Person {
  id: number;
  first_name?: string;
  last_name?: string;
  username?: string;
  language_code?: string;
}

/** What one person does with one bot, and gets from it. */
export interface Acting {
  /** Writes in the private chat, which opens it; or in a group. */
  write(text: string, chat?: { id: number; type: 'group' | 'supergroup' }): void;
  /** Presses the button with this data under the latest message that has it. @throws when no message has it */
  press(data: string): void;
  block(): void;
  received(): ReceivedMessage[];
}

let lastPress = 0;

/** Lets a person act in the chat with a bot. */
export function actAs(bot: SimulatedBot, person: Person, now: () => number): Acting {
  const chatId = String(person.id);
  const from = { is_bot: false, first_name: `Person ${person.id}`, ...person };
  const privateChat = { id: person.id, type: 'private', first_name: from.first_name };
  const date = () => Math.floor(now() / 1000);
  const received = () => bot.outbox.list().filter((message) => message.chat_id === chatId);

  return {
    write(text, chat) {
      if (!chat) bot.people.set(chatId, 'open');
      const command = /^\/\w+/.exec(text)?.[0];
      bot.updates.add({
        message: {
          message_id: bot.outbox.nextId(),
          from,
          chat: chat ?? privateChat,
          date: date(),
          text,
          ...(command && { entities: [{ type: 'bot_command', offset: 0, length: command.length }] }),
        },
      });
    },
    press(data) {
      const under = received().findLast(({ keyboard }) =>
        keyboard?.some((row) => row.some((button) => button.callback_data === data)),
      );
      if (!under) throw new Error(`no message to ${chatId} has a button with ${data}`);
      lastPress += 1;
      const id = `${lastPress}`;
      bot.presses.add(id);
      bot.updates.add({
        callback_query: {
          id,
          from,
          chat_instance: chatId,
          data,
          message: { message_id: under.message_id, chat: privateChat, date: date(), text: under.text },
        },
      });
    },
    block: () => void bot.people.set(chatId, 'blocked'),
    received,
  };
}
