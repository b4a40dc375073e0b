/** Refusals about items that need attention. */
export const attentionErrors = {
  attention_gone: {
    status: 409,
    message: 'This needs no attention any more, or its cause has changed. Look at the list again.',
  },
  attention_taken: {
    status: 409,
    message: 'Someone else changed who attends to this meanwhile. Look at the list again.',
  },
  attention_not_theirs: {
    status: 400,
    message: 'This person does not see it, or no longer has access. Hand it over to someone else.',
  },
  attention_urgent: {
    status: 409,
    message: 'Money or trust is at stake: this cannot be snoozed. Take it or hand it over.',
  },
  telegram_not_connected: {
    status: 409,
    message: 'No chat is connected. Connect Telegram first.',
  },
  telegram_no_bot: {
    status: 409,
    message: 'The platform has no bot that works at the moment. Try again later, or ask its operator.',
  },
  snooze_too_long: { status: 400, message: 'Choose an end between now and 30 days from now' },
} as const;
