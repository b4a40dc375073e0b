-- For what all bots wrote to a person that is searched for.
CREATE INDEX CONCURRENTLY exchange_bot_message_by_person ON exchange_bot_message (bot_id, telegram_user_id, created_at DESC);
