-- Owners of communities are sent the link to the page where they pay for their subscription.

-- compatible: the constraint that follows takes every row of this one
ALTER TABLE message DROP CONSTRAINT message_kind_check;
ALTER TABLE message ADD CONSTRAINT message_kind_check CHECK (kind IN ('invoice_created', 'invoice_due_soon',
  'invoice_overdue', 'invoice_paid', 'invoice_recalled', 'unpaid_invoices', 'wallet_changed', 'withdrawal_ordered',
  'wallet_confirmed', 'wallet_disowned', 'wallet_no_effect', 'withdrawal_needs_address', 'withdrawal_refused',
  'withdraw_funds', 'withdraw_reminder', 'withdrawal_cancelled', 'trial_ending', 'payment_failed', 'grace_ending',
  'subscription_ended', 'payment_link', 'key_failing', 'key_ending')) NOT VALID;
ALTER TABLE message VALIDATE CONSTRAINT message_kind_check;
