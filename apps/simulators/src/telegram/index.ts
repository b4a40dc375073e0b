export type { Outbox, ReceivedMessage } from './outbox.ts';
export type { Acting, Person } from './people.ts';
export { type RunningTelegram, startTelegram, type TelegramOptions } from './start-telegram.ts';
export type { TelegramFault } from './telegram-faults.ts';
