-- Figures that monitoring reads every few seconds. Each index has only the few rows that a figure counts.

-- compatible: no version was released before, so these tables are small
CREATE INDEX payout_unfinished ON payout (status, problem) WHERE status <> 'distributed';
-- compatible: no version was released before, so these tables are small
CREATE INDEX exchange_account_failing ON exchange_account (exchange, read_error)
  WHERE removed_at IS NULL AND read_error IS NOT NULL;
-- compatible: no version was released before, so these tables are small
CREATE INDEX exchange_bot_message_failed ON exchange_bot_message (created_at) WHERE state = 'failed';
-- compatible: no version was released before, so these tables are small
CREATE INDEX billing_mail_failed ON billing_mail (created_at) WHERE state = 'failed';
