/** The actor of what people do through a bot: the person is the buyer of the order. */
export const BOT_ACTOR = { kind: 'system', id: 'exchange-bot', name: 'exchange bot' } as const;
