/** Why a Telegram bot does not work. */
export const BOT_PROBLEMS: Record<'refused' | 'unavailable' | 'unreadable', { label: string; text: string }> =
  {
    refused: {
      label: 'Token refused',
      text: 'Telegram does not accept the token any more. Replace it with the one that BotFather shows.',
    },
    unavailable: { label: 'No answer', text: 'Telegram could not be reached. Check the bot again later.' },
    unreadable: {
      label: 'Token unreadable',
      text: 'The stored token could not be decrypted: the key that sealed it is not configured. Replace the token.',
    },
  };
