import type { Keyboard } from './gateway.ts';

/** Buttons as the Bot API takes them (core.telegram.org/bots/api#inlinekeyboardmarkup); null: none. */
export const markupOf = (keyboard: Keyboard | null) =>
  keyboard && {
    reply_markup: {
      inline_keyboard: keyboard.map((row) =>
        row.map(({ text: label, data }) => ({ text: label, callback_data: data })),
      ),
    },
  };
