-- Traders whose keys an exchange refuses are asked for new ones, alone or many at once.

-- compatible: the constraint that follows takes every row of this one
ALTER TABLE message DROP CONSTRAINT message_kind_check;
ALTER TABLE message ADD CONSTRAINT message_kind_check CHECK (kind IN ('invoice_created', 'invoice_due_soon',
  'invoice_overdue', 'invoice_paid', 'unpaid_invoices', 'wallet_changed', 'withdrawal_ordered', 'wallet_confirmed',
  'wallet_disowned', 'wallet_no_effect', 'withdrawal_needs_address', 'withdrawal_refused', 'withdraw_funds',
  'withdraw_reminder', 'withdrawal_cancelled', 'trial_ending', 'payment_failed', 'grace_ending', 'subscription_ended',
  'key_failing')) NOT VALID;
-- compatible: as above
ALTER TABLE bulk_act DROP CONSTRAINT bulk_act_act_check;
ALTER TABLE bulk_act ADD CONSTRAINT bulk_act_act_check CHECK (act IN ('status', 'read', 'notify', 'ask_key')) NOT VALID;
-- compatible: as above
ALTER TABLE bulk_act_row DROP CONSTRAINT bulk_act_row_reason_check;
ALTER TABLE bulk_act_row ADD CONSTRAINT bulk_act_row_reason_check CHECK (reason IN ('has_status', 'no_accounts',
  'nothing_unpaid', 'keys_work', 'not_reachable', 'told_lately', 'changed_meanwhile', 'gone', 'access_changed')) NOT VALID;
