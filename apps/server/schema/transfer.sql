-- Written by `npm run generate` from a migrated database. Do not edit.

-- One transfer to make. Its terms never change; only its state does.
CREATE TABLE transfer (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  kind text NOT NULL,
  wallet_id uuid NOT NULL,
  -- The community that pays; NULL for top-ups of coin.
  community_id uuid,
  payout_id uuid,
  to_address text NOT NULL,
  -- NULL for the chain's own coin.
  token_address text,
  amount_units numeric(38,0) NOT NULL,
  -- planned: no nonce yet. sent: signed, and sent until it is final. cancelled: its nonce was spent on an empty
  -- transaction.
  state text NOT NULL DEFAULT 'planned',
  nonce bigint,
  is_cancel_asked boolean NOT NULL DEFAULT false,
  -- Why it does not proceed: a code; problem_detail has the answer of the chain.
  problem text,
  problem_detail text,
  retry_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  ended_at timestamptz,
  -- When a worker last counted the transfer toward the limit of a day, before it signs it. Counts while it is
  -- planned.
  limit_claimed_at timestamptz,
  CONSTRAINT transfer_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT transfer_check CHECK ((kind = 'gas_topup') = (token_address IS NULL)),
  CONSTRAINT transfer_check1 CHECK ((kind = 'gas_topup') = (community_id IS NULL)),
  CONSTRAINT transfer_check2 CHECK ((kind = 'distribute') = (payout_id IS NOT NULL)),
  CONSTRAINT transfer_check3 CHECK ((state = ANY (ARRAY['planned', 'void'])) = (nonce IS NULL)),
  CONSTRAINT transfer_check4 CHECK ((state = ANY (ARRAY['planned', 'sent'])) = (ended_at IS NULL)),
  CONSTRAINT transfer_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id) ON DELETE RESTRICT,
  CONSTRAINT transfer_kind_check
    CHECK (kind = ANY (ARRAY['gas_topup', 'consolidate', 'distribute', 'pool_collect', 'pool_return',
    'pool_withdraw', 'pool_fund', 'pool_fee', 'pool_send_back', 'credit_return'])),
  CONSTRAINT transfer_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES payout(id) ON DELETE RESTRICT,
  CONSTRAINT transfer_pkey PRIMARY KEY (id),
  CONSTRAINT transfer_problem_check CHECK (problem ~ '^[a-z_]+$'),
  CONSTRAINT transfer_state_check
    CHECK (state = ANY (ARRAY['planned', 'sent', 'final', 'reverted', 'cancelled', 'void'])),
  CONSTRAINT transfer_to_address_check CHECK (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT transfer_token_address_check CHECK (token_address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT transfer_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES chain_wallet(id) ON DELETE RESTRICT,
  CONSTRAINT transfer_wallet_id_nonce_key UNIQUE (wallet_id, nonce)
);

CREATE INDEX transfer_by_end ON transfer (kind, ended_at DESC) WHERE state = 'final';
CREATE INDEX transfer_by_limit_claim ON transfer (limit_claimed_at)
  WHERE state = 'planned' AND limit_claimed_at IS NOT NULL;
CREATE INDEX transfer_by_sent ON transfer (sent_at) WHERE kind = 'distribute' AND sent_at IS NOT NULL;
CREATE INDEX transfer_of_payout ON transfer (payout_id, created_at) WHERE payout_id IS NOT NULL;
CREATE UNIQUE INDEX transfer_one_topup ON transfer (wallet_id, lower(to_address))
  WHERE kind = 'gas_topup' AND (state = ANY (ARRAY['planned', 'sent']));
CREATE INDEX transfer_paying_by_time ON transfer (created_at)
  WHERE kind = 'distribute' AND (state = ANY (ARRAY['planned', 'sent', 'final']));
CREATE UNIQUE INDEX transfer_pays_once ON transfer (payout_id) WHERE state = ANY (ARRAY['planned', 'sent', 'final']);
CREATE INDEX transfer_planned ON transfer (wallet_id, created_at, id) WHERE state = 'planned';
CREATE INDEX transfer_sent ON transfer (wallet_id, nonce) WHERE state = 'sent';
CREATE INDEX transfer_set_aside ON transfer (ended_at) WHERE problem = 'not_backed';
CREATE INDEX transfer_topup_by_time ON transfer (created_at) WHERE kind = 'gas_topup';

ALTER TABLE transfer ENABLE ROW LEVEL SECURITY;
ALTER TABLE transfer FORCE ROW LEVEL SECURITY;
CREATE POLICY transfer_scope ON transfer FOR ALL
  USING ((SELECT app.sees_all()));

CREATE TRIGGER intent_keeps_its_nonce BEFORE UPDATE ON transfer FOR EACH ROW
  WHEN (old.nonce IS NOT NULL AND new.nonce IS DISTINCT FROM old.nonce OR old.ended_at IS NOT NULL
  AND new.state <> old.state) EXECUTE FUNCTION app.refuse_chain_change();
CREATE TRIGGER transfer_pays_its_shares AFTER INSERT ON transfer REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION app.check_payment_intents();
CREATE TRIGGER transfer_planned AFTER INSERT ON transfer FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();
