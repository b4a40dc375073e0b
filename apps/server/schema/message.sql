-- Written by `npm run generate` from a migrated database. Do not edit.

-- Messages to traders, written in the transaction of the fact they report and sent afterwards.
CREATE TABLE message (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  trader_id uuid,
  -- The provider whose staff may read it. NULL: it covers invoices of several providers.
  provider_id uuid,
  invoice_id uuid,
  kind text NOT NULL,
  language text NOT NULL,
  -- The text as sent; never changed.
  text text NOT NULL,
  -- Prevents a second message about the same fact.
  dedupe_key text NOT NULL,
  state text NOT NULL DEFAULT 'queued',
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  leased_until timestamptz,
  lease_number bigint NOT NULL DEFAULT 0,
  -- Why the last attempt failed: a code of ours; problem_detail has the answer of the Bot API.
  problem text,
  problem_detail text,
  telegram_message_id bigint,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  -- The community whose owner it is for; NULL: it is for a trader.
  community_id uuid,
  -- The run that issued its invoice; NULL: none, or one of before.
  invoicing_run_id uuid,
  CONSTRAINT message_addressee CHECK (num_nonnulls(trader_id, community_id) = 1),
  CONSTRAINT message_check CHECK ((state = 'sent') = (sent_at IS NOT NULL)),
  CONSTRAINT message_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id) ON DELETE RESTRICT,
  CONSTRAINT message_dedupe_key_key UNIQUE (dedupe_key),
  CONSTRAINT message_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoice(id),
  CONSTRAINT message_kind_check
    CHECK (kind = ANY (ARRAY['invoice_created', 'invoice_due_soon', 'invoice_overdue', 'invoice_paid',
    'invoice_recalled', 'unpaid_invoices', 'wallet_changed', 'withdrawal_ordered', 'wallet_confirmed',
    'wallet_disowned', 'wallet_no_effect', 'withdrawal_needs_address', 'withdrawal_refused', 'withdraw_funds',
    'withdraw_reminder', 'withdrawal_cancelled', 'trial_ending', 'payment_failed', 'grace_ending',
    'subscription_ended', 'payment_link', 'key_failing', 'key_ending'])),
  CONSTRAINT message_language_check CHECK (language = ANY (ARRAY['en', 'es', 'ar', 'pl', 'ru'])),
  CONSTRAINT message_pkey PRIMARY KEY (id),
  CONSTRAINT message_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  CONSTRAINT message_state_check CHECK (state = ANY (ARRAY['queued', 'sent', 'failed'])),
  CONSTRAINT message_text_check CHECK (text <> ''),
  CONSTRAINT message_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE
);

CREATE INDEX message_by_community ON message (community_id, created_at DESC) WHERE community_id IS NOT NULL;
CREATE INDEX message_by_created ON message (created_at DESC, id);
CREATE INDEX message_by_invoice ON message (invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX message_by_provider ON message (provider_id, created_at DESC, id);
CREATE INDEX message_by_trader ON message (trader_id, created_at DESC, id);
CREATE INDEX message_failed ON message (created_at DESC, id) WHERE state = 'failed';
CREATE INDEX message_of_run ON message (invoicing_run_id, state)
  WHERE invoicing_run_id IS NOT NULL AND (state = ANY (ARRAY['queued', 'failed']));
CREATE INDEX message_queued ON message (due_at) WHERE state = 'queued';

ALTER TABLE message ENABLE ROW LEVEL SECURITY;
ALTER TABLE message FORCE ROW LEVEL SECURITY;
CREATE POLICY message_scope ON message FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));

CREATE TRIGGER message_address BEFORE INSERT OR UPDATE OF text, trader_id, community_id ON message FOR EACH ROW
  WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_other_address_in_text();
CREATE TRIGGER message_again AFTER UPDATE OF state ON message FOR EACH ROW
  WHEN (new.state = 'queued' AND old.state <> 'queued') EXECUTE FUNCTION app.announce_work();
CREATE TRIGGER message_moved AFTER UPDATE OF state ON message FOR EACH ROW WHEN (new.state <> old.state)
  EXECUTE FUNCTION app.message_moved();
CREATE TRIGGER message_queued AFTER INSERT ON message FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();
