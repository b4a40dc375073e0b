const FIRST_CHAT = 100_000_000;
const CHAT_STEP = 37;
/** One trader in this many has blocked the bot. */
const BLOCKED_ONE_IN = 29;

/** The state of a chat; null: Telegram has none with that id. */
export type ChatState = 'open' | 'blocked' | null;

/** The Telegram id of a trader by number. */
export function telegramUserIdOf(index: number): string {
  return String(FIRST_CHAT + index * CHAT_STEP);
}

const FIRST_OWNER_CHAT = 500_000_000;

/** The Telegram id of a pool's owner by number. */
export const ownerTelegramUserIdOf = (index: number): string => String(FIRST_OWNER_CHAT + index);

/** Owners do not pay invoices: an amount in a message to them is no debt. */
export const isOwnerChat = (chatId: string): boolean => Number(chatId) > FIRST_OWNER_CHAT;

/** The chats of a world with this many traders and pools. */
export function createChats(count: number, pools = 0): { stateOf(chatId: string): ChatState } {
  return {
    stateOf(chatId) {
      const owner = Number(chatId) - FIRST_OWNER_CHAT;
      if (owner >= 1 && owner <= pools) return 'open';
      const index = (Number(chatId) - FIRST_CHAT) / CHAT_STEP;
      if (!Number.isInteger(index) || index < 1 || index > count) return null;
      return index % BLOCKED_ONE_IN === 0 ? 'blocked' : 'open';
    },
  };
}

/** The token of another bot than the platform's, such as that of a community. */
export const demoBotToken = (id: number): string => `${id}:demo-token-of-this-bot`;
