-- What booking and marking take for granted of every invoice, imported ones included.

SELECT set_config('copydesk.scope', 'all', true), set_config('copydesk.bulk', 'on', true);

-- What is open is owed in part at least: an invoice that is not could neither be paid nor settled, and no other payment
-- of its trader could be booked past it. What was paid on chain was paid in full: its tips go above that.
ALTER TABLE invoice
  ADD CONSTRAINT invoice_open_is_owed CHECK (status <> 'pending' OR paid_units < amount_units),
  ADD CONSTRAINT invoice_paid_on_chain_in_full CHECK (settled_by <> 'chain' OR paid_units >= amount_units);

-- A trader gets its address while it is locked without its key, which others hold who file something under it. To
-- change what a foreign key could name takes the key as well; a partial index is none that a foreign key could name.
ALTER TABLE trader DROP CONSTRAINT trader_deposit_address_key;
CREATE UNIQUE INDEX trader_deposit_address_key ON trader (deposit_address) WHERE deposit_address IS NOT NULL;
