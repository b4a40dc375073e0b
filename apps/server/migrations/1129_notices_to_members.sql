-- Members of pools are told of a changed wallet, and of a withdrawal before it is paid.

-- Old rows have earlier kinds, so nothing has to be read.
ALTER TABLE message DROP CONSTRAINT message_kind_check,
  ADD CONSTRAINT message_kind_check CHECK (kind IN ('invoice_created', 'invoice_due_soon', 'invoice_overdue',
    'invoice_paid', 'unpaid_invoices', 'wallet_changed', 'withdrawal_ordered', 'withdraw_funds', 'withdraw_reminder',
    'withdrawal_cancelled', 'trial_ending', 'payment_failed', 'grace_ending', 'subscription_ended')) NOT VALID;

CREATE TRIGGER withdrawal_ordered AFTER INSERT OR UPDATE OF order_id ON pool_withdrawal
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();
