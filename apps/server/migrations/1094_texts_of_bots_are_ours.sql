-- What bots say is ours: whoever could write their texts could name another address to pay to.

COMMENT ON TABLE exchange_bot_text IS
  'Texts of a bot in place of ours, for the version before. No later version reads them.';
-- Telegram's menu shows the labels of buttons, and gets ours.
UPDATE exchange_bot_reading r SET commands_wanted = commands_wanted + 1
WHERE EXISTS (SELECT FROM exchange_bot_text t WHERE t.bot_id = r.bot_id AND starts_with(t.key, 'button_'));
