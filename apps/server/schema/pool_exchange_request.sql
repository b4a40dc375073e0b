-- Written by `npm run generate` from a migrated database. Do not edit.

-- A question to the exchange of a pool, which a worker answers: the API opens no key of a pool. Answers have no
-- secret. Removed after a quarter of an hour.
CREATE TABLE pool_exchange_request (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  kind text NOT NULL,
  -- Of a connection: the id that the pool will have.
  pooled_account_id uuid NOT NULL,
  community_id uuid,
  -- The new key, sealed for its place in pool_key. The answer is about this one, and no other is stored.
  api_key bytea,
  secret_key bytea,
  recipient text,
  api_key_fingerprint bytea,
  secret_key_fingerprint bytea,
  requested_by text NOT NULL DEFAULT app.caller(),
  requested_at timestamptz NOT NULL DEFAULT now(),
  -- Until then a worker asks the exchange; another takes over after that.
  claimed_until timestamptz,
  answered_at timestamptz,
  -- What the exchange says about the key.
  account jsonb,
  uid text,
  address text,
  -- Why a key must not be a pool's; NULL: it may.
  refusal text,
  -- Why the exchange did not answer; NULL: it did.
  problem text,
  is_retryable boolean,
  -- A pool was connected, or its key replaced, by this answer: once.
  used_at timestamptz,
  -- The regional platform of Bybit that knows the new key; null: its main one.
  region text,
  CONSTRAINT pool_exchange_request_address_check CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT pool_exchange_request_answer
    CHECK ((problem IS NULL) = (is_retryable IS NULL) AND (answered_at IS NOT NULL OR account IS NULL AND uid IS NULL
    AND address IS NULL AND refusal IS NULL AND problem IS NULL AND used_at IS NULL)),
  CONSTRAINT pool_exchange_request_api_key_check CHECK (length(api_key) <= 4096),
  CONSTRAINT pool_exchange_request_api_key_fingerprint_check CHECK (length(api_key_fingerprint) = 32),
  CONSTRAINT pool_exchange_request_key
    CHECK ((kind = ANY (ARRAY['connection', 'replacement'])) = (api_key IS NOT NULL)
    AND (api_key IS NULL) = (secret_key IS NULL) AND (api_key IS NULL) = (recipient IS NULL)
    AND (api_key IS NULL) = (api_key_fingerprint IS NULL) AND (api_key IS NULL) = (secret_key_fingerprint IS NULL)
    AND (kind = 'connection') = (community_id IS NOT NULL)),
  CONSTRAINT pool_exchange_request_kind_check
    CHECK (kind = ANY (ARRAY['connection', 'replacement', 'description', 'check', 'withdrawal', 'address'])),
  CONSTRAINT pool_exchange_request_pkey PRIMARY KEY (id),
  CONSTRAINT pool_exchange_request_problem_check CHECK (problem ~ '^[a-z_]+$'),
  CONSTRAINT pool_exchange_request_recipient_check CHECK (recipient ~ '^age1[0-9a-z]{58}$'),
  CONSTRAINT pool_exchange_request_refusal_check CHECK (refusal ~ '^[a-z_]+$'),
  CONSTRAINT pool_exchange_request_region_check CHECK (region ~ '^[a-z]{2,8}$'),
  CONSTRAINT pool_exchange_request_secret_key_check CHECK (length(secret_key) <= 4096),
  CONSTRAINT pool_exchange_request_secret_key_fingerprint_check CHECK (length(secret_key_fingerprint) = 32)
);

CREATE INDEX pool_exchange_request_by_time ON pool_exchange_request (requested_at);
CREATE INDEX pool_exchange_request_open ON pool_exchange_request (requested_at) WHERE answered_at IS NULL;

ALTER TABLE pool_exchange_request ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_exchange_request FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_exchange_request_scope ON pool_exchange_request FOR ALL
  USING ((SELECT app.sees_all()));

CREATE TRIGGER pool_exchange_requested AFTER INSERT ON pool_exchange_request FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();
