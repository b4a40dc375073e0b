-- For the list of what all bots wrote, newest first.
CREATE INDEX CONCURRENTLY exchange_bot_message_by_created ON exchange_bot_message (created_at DESC, id);
