-- Members of pools are asked for a missing payout address, and are told of a withdrawal that was refused.

-- Old rows have earlier kinds; the next migration reads them, without a lock that others wait for.
ALTER TABLE message DROP CONSTRAINT message_kind_check,
  ADD CONSTRAINT message_kind_check CHECK (kind IN ('invoice_created', 'invoice_due_soon', 'invoice_overdue',
    'invoice_paid', 'unpaid_invoices', 'wallet_changed', 'withdrawal_ordered', 'wallet_confirmed', 'wallet_disowned',
    'wallet_no_effect', 'withdrawal_needs_address', 'withdrawal_refused', 'withdraw_funds', 'withdraw_reminder',
    'withdrawal_cancelled', 'trial_ending', 'payment_failed', 'grace_ending', 'subscription_ended')) NOT VALID;
