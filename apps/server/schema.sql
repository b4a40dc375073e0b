-- Written by `npm run generate` from a migrated database. Do not edit.

-- identity.account
  id uuid NOT NULL DEFAULT gen_random_uuid()
  account_id text NOT NULL
  provider_id text NOT NULL
  user_id uuid NOT NULL
  access_token text
  refresh_token text
  id_token text
  access_token_expires_at timestamp with time zone
  refresh_token_expires_at timestamp with time zone
  scope text
  password text
  created_at timestamp with time zone NOT NULL DEFAULT now()
  updated_at timestamp with time zone NOT NULL
  CONSTRAINT account_pkey PRIMARY KEY (id)
  CONSTRAINT account_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE
CREATE UNIQUE INDEX account_of_user ON identity.account USING btree (user_id, provider_id);
CREATE INDEX account_user_id_idx ON identity.account USING btree (user_id);
ROW LEVEL SECURITY OFF;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- identity.invitation
  token_hash bytea NOT NULL
  user_id uuid NOT NULL
  expires_at timestamp with time zone NOT NULL
  used_at timestamp with time zone
  created_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT invitation_pkey PRIMARY KEY (token_hash)
  CONSTRAINT invitation_token_hash_check CHECK ((length(token_hash) = 32))
  CONSTRAINT invitation_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE
CREATE INDEX invitation_by_user ON identity.invitation USING btree (user_id);
ROW LEVEL SECURITY OFF;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- identity.jwks
  id uuid NOT NULL DEFAULT gen_random_uuid()
  public_key text NOT NULL
  private_key text NOT NULL
  created_at timestamp with time zone NOT NULL
  expires_at timestamp with time zone
  alg text
  crv text
  CONSTRAINT jwks_pkey PRIMARY KEY (id)
ROW LEVEL SECURITY OFF;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- identity.rate_limit
  id uuid NOT NULL DEFAULT gen_random_uuid()
  key text NOT NULL
  count integer NOT NULL
  last_request bigint NOT NULL
  CONSTRAINT rate_limit_key_key UNIQUE (key)
  CONSTRAINT rate_limit_pkey PRIMARY KEY (id)
ROW LEVEL SECURITY OFF;
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- identity.service_token
  id uuid NOT NULL DEFAULT gen_random_uuid()
  name text NOT NULL
  prefix text NOT NULL
  key_hash bytea NOT NULL
  scopes text[] NOT NULL
  provider_ids uuid[] NOT NULL
  owner_id uuid NOT NULL
  expires_at timestamp with time zone NOT NULL
  revoked_at timestamp with time zone
  last_used_at timestamp with time zone
  created_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT service_token_key_hash_check CHECK ((length(key_hash) = 32))
  CONSTRAINT service_token_key_hash_key UNIQUE (key_hash)
  CONSTRAINT service_token_name_check CHECK ((name <> ''::text))
  CONSTRAINT service_token_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES identity."user"(id)
  CONSTRAINT service_token_pkey PRIMARY KEY (id)
  CONSTRAINT service_token_provider_ids_check CHECK ((cardinality(provider_ids) > 0))
  CONSTRAINT service_token_scopes_check CHECK ((cardinality(scopes) > 0))
CREATE INDEX service_token_by_owner ON identity.service_token USING btree (owner_id);
ROW LEVEL SECURITY OFF;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- identity.session
  id uuid NOT NULL DEFAULT gen_random_uuid()
  expires_at timestamp with time zone NOT NULL
  token text NOT NULL
  created_at timestamp with time zone NOT NULL DEFAULT now()
  updated_at timestamp with time zone NOT NULL
  ip_address text
  user_agent text
  user_id uuid NOT NULL
  authenticated_at timestamp with time zone NOT NULL
  second_factor_at timestamp with time zone
  CONSTRAINT session_pkey PRIMARY KEY (id)
  CONSTRAINT session_token_key UNIQUE (token)
  CONSTRAINT session_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE
CREATE INDEX session_user_id_idx ON identity.session USING btree (user_id);
ROW LEVEL SECURITY OFF;
CREATE TRIGGER session_ended AFTER DELETE ON identity.session FOR EACH ROW EXECUTE FUNCTION app.announce_access();
CREATE TRIGGER session_shortened AFTER UPDATE OF expires_at ON identity.session FOR EACH ROW WHEN ((new.expires_at < old.expires_at)) EXECUTE FUNCTION app.announce_access();
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- identity.setup_token
  token_hash bytea NOT NULL
  expires_at timestamp with time zone NOT NULL
  used_at timestamp with time zone
  created_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT setup_token_pkey PRIMARY KEY (token_hash)
  CONSTRAINT setup_token_token_hash_check CHECK ((length(token_hash) = 32))
ROW LEVEL SECURITY OFF;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- identity.sign_in_failure
  key_hash bytea NOT NULL
  failures integer NOT NULL
  blocked_until timestamp with time zone
  forget_at timestamp with time zone NOT NULL
  CONSTRAINT sign_in_failure_account_hash_check CHECK ((length(key_hash) = 32))
  CONSTRAINT sign_in_failure_pkey PRIMARY KEY (key_hash)
CREATE INDEX sign_in_failure_by_forgetting ON identity.sign_in_failure USING btree (forget_at);
ROW LEVEL SECURITY OFF;
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- identity.two_factor
  id uuid NOT NULL DEFAULT gen_random_uuid()
  secret text NOT NULL
  backup_codes text NOT NULL
  user_id uuid NOT NULL
  verified boolean
  failed_verification_count integer
  locked_until timestamp with time zone
  CONSTRAINT two_factor_pkey PRIMARY KEY (id)
  CONSTRAINT two_factor_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE
CREATE INDEX two_factor_secret_idx ON identity.two_factor USING btree (secret);
CREATE INDEX two_factor_user_id_idx ON identity.two_factor USING btree (user_id);
ROW LEVEL SECURITY OFF;
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- identity.used_totp_code
  user_id uuid NOT NULL
  code_hash bytea NOT NULL
  expires_at timestamp with time zone NOT NULL
  CONSTRAINT used_totp_code_code_hash_check CHECK ((length(code_hash) = 32))
  CONSTRAINT used_totp_code_pkey PRIMARY KEY (user_id, code_hash)
  CONSTRAINT used_totp_code_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE
CREATE INDEX used_totp_code_by_expiry ON identity.used_totp_code USING btree (expires_at);
ROW LEVEL SECURITY OFF;
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- identity.user
  id uuid NOT NULL DEFAULT gen_random_uuid()
  name text NOT NULL
  email text NOT NULL
  email_verified boolean NOT NULL
  image text
  created_at timestamp with time zone NOT NULL DEFAULT now()
  updated_at timestamp with time zone NOT NULL DEFAULT now()
  two_factor_enabled boolean
  CONSTRAINT user_email_key UNIQUE (email)
  CONSTRAINT user_pkey PRIMARY KEY (id)
ROW LEVEL SECURITY OFF;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- identity.user_access
  user_id uuid NOT NULL
  admin boolean NOT NULL DEFAULT false
  super boolean NOT NULL DEFAULT false
  provider_ids uuid[] NOT NULL DEFAULT '{}'::uuid[]
  disabled_at timestamp with time zone
  updated_at timestamp with time zone NOT NULL DEFAULT now()
  super_since timestamp with time zone
  confirmed_at timestamp with time zone
  confirmed_by_id uuid
  CONSTRAINT confirmed_by_at_a_time CHECK (((confirmed_by_id IS NULL) OR (confirmed_at IS NOT NULL)))
  CONSTRAINT nobody_confirms_itself CHECK ((confirmed_by_id <> user_id))
  CONSTRAINT only_supers_are_confirmed CHECK ((super OR (confirmed_at IS NULL)))
  CONSTRAINT super_since_when CHECK ((super = (super_since IS NOT NULL)))
  CONSTRAINT user_access_check CHECK ((admin OR (NOT super)))
  CONSTRAINT user_access_confirmed_by_id_fkey FOREIGN KEY (confirmed_by_id) REFERENCES identity."user"(id)
  CONSTRAINT user_access_pkey PRIMARY KEY (user_id)
  CONSTRAINT user_access_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE
CREATE INDEX user_access_super ON identity.user_access USING btree (user_id) WHERE super;
ROW LEVEL SECURITY OFF;
CREATE TRIGGER access_written AFTER INSERT OR DELETE OR UPDATE OF admin, super, provider_ids, disabled_at ON identity.user_access FOR EACH STATEMENT EXECUTE FUNCTION app.keep_provider_sets();
CREATE TRIGGER user_access_changed AFTER DELETE OR UPDATE ON identity.user_access FOR EACH ROW EXECUTE FUNCTION app.announce_access();
CREATE TRIGGER user_access_confirmed BEFORE UPDATE OF confirmed_at, confirmed_by_id ON identity.user_access FOR EACH ROW WHEN (((new.confirmed_by_id IS NOT NULL) AND ((new.confirmed_at IS DISTINCT FROM old.confirmed_at) OR (new.confirmed_by_id IS DISTINCT FROM old.confirmed_by_id)))) EXECUTE FUNCTION identity.refuse_confirmation();
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- identity.user_sponsor
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY
  user_id uuid NOT NULL
  sponsor_id uuid NOT NULL
  act text NOT NULL
  at timestamp with time zone NOT NULL
  CONSTRAINT user_sponsor_act_check CHECK ((act = ANY (ARRAY['invited'::text, 'promoted'::text])))
  CONSTRAINT user_sponsor_check CHECK ((sponsor_id <> user_id))
  CONSTRAINT user_sponsor_pkey PRIMARY KEY (id)
  CONSTRAINT user_sponsor_sponsor_id_fkey FOREIGN KEY (sponsor_id) REFERENCES identity."user"(id)
  CONSTRAINT user_sponsor_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id)
CREATE INDEX user_sponsor_by_user ON identity.user_sponsor USING btree (user_id, sponsor_id);
ROW LEVEL SECURITY OFF;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;

-- identity.verification
  id uuid NOT NULL DEFAULT gen_random_uuid()
  identifier text NOT NULL
  value text NOT NULL
  expires_at timestamp with time zone NOT NULL
  created_at timestamp with time zone NOT NULL DEFAULT now()
  updated_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT verification_pkey PRIMARY KEY (id)
CREATE INDEX verification_identifier_idx ON identity.verification USING btree (identifier);
ROW LEVEL SECURITY OFF;
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.account_reading
  account_id uuid NOT NULL
  provider_id uuid NOT NULL
  exchange text NOT NULL
  due_at timestamp with time zone NOT NULL DEFAULT now()
  requested_at timestamp with time zone
  refresh_started_at timestamp with time zone
  refresh_failed boolean NOT NULL DEFAULT false
  leased_until timestamp with time zone
  lease_number bigint NOT NULL DEFAULT 0
  finished_at timestamp with time zone
  failures integer NOT NULL DEFAULT 0
  closed_known_to timestamp with time zone
  closed_read_at timestamp with time zone
  closed_rescanned_at timestamp with time zone
  closed_since timestamp with time zone
  closed_until timestamp with time zone
  closed_cursor text
  closed_is_rescan boolean NOT NULL DEFAULT false
  CONSTRAINT account_reading_account_id_fkey FOREIGN KEY (account_id) REFERENCES exchange_account(id) ON DELETE CASCADE
  CONSTRAINT account_reading_check CHECK (((closed_since IS NULL) = (closed_until IS NULL)))
  CONSTRAINT account_reading_check1 CHECK (((closed_cursor IS NULL) OR (closed_until IS NOT NULL)))
  CONSTRAINT account_reading_exchange_check CHECK ((exchange = ANY (ARRAY['bybit'::text, 'binance'::text, 'okx'::text, 'kucoin'::text, 'hyperliquid'::text])))
  CONSTRAINT account_reading_pkey PRIMARY KEY (account_id)
  CONSTRAINT account_reading_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
CREATE INDEX account_reading_by_provider ON public.account_reading USING btree (provider_id);
CREATE INDEX account_reading_due ON public.account_reading USING btree (exchange, due_at);
CREATE INDEX account_reading_requested ON public.account_reading USING btree (exchange, requested_at) WHERE (requested_at IS NOT NULL);
ROW LEVEL SECURITY FORCED;
POLICY account_reading_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])))
  WITH CHECK (( SELECT app.sees_all() AS sees_all) OR ((provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])) AND (EXISTS ( SELECT
   FROM exchange_account a
  WHERE (a.id = account_reading.account_id)))));
CREATE TRIGGER reading_requested AFTER INSERT OR UPDATE OF requested_at ON public.account_reading FOR EACH ROW WHEN ((new.requested_at IS NOT NULL)) EXECUTE FUNCTION app.announce_reading_request();
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.audit_entry
  seq bigint NOT NULL
  at timestamp with time zone NOT NULL
  actor_kind text NOT NULL
  actor_id text NOT NULL
  actor_name text NOT NULL
  action text NOT NULL
  target_kind text NOT NULL
  target_id text NOT NULL
  before jsonb
  after jsonb
  request_id text
  previous_hash bytea NOT NULL
  hash bytea NOT NULL
  CONSTRAINT audit_entry_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'service'::text, 'system'::text])))
  CONSTRAINT audit_entry_hash_key UNIQUE (hash)
  CONSTRAINT audit_entry_pkey PRIMARY KEY (seq)
CREATE INDEX audit_entry_by_target ON public.audit_entry USING btree (target_kind, target_id, seq DESC);
ROW LEVEL SECURITY FORCED;
POLICY audit_entry_appending FOR INSERT
  WITH CHECK ( SELECT app.sees_all() AS sees_all);
POLICY audit_entry_reading FOR SELECT
  USING ( SELECT app.sees_all() AS sees_all);
CREATE TRIGGER audit_entry_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_entry FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();
GRANT SELECT TO copydesk_app;

-- public.audit_lock
  single boolean NOT NULL DEFAULT true
  CONSTRAINT audit_lock_pkey PRIMARY KEY (single)
  CONSTRAINT audit_lock_single_check CHECK (single)
ROW LEVEL SECURITY FORCED;
POLICY audit_lock_scope FOR ALL
  USING ( SELECT app.sees_all() AS sees_all);

-- public.chain_cursor
  chain_id integer NOT NULL
  token_address text NOT NULL
  block_number bigint NOT NULL
  block_hash text NOT NULL
  stopped_because text
  updated_at timestamp with time zone NOT NULL DEFAULT now()
  needs_review boolean NOT NULL DEFAULT false
  CONSTRAINT chain_cursor_block_hash_check CHECK ((block_hash ~ '^0x[0-9a-f]{64}$'::text))
  CONSTRAINT chain_cursor_block_number_check CHECK ((block_number >= 0))
  CONSTRAINT chain_cursor_pkey PRIMARY KEY (chain_id, token_address)
  CONSTRAINT chain_cursor_review CHECK (((NOT needs_review) OR (stopped_because IS NOT NULL)))
  CONSTRAINT chain_cursor_token_address_check CHECK ((token_address ~ '^0x[0-9a-f]{40}$'::text))
ROW LEVEL SECURITY FORCED;
POLICY chain_cursor_scope FOR ALL
  USING ( SELECT app.sees_all() AS sees_all);
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.chain_wallet
  id uuid NOT NULL DEFAULT gen_random_uuid()
  chain_id integer NOT NULL
  role text NOT NULL
  owner_id uuid NOT NULL
  key_index integer NOT NULL
  address text NOT NULL
  next_nonce bigint NOT NULL DEFAULT 0
  first_nonce bigint NOT NULL DEFAULT 0
  frozen_because text
  frozen_at timestamp with time zone
  chain_nonce bigint
  created_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT chain_wallet_address_check CHECK ((address ~ '^0x[0-9a-fA-F]{40}$'::text))
  CONSTRAINT chain_wallet_chain_id_role_owner_id_key UNIQUE (chain_id, role, owner_id)
  CONSTRAINT chain_wallet_check CHECK (((frozen_because IS NULL) = (frozen_at IS NULL)))
  CONSTRAINT chain_wallet_check1 CHECK (((role = 'gas'::text) = (owner_id = '00000000-0000-0000-0000-000000000000'::uuid)))
  CONSTRAINT chain_wallet_first_nonce_check CHECK ((first_nonce >= 0))
  CONSTRAINT chain_wallet_key_index_check CHECK ((key_index >= 0))
  CONSTRAINT chain_wallet_next_nonce_check CHECK ((next_nonce >= 0))
  CONSTRAINT chain_wallet_pkey PRIMARY KEY (id)
  CONSTRAINT chain_wallet_role_check CHECK ((role = ANY (ARRAY['gas'::text, 'community'::text, 'deposit'::text])))
CREATE UNIQUE INDEX chain_wallet_by_address ON public.chain_wallet USING btree (chain_id, lower(address));
CREATE INDEX chain_wallet_frozen ON public.chain_wallet USING btree (id) WHERE (frozen_because IS NOT NULL);
ROW LEVEL SECURITY FORCED;
POLICY chain_wallet_scope FOR ALL
  USING ( SELECT app.sees_all() AS sees_all);
CREATE TRIGGER chain_wallet_thawed AFTER UPDATE OF frozen_because ON public.chain_wallet FOR EACH ROW WHEN (((old.frozen_because IS NOT NULL) AND (new.frozen_because IS NULL))) EXECUTE FUNCTION app.announce_work();
CREATE TRIGGER nonce_goes_up BEFORE UPDATE OF next_nonce ON public.chain_wallet FOR EACH ROW WHEN (((new.next_nonce < old.next_nonce) AND (NOT ((NOT (old.frozen_because IS DISTINCT FROM 'nonce_gap'::text)) AND (new.frozen_because IS NULL))))) EXECUTE FUNCTION app.refuse_chain_change();
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;

-- public.change_event
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY
  xid xid8 NOT NULL DEFAULT pg_current_xact_id()
  at timestamp with time zone NOT NULL DEFAULT now()
  topic text NOT NULL
  entity_id uuid NOT NULL
  provider_ids uuid[] NOT NULL
  CONSTRAINT change_event_pkey PRIMARY KEY (id)
  CONSTRAINT change_event_topic_check CHECK ((topic = ANY (ARRAY['trader'::text, 'community'::text, 'provider'::text, 'payout'::text])))
CREATE INDEX change_event_by_time ON public.change_event USING btree (at);
CREATE INDEX change_event_by_xid ON public.change_event USING btree (xid, id);
ROW LEVEL SECURITY FORCED;
POLICY change_event_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_ids && ( SELECT app.provider_ids() AS provider_ids)));
CREATE TRIGGER change_event_announced AFTER INSERT ON public.change_event FOR EACH STATEMENT EXECUTE FUNCTION app.announce_changes();
GRANT DELETE TO copydesk_app;
GRANT SELECT TO copydesk_app;

-- public.closed_position
  id uuid NOT NULL DEFAULT gen_random_uuid()
  account_id uuid NOT NULL
  trader_id uuid NOT NULL
  provider_id uuid NOT NULL
  venue_id text NOT NULL
  symbol text NOT NULL
  side text NOT NULL
  entry_price numeric
  exit_price numeric
  leverage numeric
  contracts numeric
  closed_pnl numeric
  fees_included boolean NOT NULL DEFAULT false
  opened_at timestamp with time zone
  closed_at timestamp with time zone NOT NULL
  invoice_id uuid
  created_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT closed_position_account_id_fkey FOREIGN KEY (account_id) REFERENCES exchange_account(id) ON DELETE RESTRICT
  CONSTRAINT closed_position_account_id_venue_id_key UNIQUE (account_id, venue_id)
  CONSTRAINT closed_position_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoice(id) ON DELETE RESTRICT
  CONSTRAINT closed_position_pkey PRIMARY KEY (id)
  CONSTRAINT closed_position_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
  CONSTRAINT closed_position_side_check CHECK ((side = ANY (ARRAY['long'::text, 'short'::text])))
  CONSTRAINT closed_position_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE RESTRICT
CREATE INDEX closed_position_by_invoice ON public.closed_position USING btree (invoice_id) WHERE (invoice_id IS NOT NULL);
CREATE INDEX closed_position_by_pnl ON public.closed_position USING btree (trader_id, closed_pnl, id);
CREATE INDEX closed_position_by_provider ON public.closed_position USING btree (provider_id, closed_at DESC);
CREATE INDEX closed_position_by_symbol ON public.closed_position USING btree (trader_id, symbol, closed_at, id);
CREATE INDEX closed_position_by_trader ON public.closed_position USING btree (trader_id, closed_at DESC, id);
CREATE INDEX closed_position_of_unknown_profit ON public.closed_position USING btree (trader_id) WHERE ((closed_pnl IS NULL) AND (invoice_id IS NULL));
CREATE INDEX closed_position_to_invoice ON public.closed_position USING btree (trader_id, provider_id) WHERE ((invoice_id IS NULL) AND (closed_pnl > (0)::numeric));
ROW LEVEL SECURITY FORCED;
POLICY closed_position_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])));
CREATE TRIGGER closed_positions_added AFTER INSERT ON public.closed_position REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.sum_closed_positions();
CREATE TRIGGER closed_positions_changed AFTER UPDATE ON public.closed_position REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.sum_closed_positions();
CREATE TRIGGER closed_positions_taken AFTER DELETE ON public.closed_position REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.sum_closed_positions();
CREATE TRIGGER invoiced_once BEFORE UPDATE OF invoice_id, closed_pnl ON public.closed_position FOR EACH ROW WHEN (((old.invoice_id IS NOT NULL) AND ((new.invoice_id IS DISTINCT FROM old.invoice_id) OR (new.closed_pnl IS DISTINCT FROM old.closed_pnl)))) EXECUTE FUNCTION app.refuse_other_invoice();
CREATE TRIGGER invoiced_stays BEFORE DELETE ON public.closed_position FOR EACH ROW WHEN ((old.invoice_id IS NOT NULL)) EXECUTE FUNCTION app.refuse_other_invoice();
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.closed_position_day
  account_id uuid NOT NULL
  day date NOT NULL
  trader_id uuid NOT NULL
  provider_id uuid NOT NULL
  positions integer NOT NULL
  closed_pnl numeric NOT NULL
  unknown_profit integer NOT NULL DEFAULT 0
  CONSTRAINT closed_position_day_account_id_fkey FOREIGN KEY (account_id) REFERENCES exchange_account(id) ON DELETE RESTRICT
  CONSTRAINT closed_position_day_pkey PRIMARY KEY (account_id, day)
  CONSTRAINT closed_position_day_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
  CONSTRAINT closed_position_day_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE RESTRICT
CREATE INDEX closed_position_day_by_provider ON public.closed_position_day USING btree (provider_id, day);
CREATE INDEX closed_position_day_by_trader ON public.closed_position_day USING btree (trader_id, day);
ROW LEVEL SECURITY FORCED;
POLICY closed_position_day_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])));
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.community
  id uuid NOT NULL DEFAULT gen_random_uuid()
  name text NOT NULL
  is_archived boolean NOT NULL DEFAULT false
  archived_at timestamp with time zone
  split_percentage numeric(5,2) NOT NULL DEFAULT 5
  trader_referral_percentage numeric(5,2) NOT NULL DEFAULT 0
  commission_rate numeric(5,4) NOT NULL DEFAULT 0.5
  minimum_balance numeric(20,2) NOT NULL DEFAULT 10000
  referrer_wallet_address text
  external_wallet_address text
  internal_wallet_index integer NOT NULL GENERATED ALWAYS AS IDENTITY
  internal_wallet_address text
  created_at timestamp with time zone NOT NULL DEFAULT now()
  updated_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT community_check CHECK ((is_archived = (archived_at IS NOT NULL)))
  CONSTRAINT community_commission_rate_check CHECK (((commission_rate >= (0)::numeric) AND (commission_rate <= (1)::numeric)))
  CONSTRAINT community_external_wallet_address_check CHECK ((external_wallet_address ~ '^0x[0-9a-fA-F]{40}$'::text))
  CONSTRAINT community_internal_wallet_address_check CHECK ((internal_wallet_address ~ '^0x[0-9a-fA-F]{40}$'::text))
  CONSTRAINT community_internal_wallet_index_key UNIQUE (internal_wallet_index)
  CONSTRAINT community_minimum_balance_check CHECK ((minimum_balance >= (1)::numeric))
  CONSTRAINT community_name_check CHECK ((name <> ''::text))
  CONSTRAINT community_name_key UNIQUE (name)
  CONSTRAINT community_pkey PRIMARY KEY (id)
  CONSTRAINT community_referrer_wallet_address_check CHECK ((referrer_wallet_address ~ '^0x[0-9a-fA-F]{40}$'::text))
  CONSTRAINT community_split_percentage_check CHECK (((split_percentage >= (0)::numeric) AND (split_percentage <= (100)::numeric)))
  CONSTRAINT community_trader_referral_percentage_check CHECK (((trader_referral_percentage >= (0)::numeric) AND (trader_referral_percentage <= (100)::numeric)))
ROW LEVEL SECURITY FORCED;
POLICY community_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (EXISTS ( SELECT
   FROM community_provider cp
  WHERE ((cp.community_id = community.id) AND (cp.provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[]))))))
  WITH CHECK ( SELECT app.sees_all() AS sees_all);
CREATE TRIGGER community_removed BEFORE DELETE ON public.community FOR EACH ROW EXECUTE FUNCTION app.directory_written();
CREATE TRIGGER community_written AFTER INSERT OR UPDATE ON public.community FOR EACH ROW EXECUTE FUNCTION app.directory_written();
CREATE TRIGGER payout_address_changed AFTER UPDATE OF external_wallet_address ON public.community FOR EACH ROW WHEN (((lower(new.external_wallet_address) IS DISTINCT FROM lower(old.external_wallet_address)) AND (CURRENT_USER = 'copydesk_app'::name))) EXECUTE FUNCTION app.note_payout_address('community', 'id', 'external_wallet_address');
CREATE TRIGGER referrer_address_changed AFTER UPDATE OF referrer_wallet_address ON public.community FOR EACH ROW WHEN (((lower(new.referrer_wallet_address) IS DISTINCT FROM lower(old.referrer_wallet_address)) AND (CURRENT_USER = 'copydesk_app'::name))) EXECUTE FUNCTION app.note_payout_address('community_referrer', 'id', 'referrer_wallet_address');
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.community_day
  community_id uuid NOT NULL
  provider_id uuid
  day date NOT NULL
  equity numeric(28,8)
  received_units numeric(38,0) NOT NULL DEFAULT 0
  CONSTRAINT community_day_community_id_day_provider_id_key UNIQUE NULLS NOT DISTINCT (community_id, day, provider_id)
  CONSTRAINT community_day_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id) ON DELETE CASCADE
  CONSTRAINT community_day_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
  CONSTRAINT community_day_received_units_check CHECK ((received_units >= (0)::numeric))
ROW LEVEL SECURITY FORCED;
POLICY community_day_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])))
  WITH CHECK ( SELECT app.sees_all() AS sees_all);
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.community_external_balance
  community_id uuid NOT NULL
  chain_id integer NOT NULL
  token_address text NOT NULL
  address text NOT NULL
  balance_units numeric(78,0) NOT NULL
  block_number bigint NOT NULL
  read_at timestamp with time zone NOT NULL
  CONSTRAINT community_external_balance_address_check CHECK ((address ~ '^0x[0-9a-f]{40}$'::text))
  CONSTRAINT community_external_balance_balance_units_check CHECK ((balance_units >= (0)::numeric))
  CONSTRAINT community_external_balance_block_number_check CHECK ((block_number >= 0))
  CONSTRAINT community_external_balance_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id) ON DELETE CASCADE
  CONSTRAINT community_external_balance_pkey PRIMARY KEY (community_id)
  CONSTRAINT community_external_balance_token_address_check CHECK ((token_address ~ '^0x[0-9a-f]{40}$'::text))
ROW LEVEL SECURITY FORCED;
POLICY community_external_balance_scope FOR ALL
  USING ( SELECT app.sees_all() AS sees_all);
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.community_provider
  community_id uuid NOT NULL
  provider_id uuid NOT NULL
  custom_display_name text
  is_active boolean NOT NULL DEFAULT true
  created_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT community_provider_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id) ON DELETE CASCADE
  CONSTRAINT community_provider_pkey PRIMARY KEY (community_id, provider_id)
  CONSTRAINT community_provider_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
CREATE INDEX community_provider_by_provider ON public.community_provider USING btree (provider_id, community_id);
ROW LEVEL SECURITY FORCED;
POLICY community_provider_linking FOR ALL
  USING ( SELECT app.sees_all() AS sees_all)
  WITH CHECK ( SELECT app.sees_all() AS sees_all);
POLICY community_provider_scope FOR SELECT
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])));
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.community_subscription
  community_id uuid NOT NULL
  interval text NOT NULL
  current_period_end timestamp with time zone NOT NULL
  updated_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT community_subscription_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id) ON DELETE CASCADE
  CONSTRAINT community_subscription_interval_check CHECK (("interval" = ANY (ARRAY['monthly'::text, 'yearly'::text])))
  CONSTRAINT community_subscription_pkey PRIMARY KEY (community_id)
ROW LEVEL SECURITY FORCED;
POLICY community_subscription_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (EXISTS ( SELECT
   FROM community_provider cp
  WHERE ((cp.community_id = community_subscription.community_id) AND (cp.provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[]))))))
  WITH CHECK ( SELECT app.sees_all() AS sees_all);
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.demo_world
  seeded_at timestamp with time zone NOT NULL
  traders integer NOT NULL
ROW LEVEL SECURITY OFF;
GRANT SELECT TO copydesk_app;

-- public.deposit
  id uuid NOT NULL DEFAULT gen_random_uuid()
  chain_id integer NOT NULL
  token_address text NOT NULL
  transaction_hash text NOT NULL
  log_index integer NOT NULL
  block_number bigint NOT NULL
  block_hash text NOT NULL
  from_address text NOT NULL
  to_address text NOT NULL
  amount_units numeric(38,0) NOT NULL
  trader_id uuid NOT NULL
  payment_id uuid
  created_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT deposit_amount_units_check CHECK ((amount_units > (0)::numeric))
  CONSTRAINT deposit_chain_id_transaction_hash_log_index_key UNIQUE (chain_id, transaction_hash, log_index)
  CONSTRAINT deposit_log_index_check CHECK ((log_index >= 0))
  CONSTRAINT deposit_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id) ON DELETE RESTRICT
  CONSTRAINT deposit_pkey PRIMARY KEY (id)
  CONSTRAINT deposit_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE RESTRICT
  CONSTRAINT deposit_transaction_hash_check CHECK ((transaction_hash ~ '^0x[0-9a-f]{64}$'::text))
CREATE INDEX deposit_by_trader ON public.deposit USING btree (trader_id, block_number DESC);
ROW LEVEL SECURITY FORCED;
POLICY deposit_scope FOR ALL
  USING ( SELECT app.sees_all() AS sees_all);
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;

-- public.deposit_key
  is_only boolean NOT NULL DEFAULT true
  fingerprint text NOT NULL
  confirmed_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT deposit_key_fingerprint_check CHECK ((fingerprint ~ '^[0-9a-f]{64}$'::text))
  CONSTRAINT deposit_key_is_only_check CHECK (is_only)
  CONSTRAINT deposit_key_pkey PRIMARY KEY (is_only)
ROW LEVEL SECURITY FORCED;
POLICY deposit_key_scope FOR ALL
  USING ( SELECT app.sees_all() AS sees_all);
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;

-- public.deposit_set_aside
  id uuid NOT NULL DEFAULT gen_random_uuid()
  chain_id integer NOT NULL
  token_address text NOT NULL
  transaction_hash text NOT NULL
  log_index integer NOT NULL
  block_number bigint NOT NULL
  block_hash text NOT NULL
  from_address text NOT NULL
  to_address text NOT NULL
  amount_units numeric(78,0) NOT NULL
  trader_id uuid NOT NULL
  reason text NOT NULL
  created_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT deposit_set_aside_amount_units_check CHECK ((amount_units >= (0)::numeric))
  CONSTRAINT deposit_set_aside_chain_id_transaction_hash_log_index_key UNIQUE (chain_id, transaction_hash, log_index)
  CONSTRAINT deposit_set_aside_log_index_check CHECK ((log_index >= 0))
  CONSTRAINT deposit_set_aside_pkey PRIMARY KEY (id)
  CONSTRAINT deposit_set_aside_reason_check CHECK ((reason = ANY (ARRAY['amount_too_large'::text, 'cannot_be_booked'::text])))
  CONSTRAINT deposit_set_aside_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE RESTRICT
  CONSTRAINT deposit_set_aside_transaction_hash_check CHECK ((transaction_hash ~ '^0x[0-9a-f]{64}$'::text))
CREATE INDEX deposit_set_aside_newest ON public.deposit_set_aside USING btree (created_at DESC, id);
ROW LEVEL SECURITY FORCED;
POLICY deposit_set_aside_scope FOR ALL
  USING ( SELECT app.sees_all() AS sees_all);
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;

-- public.distribution
  id uuid NOT NULL DEFAULT gen_random_uuid()
  community_id uuid NOT NULL
  state text NOT NULL
  amount_units numeric(38,0) NOT NULL
  requested_by_id text NOT NULL
  requested_by text NOT NULL
  decided_by_id text
  decided_by text
  decided_at timestamp with time zone
  created_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT distribution_amount_units_check CHECK ((amount_units > (0)::numeric))
  CONSTRAINT distribution_check CHECK (((decided_by_id <> requested_by_id) OR (state = 'declined'::text)))
  CONSTRAINT distribution_check1 CHECK ((((decided_by_id IS NULL) = (decided_at IS NULL)) AND ((decided_by_id IS NULL) = (decided_by IS NULL))))
  CONSTRAINT distribution_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id) ON DELETE RESTRICT
  CONSTRAINT distribution_pkey PRIMARY KEY (id)
  CONSTRAINT distribution_state_check CHECK ((state = ANY (ARRAY['awaiting_approval'::text, 'approved'::text, 'declined'::text])))
CREATE INDEX distribution_awaiting ON public.distribution USING btree (created_at) WHERE (state = 'awaiting_approval'::text);
CREATE INDEX distribution_by_community ON public.distribution USING btree (community_id, created_at DESC, id);
ROW LEVEL SECURITY FORCED;
POLICY distribution_scope FOR ALL
  USING ( SELECT app.sees_all() AS sees_all);
CREATE TRIGGER distribution_approved BEFORE UPDATE OF state, decided_by_id ON public.distribution FOR EACH ROW WHEN ((new.state = 'approved'::text)) EXECUTE FUNCTION app.refuse_dependent_approval();
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;

-- public.equity_snapshot
  trader_id uuid NOT NULL
  provider_id uuid NOT NULL
  day date NOT NULL
  equity numeric(28,8) NOT NULL
  CONSTRAINT equity_snapshot_pkey PRIMARY KEY (trader_id, provider_id, day)
  CONSTRAINT equity_snapshot_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
  CONSTRAINT equity_snapshot_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE
CREATE INDEX equity_snapshot_by_provider ON public.equity_snapshot USING btree (provider_id, day);
ROW LEVEL SECURITY FORCED;
POLICY equity_snapshot_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])));
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.exchange_account
  id uuid NOT NULL DEFAULT gen_random_uuid()
  trader_id uuid NOT NULL
  provider_id uuid NOT NULL
  exchange text NOT NULL
  acc_uid text NOT NULL
  account_type text
  master_address text
  agent_address text
  may_withdraw boolean NOT NULL DEFAULT false
  equity numeric(28,8)
  equity_read_at timestamp with time zone
  read_error text
  created_at timestamp with time zone NOT NULL DEFAULT now()
  updated_at timestamp with time zone NOT NULL DEFAULT now()
  connected_at timestamp with time zone NOT NULL DEFAULT now()
  removed_at timestamp with time zone
  CONSTRAINT exchange_account_account_type_check CHECK ((account_type = ANY (ARRAY['master'::text, 'subaccount'::text])))
  CONSTRAINT exchange_account_check CHECK (((exchange = 'hyperliquid'::text) = (master_address IS NOT NULL)))
  CONSTRAINT exchange_account_exchange_check CHECK ((exchange = ANY (ARRAY['bybit'::text, 'binance'::text, 'okx'::text, 'kucoin'::text, 'hyperliquid'::text])))
  CONSTRAINT exchange_account_pkey PRIMARY KEY (id)
  CONSTRAINT exchange_account_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
  CONSTRAINT exchange_account_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE RESTRICT
CREATE INDEX exchange_account_by_exchange ON public.exchange_account USING btree (exchange, trader_id);
CREATE INDEX exchange_account_by_provider ON public.exchange_account USING btree (provider_id, exchange, trader_id);
CREATE INDEX exchange_account_by_trader ON public.exchange_account USING btree (trader_id, provider_id);
CREATE UNIQUE INDEX exchange_account_once ON public.exchange_account USING btree (exchange, acc_uid) WHERE (removed_at IS NULL);
ROW LEVEL SECURITY FORCED;
POLICY exchange_account_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])))
  WITH CHECK (( SELECT app.sees_all() AS sees_all) OR ((provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])) AND (EXISTS ( SELECT
   FROM trader t
  WHERE (t.id = exchange_account.trader_id)))));
CREATE TRIGGER accounts_deleted AFTER DELETE ON public.exchange_account REFERENCING OLD TABLE AS old_accounts FOR EACH STATEMENT EXECUTE FUNCTION app.accounts_written();
CREATE TRIGGER accounts_inserted AFTER INSERT ON public.exchange_account REFERENCING NEW TABLE AS new_accounts FOR EACH STATEMENT EXECUTE FUNCTION app.accounts_written();
CREATE TRIGGER accounts_updated AFTER UPDATE ON public.exchange_account REFERENCING OLD TABLE AS old_accounts NEW TABLE AS new_accounts FOR EACH STATEMENT EXECUTE FUNCTION app.accounts_written();
CREATE TRIGGER text_written AFTER INSERT OR DELETE OR UPDATE OF trader_id, provider_id, acc_uid, master_address, agent_address, removed_at ON public.exchange_account FOR EACH ROW EXECUTE FUNCTION app.trader_text_written();
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.exchange_credential
  account_id uuid NOT NULL
  provider_id uuid NOT NULL
  field text NOT NULL
  version integer NOT NULL DEFAULT 1
  ciphertext bytea NOT NULL
  wrapped_key bytea NOT NULL
  master_key_id text NOT NULL
  masked text NOT NULL
  fingerprint bytea NOT NULL
  created_at timestamp with time zone NOT NULL DEFAULT now()
  revealed_at timestamp with time zone
  revealed_by text
  revealed_by_id text
  CONSTRAINT exchange_credential_account_id_fkey FOREIGN KEY (account_id) REFERENCES exchange_account(id) ON DELETE CASCADE
  CONSTRAINT exchange_credential_check CHECK ((num_nonnulls(revealed_at, revealed_by, revealed_by_id) = ANY (ARRAY[0, 3])))
  CONSTRAINT exchange_credential_field_check CHECK ((field = ANY (ARRAY['api_key'::text, 'secret_key'::text, 'passphrase'::text, 'agent_private_key'::text])))
  CONSTRAINT exchange_credential_pkey PRIMARY KEY (account_id, field)
  CONSTRAINT exchange_credential_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
CREATE INDEX exchange_credential_by_provider ON public.exchange_credential USING btree (provider_id);
CREATE UNIQUE INDEX exchange_credential_once ON public.exchange_credential USING btree (fingerprint) WHERE (field = 'api_key'::text);
ROW LEVEL SECURITY FORCED;
POLICY exchange_credential_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])))
  WITH CHECK (( SELECT app.sees_all() AS sees_all) OR ((provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])) AND (EXISTS ( SELECT
   FROM exchange_account a
  WHERE (a.id = exchange_credential.account_id)))));
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.harvest_cycle
  id uuid NOT NULL DEFAULT gen_random_uuid()
  pooled_account_id uuid NOT NULL
  cycle_number integer NOT NULL
  status text NOT NULL DEFAULT 'stopped'::text
  version integer NOT NULL DEFAULT 1
  deadline_at timestamp with time zone
  started_at timestamp with time zone
  ended_at timestamp with time zone
  created_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT harvest_cycle_cycle_number_check CHECK ((cycle_number > 0))
  CONSTRAINT harvest_cycle_pkey PRIMARY KEY (id)
  CONSTRAINT harvest_cycle_pooled_account_id_cycle_number_key UNIQUE (pooled_account_id, cycle_number)
  CONSTRAINT harvest_cycle_pooled_account_id_fkey FOREIGN KEY (pooled_account_id) REFERENCES pooled_account(id) ON DELETE RESTRICT
  CONSTRAINT harvest_cycle_status_check CHECK ((status = ANY (ARRAY['harvesting'::text, 'stopped'::text, 'starting_harvesting'::text, 'stopping_harvesting'::text, 'awaiting_bybit_withdrawal'::text, 'processing_invoices'::text, 'failed'::text])))
CREATE UNIQUE INDEX harvest_cycle_current ON public.harvest_cycle USING btree (pooled_account_id) WHERE (ended_at IS NULL);
ROW LEVEL SECURITY FORCED;
POLICY harvest_cycle_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (EXISTS ( SELECT
   FROM pooled_account p
  WHERE (p.id = harvest_cycle.pooled_account_id))));
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.idempotent_call
  caller text NOT NULL
  route text NOT NULL
  key text NOT NULL
  request_hash bytea NOT NULL
  status smallint NOT NULL
  body text NOT NULL
  created_at timestamp with time zone NOT NULL DEFAULT now()
  expires_at timestamp with time zone NOT NULL
  CONSTRAINT idempotent_call_caller_check CHECK ((caller <> ''::text))
  CONSTRAINT idempotent_call_key_check CHECK (((length(key) >= 1) AND (length(key) <= 200)))
  CONSTRAINT idempotent_call_pkey PRIMARY KEY (caller, route, key)
  CONSTRAINT idempotent_call_request_hash_check CHECK ((length(request_hash) = 32))
  CONSTRAINT idempotent_call_status_check CHECK (((status >= 200) AND (status <= 499)))
CREATE INDEX idempotent_call_by_expiry ON public.idempotent_call USING btree (expires_at);
ROW LEVEL SECURITY FORCED;
POLICY idempotent_call_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (caller = ( SELECT app.caller() AS caller)));
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;

-- public.invoice
  id uuid NOT NULL DEFAULT gen_random_uuid()
  trader_id uuid NOT NULL
  community_id uuid NOT NULL
  provider_id uuid
  invoice_type text NOT NULL DEFAULT 'regular'::text
  exchange text
  amount_units numeric(38,0) NOT NULL
  paid_units numeric(38,0) NOT NULL DEFAULT 0
  status text NOT NULL DEFAULT 'pending'::text
  settled_by text
  is_archived boolean NOT NULL DEFAULT false
  payment_address text NOT NULL
  commission_rate numeric(5,4) NOT NULL
  split jsonb NOT NULL
  due_at timestamp with time zone NOT NULL
  paid_at timestamp with time zone
  created_at timestamp with time zone NOT NULL DEFAULT now()
  updated_at timestamp with time zone NOT NULL DEFAULT now()
  settlement_journal_id uuid
  off_platform_units numeric(38,0) NOT NULL DEFAULT 0
  off_platform_reason text
  amount_rank double precision NOT NULL GENERATED ALWAYS AS ((amount_units)::double precision) STORED
  CONSTRAINT invoice_amount_units_check CHECK ((amount_units > (0)::numeric))
  CONSTRAINT invoice_check CHECK (((status = 'paid'::text) = (paid_at IS NOT NULL)))
  CONSTRAINT invoice_check1 CHECK (((status = 'paid'::text) = (settled_by IS NOT NULL)))
  CONSTRAINT invoice_check2 CHECK (((off_platform_units >= (0)::numeric) AND (off_platform_units <= amount_units)))
  CONSTRAINT invoice_commission_rate_check CHECK (((commission_rate >= (0)::numeric) AND (commission_rate <= (1)::numeric)))
  CONSTRAINT invoice_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id)
  CONSTRAINT invoice_exchange_check CHECK ((exchange = ANY (ARRAY['bybit'::text, 'binance'::text, 'okx'::text, 'kucoin'::text, 'hyperliquid'::text])))
  CONSTRAINT invoice_invoice_type_check CHECK ((invoice_type = ANY (ARRAY['regular'::text, 'exchange_bot'::text])))
  CONSTRAINT invoice_off_platform CHECK (((off_platform_units = (0)::numeric) = (off_platform_reason IS NULL)))
  CONSTRAINT invoice_off_platform_reason_check CHECK ((off_platform_reason = ANY (ARRAY['not_on_chain'::text, 'settled_before_check'::text])))
  CONSTRAINT invoice_open_is_owed CHECK (((status <> 'pending'::text) OR (paid_units < amount_units)))
  CONSTRAINT invoice_paid_on_chain_in_full CHECK (((settled_by <> 'chain'::text) OR (paid_units >= amount_units)))
  CONSTRAINT invoice_paid_units_check CHECK ((paid_units >= (0)::numeric))
  CONSTRAINT invoice_payment_address_check CHECK ((payment_address ~ '^0x[0-9a-fA-F]{40}$'::text))
  CONSTRAINT invoice_pkey PRIMARY KEY (id)
  CONSTRAINT invoice_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
  CONSTRAINT invoice_settled_by_check CHECK ((settled_by = ANY (ARRAY['chain'::text, 'manual'::text])))
  CONSTRAINT invoice_settlement_journal_id_fkey FOREIGN KEY (settlement_journal_id) REFERENCES journal(id)
  CONSTRAINT invoice_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'paid'::text, 'cancelled'::text])))
  CONSTRAINT invoice_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE RESTRICT
CREATE INDEX invoice_by_amount ON public.invoice USING btree (amount_rank, amount_units, id) INCLUDE (trader_id, provider_id, community_id, exchange, invoice_type, status, is_archived, paid_units, due_at, created_at, updated_at);
CREATE INDEX invoice_by_community ON public.invoice USING btree (community_id, created_at DESC);
CREATE INDEX invoice_by_created ON public.invoice USING btree (created_at, id) INCLUDE (trader_id, provider_id, community_id, exchange, invoice_type, status, is_archived, amount_units, paid_units, due_at, updated_at);
CREATE INDEX invoice_by_due ON public.invoice USING btree (due_at) INCLUDE (trader_id, provider_id, community_id, exchange, invoice_type, status, is_archived, amount_units, paid_units, created_at, updated_at) WHERE ((status = 'pending'::text) AND (NOT is_archived));
CREATE INDEX invoice_by_provider ON public.invoice USING btree (provider_id, created_at DESC);
CREATE INDEX invoice_by_status ON public.invoice USING btree (status, created_at, id) INCLUDE (provider_id, trader_id, is_archived);
CREATE INDEX invoice_by_trader ON public.invoice USING btree (trader_id, created_at) INCLUDE (provider_id, community_id, exchange, invoice_type, status, is_archived, amount_units, paid_units, due_at, updated_at);
CREATE INDEX invoice_by_updated ON public.invoice USING btree (updated_at, id) INCLUDE (provider_id, trader_id, is_archived);
CREATE INDEX invoice_open ON public.invoice USING btree (trader_id, due_at) WHERE ((status = 'pending'::text) AND (NOT is_archived));
ROW LEVEL SECURITY FORCED;
POLICY invoice_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])));
CREATE TRIGGER invoices_added AFTER INSERT ON public.invoice REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.invoices_written();
CREATE TRIGGER invoices_changed AFTER UPDATE ON public.invoice REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.invoices_written();
CREATE TRIGGER invoices_taken AFTER DELETE ON public.invoice REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.invoices_written();
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;

-- public.invoice_group
  trader_id uuid NOT NULL
  provider_id uuid
  is_whole boolean NOT NULL GENERATED ALWAYS AS ((provider_id IS NULL)) STORED
  is_archived boolean NOT NULL
  reference text
  tab text NOT NULL GENERATED ALWAYS AS (
CASE
    WHEN is_archived THEN 'archived'::text
    WHEN (unpaid = 0) THEN 'paid'::text
    WHEN (pending > 0) THEN 'unpaid'::text
    ELSE 'other'::text
END) STORED
  invoices integer NOT NULL
  unpaid integer NOT NULL
  part_paid integer NOT NULL
  overpaid integer NOT NULL
  amount_units numeric(38,0) NOT NULL
  paid_units numeric(38,0) NOT NULL
  last_created timestamp with time zone NOT NULL
  last_updated timestamp with time zone NOT NULL
  cells bigint NOT NULL
  first_created timestamp with time zone NOT NULL
  min_amount numeric(38,0) NOT NULL
  max_amount numeric(38,0) NOT NULL
  unpaid_first_created timestamp with time zone
  unpaid_last_created timestamp with time zone
  unpaid_min_amount numeric(38,0)
  unpaid_max_amount numeric(38,0)
  first_due timestamp with time zone
  last_due timestamp with time zone
  is_shared boolean NOT NULL
  searched text GENERATED ALWAYS AS (lower(reference)) STORED
  pending integer NOT NULL
  pending_first_created timestamp with time zone
  pending_last_created timestamp with time zone
  pending_min_amount numeric(38,0)
  pending_max_amount numeric(38,0)
  whole_invoices integer NOT NULL
  amount_rank double precision NOT NULL GENERATED ALWAYS AS ((amount_units)::double precision) STORED
  CONSTRAINT invoice_group_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
  CONSTRAINT invoice_group_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE
  CONSTRAINT invoice_group_trader_id_is_archived_provider_id_key UNIQUE NULLS NOT DISTINCT (trader_id, is_archived, provider_id)
CREATE INDEX invoice_group_by_amount ON public.invoice_group USING btree (tab, amount_rank, amount_units, trader_id) INCLUDE (provider_id, is_archived, searched) WHERE (is_whole AND (reference IS NOT NULL));
CREATE INDEX invoice_group_by_created ON public.invoice_group USING btree (tab, last_created, trader_id) INCLUDE (provider_id, is_archived, searched) WHERE (is_whole AND (reference IS NOT NULL));
CREATE INDEX invoice_group_by_reference ON public.invoice_group USING btree (reference, trader_id);
CREATE INDEX invoice_group_by_updated ON public.invoice_group USING btree (tab, last_updated, trader_id) INCLUDE (provider_id, is_archived, searched) WHERE (is_whole AND (reference IS NOT NULL));
CREATE INDEX invoice_group_of_provider_by_amount ON public.invoice_group USING btree (provider_id, tab, amount_rank, amount_units, trader_id) INCLUDE (is_shared, is_archived, searched) WHERE ((NOT is_whole) AND (reference IS NOT NULL));
CREATE INDEX invoice_group_of_provider_by_created ON public.invoice_group USING btree (provider_id, tab, last_created, trader_id) INCLUDE (is_shared, is_archived, searched) WHERE ((NOT is_whole) AND (reference IS NOT NULL));
CREATE INDEX invoice_group_of_provider_by_updated ON public.invoice_group USING btree (provider_id, tab, last_updated, trader_id) INCLUDE (is_shared, is_archived, searched) WHERE ((NOT is_whole) AND (reference IS NOT NULL));
CREATE INDEX invoice_group_shared ON public.invoice_group USING btree (provider_id, trader_id) WHERE (is_shared AND (NOT is_whole));
ROW LEVEL SECURITY FORCED;
POLICY invoice_group_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])));
GRANT SELECT TO copydesk_app;

-- public.invoice_part
  trader_id uuid NOT NULL
  provider_id uuid
  community_id uuid NOT NULL
  exchange text
  invoice_type text NOT NULL
  status text NOT NULL
  is_archived boolean NOT NULL
  reference text
  invoices integer NOT NULL
  part_paid integer NOT NULL
  overpaid integer NOT NULL
  amount_units numeric(38,0) NOT NULL
  paid_units numeric(38,0) NOT NULL
  last_created timestamp with time zone NOT NULL
  last_updated timestamp with time zone NOT NULL
  first_created timestamp with time zone NOT NULL
  min_amount numeric(38,0) NOT NULL
  max_amount numeric(38,0) NOT NULL
  first_due timestamp with time zone
  last_due timestamp with time zone
  on_chain_units numeric(38,0) NOT NULL
  off_platform_units numeric(38,0) NOT NULL
  CONSTRAINT invoice_part_check CHECK ((app.invoice_cell(status, invoice_type, exchange) IS NOT NULL))
  CONSTRAINT invoice_part_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id)
  CONSTRAINT invoice_part_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
  CONSTRAINT invoice_part_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE
  CONSTRAINT invoice_part_trader_id_is_archived_provider_id_community_id_key UNIQUE NULLS NOT DISTINCT (trader_id, is_archived, provider_id, community_id, exchange, invoice_type, status) INCLUDE (reference, invoices, amount_units, last_created, last_updated)
CREATE INDEX invoice_part_by_community ON public.invoice_part USING btree (community_id);
CREATE INDEX invoice_part_by_created ON public.invoice_part USING btree (last_created);
CREATE INDEX invoice_part_by_provider ON public.invoice_part USING btree (provider_id, trader_id);
CREATE INDEX invoice_part_by_updated ON public.invoice_part USING btree (last_updated);
CREATE INDEX invoice_part_unknown ON public.invoice_part USING btree (trader_id) INCLUDE (provider_id, is_archived, reference, status, invoices, part_paid, overpaid, amount_units, paid_units, on_chain_units, off_platform_units, last_created, last_updated) WHERE (reference IS NULL);
ROW LEVEL SECURITY FORCED;
POLICY invoice_part_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])));
GRANT SELECT TO copydesk_app;

-- public.invoice_payment
  payment_id uuid NOT NULL
  invoice_id uuid NOT NULL
  provider_id uuid
  amount_units numeric(38,0) NOT NULL
  tip_units numeric(38,0) NOT NULL DEFAULT 0
  transaction_hash text
  received_at timestamp with time zone NOT NULL
  created_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT invoice_payment_amount_units_check CHECK ((amount_units > (0)::numeric))
  CONSTRAINT invoice_payment_check CHECK (((tip_units >= (0)::numeric) AND (tip_units <= amount_units)))
  CONSTRAINT invoice_payment_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoice(id) ON DELETE RESTRICT
  CONSTRAINT invoice_payment_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id) ON DELETE RESTRICT
  CONSTRAINT invoice_payment_pkey PRIMARY KEY (payment_id, invoice_id)
  CONSTRAINT invoice_payment_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
CREATE INDEX invoice_payment_by_hash ON public.invoice_payment USING btree (transaction_hash COLLATE "C") WHERE (transaction_hash IS NOT NULL);
CREATE INDEX invoice_payment_by_invoice ON public.invoice_payment USING btree (invoice_id);
CREATE INDEX invoice_payment_by_provider ON public.invoice_payment USING btree (provider_id);
ROW LEVEL SECURITY FORCED;
POLICY invoice_payment_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])));
CREATE TRIGGER payments_received AFTER INSERT ON public.invoice_payment REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payments_received();
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;

-- public.invoicing_problem
  run_id uuid NOT NULL
  trader_id uuid NOT NULL
  reason text NOT NULL
  created_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT invoicing_problem_pkey PRIMARY KEY (run_id, trader_id)
  CONSTRAINT invoicing_problem_reason_check CHECK ((reason = ANY (ARRAY['split_exceeds_invoice'::text, 'no_deposit_address'::text, 'failed'::text, 'unknown_profit'::text])))
  CONSTRAINT invoicing_problem_run_id_fkey FOREIGN KEY (run_id) REFERENCES invoicing_run(id) ON DELETE CASCADE
  CONSTRAINT invoicing_problem_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE
ROW LEVEL SECURITY FORCED;
POLICY invoicing_problem_scope FOR ALL
  USING ( SELECT app.sees_all() AS sees_all);
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.invoicing_run
  id uuid NOT NULL DEFAULT gen_random_uuid()
  trader_id uuid
  community_id uuid
  state text NOT NULL DEFAULT 'running'::text
  version integer NOT NULL DEFAULT 1
  leased_until timestamp with time zone
  after_trader_id uuid
  traders integer NOT NULL DEFAULT 0
  positions integer NOT NULL DEFAULT 0
  invoices integer NOT NULL DEFAULT 0
  amount_units numeric(38,0) NOT NULL DEFAULT 0
  requested_by text NOT NULL
  created_at timestamp with time zone NOT NULL DEFAULT now()
  finished_at timestamp with time zone
  CONSTRAINT invoicing_run_check CHECK ((num_nonnulls(trader_id, community_id) < 2))
  CONSTRAINT invoicing_run_check1 CHECK (((state = 'done'::text) = (finished_at IS NOT NULL)))
  CONSTRAINT invoicing_run_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id) ON DELETE CASCADE
  CONSTRAINT invoicing_run_pkey PRIMARY KEY (id)
  CONSTRAINT invoicing_run_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text])))
  CONSTRAINT invoicing_run_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE
CREATE INDEX invoicing_run_by_created ON public.invoicing_run USING btree (created_at DESC, id);
CREATE UNIQUE INDEX invoicing_run_under_way ON public.invoicing_run USING btree (COALESCE(trader_id, community_id)) NULLS NOT DISTINCT WHERE (state = 'running'::text);
ROW LEVEL SECURITY FORCED;
POLICY invoicing_run_scope FOR ALL
  USING ( SELECT app.sees_all() AS sees_all);
CREATE TRIGGER invoicing_run_begun AFTER INSERT ON public.invoicing_run FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.journal
  id uuid NOT NULL DEFAULT gen_random_uuid()
  kind text NOT NULL
  source_type text NOT NULL
  source_id text NOT NULL
  provider_id uuid
  reverses uuid
  actor_kind text NOT NULL
  actor_id text NOT NULL
  actor_name text NOT NULL
  created_at timestamp with time zone NOT NULL DEFAULT now()
  xid xid8 NOT NULL DEFAULT pg_current_xact_id()
  CONSTRAINT journal_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'service'::text, 'system'::text])))
  CONSTRAINT journal_balanced TRIGGER DEFERRABLE INITIALLY DEFERRED
  CONSTRAINT journal_check CHECK ((reverses <> id))
  CONSTRAINT journal_check1 CHECK (((kind = 'reversal'::text) = (reverses IS NOT NULL)))
  CONSTRAINT journal_kind_check CHECK ((kind ~ '^[a-z_]+$'::text))
  CONSTRAINT journal_pkey PRIMARY KEY (id)
  CONSTRAINT journal_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
  CONSTRAINT journal_reverses_fkey FOREIGN KEY (reverses) REFERENCES journal(id)
  CONSTRAINT journal_reverses_key UNIQUE (reverses)
  CONSTRAINT journal_source_id_check CHECK ((source_id <> ''::text))
  CONSTRAINT journal_source_type_check CHECK ((source_type ~ '^[a-z_]+$'::text))
  CONSTRAINT journal_source_type_source_id_kind_key UNIQUE (source_type, source_id, kind)
CREATE INDEX journal_by_created ON public.journal USING btree (created_at);
ROW LEVEL SECURITY FORCED;
POLICY journal_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])) OR (EXISTS ( SELECT
   FROM posting p
  WHERE ((p.journal_id = journal.id) AND (p.provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[]))))))
  WITH CHECK ( SELECT app.sees_all() AS sees_all);
CREATE TRIGGER journal_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.journal FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();
CREATE CONSTRAINT TRIGGER journal_balanced AFTER INSERT ON public.journal DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION app.check_journal();
GRANT SELECT TO copydesk_app;

-- public.ledger_account
  id uuid NOT NULL DEFAULT gen_random_uuid()
  kind text NOT NULL
  owner_id uuid NOT NULL
  asset text NOT NULL
  provider_id uuid
  side smallint NOT NULL GENERATED ALWAYS AS (
CASE
    WHEN (kind = ANY (ARRAY['deposit_wallet'::text, 'community_wallet'::text, 'gas_wallet'::text, 'receivable'::text, 'gas_spent'::text])) THEN 1
    ELSE '-1'::integer
END) STORED
  allow_negative boolean NOT NULL GENERATED ALWAYS AS ((kind = 'platform'::text)) STORED
  created_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT ledger_account_asset_check CHECK ((asset = ANY (ARRAY['USDT'::text, 'BNB'::text])))
  CONSTRAINT ledger_account_check CHECK (((kind = ANY (ARRAY['gas_wallet'::text, 'gas_spent'::text, 'platform'::text])) = (owner_id = '00000000-0000-0000-0000-000000000000'::uuid)))
  CONSTRAINT ledger_account_check1 CHECK (((provider_id IS NULL) OR (kind = ANY (ARRAY['receivable'::text, 'billed'::text, 'held'::text])) OR (kind ~~ 'payable\_%'::text)))
  CONSTRAINT ledger_account_id_allow_negative_key UNIQUE (id, allow_negative)
  CONSTRAINT ledger_account_id_asset_key UNIQUE (id, asset)
  CONSTRAINT ledger_account_kind_check CHECK ((kind = ANY (ARRAY['deposit_wallet'::text, 'community_wallet'::text, 'gas_wallet'::text, 'receivable'::text, 'gas_spent'::text, 'trader_deposit'::text, 'billed'::text, 'held'::text, 'payable_mark'::text, 'payable_community'::text, 'payable_community_referrer'::text, 'payable_trader_referrer'::text, 'payable_hexmount'::text, 'payable_sixk'::text, 'payable_tip'::text, 'platform'::text])))
  CONSTRAINT ledger_account_kind_owner_id_asset_key UNIQUE (kind, owner_id, asset)
  CONSTRAINT ledger_account_pkey PRIMARY KEY (id)
  CONSTRAINT ledger_account_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
CREATE INDEX ledger_account_by_owner ON public.ledger_account USING btree (owner_id);
ROW LEVEL SECURITY FORCED;
POLICY ledger_account_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])) OR ((kind = ANY (ARRAY['trader_deposit'::text, 'deposit_wallet'::text])) AND (EXISTS ( SELECT
   FROM trader t
  WHERE (t.id = ledger_account.owner_id)))))
  WITH CHECK ( SELECT app.sees_all() AS sees_all);
CREATE TRIGGER ledger_account_added AFTER INSERT ON public.ledger_account REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.open_balances();
CREATE TRIGGER ledger_account_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_account FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();
GRANT SELECT TO copydesk_app;

-- public.ledger_balance
  account_id uuid NOT NULL
  allow_negative boolean NOT NULL
  posted numeric(38,0) NOT NULL DEFAULT 0
  pending numeric(38,0) NOT NULL DEFAULT 0
  CONSTRAINT ledger_balance_account_id_allow_negative_fkey FOREIGN KEY (account_id, allow_negative) REFERENCES ledger_account(id, allow_negative)
  CONSTRAINT ledger_balance_covered CHECK ((allow_negative OR ((posted - pending) >= (0)::numeric)))
  CONSTRAINT ledger_balance_pending_check CHECK (((pending >= (0)::numeric) AND (pending <> 'NaN'::numeric)))
  CONSTRAINT ledger_balance_pkey PRIMARY KEY (account_id)
ROW LEVEL SECURITY FORCED;
POLICY ledger_balance_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (EXISTS ( SELECT
   FROM ledger_account a
  WHERE ((a.id = ledger_balance.account_id) AND (a.provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[]))))))
  WITH CHECK ( SELECT app.sees_all() AS sees_all);
CREATE TRIGGER ledger_balance_append_only BEFORE DELETE OR TRUNCATE ON public.ledger_balance FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();
GRANT SELECT TO copydesk_app;

-- public.ledger_reservation
  id uuid NOT NULL DEFAULT gen_random_uuid()
  account_id uuid NOT NULL
  amount numeric(38,0) NOT NULL
  source_type text NOT NULL
  source_id text NOT NULL
  actor_kind text NOT NULL
  actor_id text NOT NULL
  actor_name text NOT NULL
  created_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT ledger_reservation_account_id_fkey FOREIGN KEY (account_id) REFERENCES ledger_account(id)
  CONSTRAINT ledger_reservation_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'service'::text, 'system'::text])))
  CONSTRAINT ledger_reservation_amount_check CHECK (((amount > (0)::numeric) AND (amount <> 'NaN'::numeric)))
  CONSTRAINT ledger_reservation_pkey PRIMARY KEY (id)
  CONSTRAINT ledger_reservation_source_id_check CHECK ((source_id <> ''::text))
  CONSTRAINT ledger_reservation_source_type_check CHECK ((source_type ~ '^[a-z_]+$'::text))
  CONSTRAINT ledger_reservation_source_type_source_id_account_id_key UNIQUE (source_type, source_id, account_id)
CREATE INDEX ledger_reservation_of_account ON public.ledger_reservation USING btree (account_id);
ROW LEVEL SECURITY FORCED;
POLICY ledger_reservation_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (EXISTS ( SELECT
   FROM ledger_account a
  WHERE ((a.id = ledger_reservation.account_id) AND (a.provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[]))))))
  WITH CHECK ( SELECT app.sees_all() AS sees_all);
CREATE TRIGGER ledger_reservation_added AFTER INSERT ON public.ledger_reservation REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.reserve_balances();
CREATE TRIGGER ledger_reservation_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_reservation FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();
GRANT SELECT TO copydesk_app;

-- public.ledger_reservation_end
  reservation_id uuid NOT NULL
  journal_id uuid
  actor_kind text NOT NULL
  actor_id text NOT NULL
  actor_name text NOT NULL
  created_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT ledger_reservation_end_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'service'::text, 'system'::text])))
  CONSTRAINT ledger_reservation_end_journal_id_fkey FOREIGN KEY (journal_id) REFERENCES journal(id)
  CONSTRAINT ledger_reservation_end_pkey PRIMARY KEY (reservation_id)
  CONSTRAINT ledger_reservation_end_reservation_id_fkey FOREIGN KEY (reservation_id) REFERENCES ledger_reservation(id)
CREATE INDEX ledger_reservation_end_of_journal ON public.ledger_reservation_end USING btree (journal_id) WHERE (journal_id IS NOT NULL);
ROW LEVEL SECURITY FORCED;
POLICY ledger_reservation_end_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (EXISTS ( SELECT
   FROM ledger_reservation r
  WHERE (r.id = ledger_reservation_end.reservation_id))))
  WITH CHECK ( SELECT app.sees_all() AS sees_all);
CREATE TRIGGER ledger_reservation_end_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_reservation_end FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER ledger_reservation_ended AFTER INSERT ON public.ledger_reservation_end REFERENCING NEW TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION app.release_balances();
GRANT SELECT TO copydesk_app;

-- public.message
  id uuid NOT NULL DEFAULT gen_random_uuid()
  trader_id uuid NOT NULL
  provider_id uuid
  invoice_id uuid
  kind text NOT NULL
  language text NOT NULL
  text text NOT NULL
  dedupe_key text NOT NULL
  state text NOT NULL DEFAULT 'queued'::text
  attempts integer NOT NULL DEFAULT 0
  due_at timestamp with time zone NOT NULL DEFAULT now()
  leased_until timestamp with time zone
  lease_number bigint NOT NULL DEFAULT 0
  problem text
  problem_detail text
  telegram_message_id bigint
  requested_by text NOT NULL
  created_at timestamp with time zone NOT NULL DEFAULT now()
  sent_at timestamp with time zone
  CONSTRAINT message_check CHECK (((state = 'sent'::text) = (sent_at IS NOT NULL)))
  CONSTRAINT message_dedupe_key_key UNIQUE (dedupe_key)
  CONSTRAINT message_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoice(id)
  CONSTRAINT message_kind_check CHECK ((kind = ANY (ARRAY['invoice_created'::text, 'invoice_due_soon'::text, 'invoice_overdue'::text, 'invoice_paid'::text, 'unpaid_invoices'::text])))
  CONSTRAINT message_language_check CHECK ((language = ANY (ARRAY['en'::text, 'es'::text, 'ar'::text, 'pl'::text, 'ru'::text])))
  CONSTRAINT message_pkey PRIMARY KEY (id)
  CONSTRAINT message_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
  CONSTRAINT message_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text])))
  CONSTRAINT message_text_check CHECK ((text <> ''::text))
  CONSTRAINT message_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE
CREATE INDEX message_by_created ON public.message USING btree (created_at DESC, id);
CREATE INDEX message_by_invoice ON public.message USING btree (invoice_id) WHERE (invoice_id IS NOT NULL);
CREATE INDEX message_by_provider ON public.message USING btree (provider_id, created_at DESC, id);
CREATE INDEX message_by_trader ON public.message USING btree (trader_id, created_at DESC, id);
CREATE INDEX message_failed ON public.message USING btree (created_at DESC, id) WHERE (state = 'failed'::text);
CREATE INDEX message_queued ON public.message USING btree (due_at) WHERE (state = 'queued'::text);
ROW LEVEL SECURITY FORCED;
POLICY message_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])));
CREATE TRIGGER message_again AFTER UPDATE OF state ON public.message FOR EACH ROW WHEN (((new.state = 'queued'::text) AND (old.state <> 'queued'::text))) EXECUTE FUNCTION app.announce_work();
CREATE TRIGGER message_moved AFTER UPDATE OF state ON public.message FOR EACH ROW WHEN ((new.state <> old.state)) EXECUTE FUNCTION app.message_moved();
CREATE TRIGGER message_queued AFTER INSERT ON public.message FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.open_position
  id uuid NOT NULL DEFAULT gen_random_uuid()
  account_id uuid NOT NULL
  trader_id uuid NOT NULL
  provider_id uuid NOT NULL
  symbol text NOT NULL
  side text NOT NULL
  entry_price numeric NOT NULL
  mark_price numeric
  leverage numeric
  contracts numeric NOT NULL
  unrealized_pnl numeric
  opened_at timestamp with time zone
  read_at timestamp with time zone NOT NULL
  CONSTRAINT open_position_account_id_fkey FOREIGN KEY (account_id) REFERENCES exchange_account(id) ON DELETE CASCADE
  CONSTRAINT open_position_pkey PRIMARY KEY (id)
  CONSTRAINT open_position_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
  CONSTRAINT open_position_side_check CHECK ((side = ANY (ARRAY['long'::text, 'short'::text])))
  CONSTRAINT open_position_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id)
CREATE INDEX open_position_by_account ON public.open_position USING btree (account_id);
CREATE INDEX open_position_by_provider ON public.open_position USING btree (provider_id);
CREATE INDEX open_position_by_trader ON public.open_position USING btree (trader_id);
ROW LEVEL SECURITY FORCED;
POLICY open_position_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])));
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.payable
  id uuid NOT NULL DEFAULT gen_random_uuid()
  invoice_id uuid NOT NULL
  community_id uuid NOT NULL
  provider_id uuid
  recipient_type text NOT NULL
  recipient_address text
  amount_units numeric(38,0) NOT NULL
  payout_id uuid
  paid_at timestamp with time zone
  created_at timestamp with time zone NOT NULL DEFAULT now()
  payment_id uuid
  consolidation_id uuid
  settled_at timestamp with time zone
  CONSTRAINT payable_amount_units_check CHECK ((amount_units > (0)::numeric))
  CONSTRAINT payable_check CHECK (((paid_at IS NULL) OR (payout_id IS NOT NULL)))
  CONSTRAINT payable_check1 CHECK (((recipient_address IS NOT NULL) OR (payout_id IS NULL)))
  CONSTRAINT payable_check2 CHECK (((payment_id IS NULL) OR (recipient_type = 'tip'::text)))
  CONSTRAINT payable_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id)
  CONSTRAINT payable_consolidation_id_fkey FOREIGN KEY (consolidation_id) REFERENCES transfer(id) ON DELETE RESTRICT
  CONSTRAINT payable_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoice(id) ON DELETE RESTRICT
  CONSTRAINT payable_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id)
  CONSTRAINT payable_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES payout(id) ON DELETE RESTRICT
  CONSTRAINT payable_pkey PRIMARY KEY (id)
  CONSTRAINT payable_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
  CONSTRAINT payable_recipient_address_check CHECK ((recipient_address ~ '^0x[0-9a-fA-F]{40}$'::text))
  CONSTRAINT payable_recipient_type_check CHECK ((recipient_type = ANY (ARRAY['mark'::text, 'community'::text, 'community_referrer'::text, 'trader_referrer'::text, 'hexmount'::text, 'sixk'::text, 'tip'::text])))
  CONSTRAINT payable_settled CHECK (((settled_at IS NULL) OR ((paid_at IS NULL) AND (payout_id IS NULL))))
CREATE INDEX payable_by_consolidation ON public.payable USING btree (consolidation_id) WHERE (consolidation_id IS NOT NULL);
CREATE INDEX payable_by_payout ON public.payable USING btree (payout_id, provider_id);
CREATE INDEX payable_by_provider ON public.payable USING btree (provider_id);
CREATE UNIQUE INDEX payable_once ON public.payable USING btree (invoice_id, recipient_type, payment_id) NULLS NOT DISTINCT;
CREATE INDEX payable_paid ON public.payable USING btree (community_id, paid_at) INCLUDE (provider_id, amount_units) WHERE (paid_at IS NOT NULL);
CREATE INDEX payable_pending ON public.payable USING btree (community_id) WHERE ((payout_id IS NULL) AND (settled_at IS NULL));
CREATE INDEX payable_unpaid ON public.payable USING btree (community_id) WHERE ((paid_at IS NULL) AND (settled_at IS NULL));
ROW LEVEL SECURITY FORCED;
POLICY payable_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])))
  WITH CHECK ( SELECT app.sees_all() AS sees_all);
CREATE TRIGGER payables_added AFTER INSERT ON public.payable REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payables_written();
CREATE TRIGGER payables_changed AFTER UPDATE ON public.payable REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payables_written();
CREATE TRIGGER payables_taken AFTER DELETE ON public.payable REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.payables_written();
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.payment
  id uuid NOT NULL DEFAULT gen_random_uuid()
  trader_id uuid NOT NULL
  amount_units numeric(38,0) NOT NULL
  open_units numeric(38,0) NOT NULL
  source_type text NOT NULL
  source_id text NOT NULL
  transaction_hash text
  received_at timestamp with time zone NOT NULL
  created_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT payment_amount_units_check CHECK ((amount_units > (0)::numeric))
  CONSTRAINT payment_check CHECK (((open_units >= (0)::numeric) AND (open_units <= amount_units)))
  CONSTRAINT payment_pkey PRIMARY KEY (id)
  CONSTRAINT payment_source_id_check CHECK ((source_id <> ''::text))
  CONSTRAINT payment_source_type_check CHECK ((source_type ~ '^[a-z_]+$'::text))
  CONSTRAINT payment_source_type_source_id_key UNIQUE (source_type, source_id)
  CONSTRAINT payment_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE RESTRICT
  CONSTRAINT payment_transaction_hash_check CHECK ((transaction_hash ~ '^0x[0-9a-f]{64}$'::text))
CREATE INDEX payment_by_trader ON public.payment USING btree (trader_id, received_at);
CREATE INDEX payment_open ON public.payment USING btree (trader_id) WHERE (open_units > (0)::numeric);
ROW LEVEL SECURITY FORCED;
POLICY payment_scope FOR ALL
  USING ( SELECT app.sees_all() AS sees_all);
CREATE TRIGGER payments_booked AFTER INSERT ON public.payment REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payments_booked();
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;

-- public.payout
  id uuid NOT NULL DEFAULT gen_random_uuid()
  community_id uuid NOT NULL
  status text NOT NULL DEFAULT 'pending'::text
  version integer NOT NULL DEFAULT 1
  recipient_type text NOT NULL
  recipient_address text NOT NULL
  amount_units numeric(38,0) NOT NULL
  consolidate_transaction_hash text
  distribute_transaction_hash text
  created_at timestamp with time zone NOT NULL DEFAULT now()
  updated_at timestamp with time zone NOT NULL DEFAULT now()
  recipient_search text GENERATED ALWAYS AS (lower(recipient_address)) STORED
  distribution_id uuid
  problem text
  ordered_at timestamp with time zone
  ordered_by_id text
  CONSTRAINT payout_amount_units_check CHECK ((amount_units > (0)::numeric))
  CONSTRAINT payout_check CHECK (((status <> 'distributed'::text) OR (distribute_transaction_hash IS NOT NULL)))
  CONSTRAINT payout_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id)
  CONSTRAINT payout_consolidate_transaction_hash_check CHECK ((consolidate_transaction_hash ~ '^0x[0-9a-f]{64}$'::text))
  CONSTRAINT payout_distribute_transaction_hash_check CHECK ((distribute_transaction_hash ~ '^0x[0-9a-f]{64}$'::text))
  CONSTRAINT payout_distribution_id_fkey FOREIGN KEY (distribution_id) REFERENCES distribution(id) ON DELETE RESTRICT
  CONSTRAINT payout_ordered CHECK ((((distribution_id IS NULL) = (ordered_at IS NULL)) AND ((distribution_id IS NULL) = (ordered_by_id IS NULL))))
  CONSTRAINT payout_pkey PRIMARY KEY (id)
  CONSTRAINT payout_problem_check CHECK ((problem ~ '^[a-z_]+$'::text))
  CONSTRAINT payout_recipient_address_check CHECK ((recipient_address ~ '^0x[0-9a-fA-F]{40}$'::text))
  CONSTRAINT payout_recipient_type_check CHECK ((recipient_type = ANY (ARRAY['mark'::text, 'community'::text, 'community_referrer'::text, 'trader_referrer'::text, 'hexmount'::text, 'sixk'::text, 'tip'::text])))
  CONSTRAINT payout_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'consolidating'::text, 'consolidated'::text, 'distributing'::text, 'distributed'::text, 'failed'::text])))
CREATE INDEX payout_by_community ON public.payout USING btree (community_id, created_at DESC);
CREATE INDEX payout_by_consolidation ON public.payout USING btree (consolidate_transaction_hash COLLATE "C") INCLUDE (id);
CREATE INDEX payout_by_created ON public.payout USING btree (created_at DESC, id);
CREATE INDEX payout_by_distribution ON public.payout USING btree (distribute_transaction_hash COLLATE "C") INCLUDE (id);
CREATE INDEX payout_by_recipient ON public.payout USING btree (recipient_search) INCLUDE (id);
CREATE INDEX payout_of_distribution ON public.payout USING btree (distribution_id) WHERE (distribution_id IS NOT NULL);
CREATE INDEX payout_ordered_by ON public.payout USING btree (ordered_by_id, ordered_at) WHERE (ordered_at IS NOT NULL);
CREATE INDEX payout_ordered_in ON public.payout USING btree (community_id, ordered_at) WHERE (ordered_at IS NOT NULL);
ROW LEVEL SECURITY FORCED;
POLICY payout_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (EXISTS ( SELECT
   FROM payable p
  WHERE ((p.payout_id = payout.id) AND (p.provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[]))))))
  WITH CHECK ( SELECT app.sees_all() AS sees_all);
CREATE TRIGGER payouts_added AFTER INSERT ON public.payout REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payouts_written();
CREATE TRIGGER payouts_changed AFTER UPDATE ON public.payout REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payouts_written();
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.payout_address_change
  id uuid NOT NULL DEFAULT gen_random_uuid()
  owner_kind text NOT NULL
  owner_id text NOT NULL
  address text
  previous_address text
  changed_at timestamp with time zone NOT NULL DEFAULT now()
  changed_by_id text NOT NULL
  released_at timestamp with time zone
  released_by_id text
  released_by text
  CONSTRAINT payout_address_change_check CHECK ((((released_at IS NULL) = (released_by_id IS NULL)) AND ((released_at IS NULL) = (released_by IS NULL))))
  CONSTRAINT payout_address_change_check1 CHECK ((released_by_id <> changed_by_id))
  CONSTRAINT payout_address_change_owner_kind_check CHECK ((owner_kind = ANY (ARRAY['provider'::text, 'community'::text, 'community_referrer'::text, 'trader'::text, 'platform'::text])))
  CONSTRAINT payout_address_change_owner_kind_owner_id_key UNIQUE (owner_kind, owner_id)
  CONSTRAINT payout_address_change_pkey PRIMARY KEY (id)
ROW LEVEL SECURITY FORCED;
POLICY payout_address_change_scope FOR ALL
  USING ( SELECT app.sees_all() AS sees_all);
GRANT SELECT TO copydesk_app;

-- public.payout_in_set
  set_id integer NOT NULL
  payout_id uuid NOT NULL
  community_id uuid NOT NULL
  recipient_type text NOT NULL
  status text NOT NULL
  amount_units numeric(38,0) NOT NULL
  created_at timestamp with time zone NOT NULL
  amount_rank double precision NOT NULL GENERATED ALWAYS AS ((amount_units)::double precision) STORED
  CONSTRAINT payout_in_set_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES payout(id) ON DELETE RESTRICT
  CONSTRAINT payout_in_set_pkey PRIMARY KEY (set_id, payout_id)
  CONSTRAINT payout_in_set_set_id_fkey FOREIGN KEY (set_id) REFERENCES provider_set(id) ON DELETE CASCADE
CREATE INDEX payout_in_set_by_amount ON public.payout_in_set USING btree (set_id, amount_rank, amount_units, payout_id);
CREATE INDEX payout_in_set_by_community ON public.payout_in_set USING btree (set_id, community_id, created_at, payout_id);
CREATE INDEX payout_in_set_by_created ON public.payout_in_set USING btree (set_id, created_at, payout_id);
CREATE INDEX payout_in_set_by_payout ON public.payout_in_set USING btree (payout_id);
CREATE INDEX payout_in_set_by_status ON public.payout_in_set USING btree (set_id, status, created_at, payout_id);
CREATE INDEX payout_in_set_by_type ON public.payout_in_set USING btree (set_id, recipient_type, created_at, payout_id);
ROW LEVEL SECURITY FORCED;
POLICY payout_in_set_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (set_id = ( SELECT app.provider_set() AS provider_set)));
GRANT SELECT TO copydesk_app;

-- public.payout_provider
  payout_id uuid NOT NULL
  provider_id uuid
  provider_ids uuid[] NOT NULL
  community_id uuid NOT NULL
  recipient_type text NOT NULL
  status text NOT NULL
  amount_units numeric(38,0) NOT NULL
  created_at timestamp with time zone NOT NULL
  is_shared boolean NOT NULL GENERATED ALWAYS AS ((cardinality(provider_ids) > 1)) STORED
  amount_rank double precision NOT NULL GENERATED ALWAYS AS ((amount_units)::double precision) STORED
  CONSTRAINT payout_provider_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id)
  CONSTRAINT payout_provider_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES payout(id) ON DELETE RESTRICT
  CONSTRAINT payout_provider_payout_id_provider_id_amount_units_key UNIQUE NULLS NOT DISTINCT (payout_id, provider_id) INCLUDE (amount_units)
  CONSTRAINT payout_provider_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
CREATE INDEX payout_provider_by_amount ON public.payout_provider USING btree (provider_id, amount_rank, amount_units, payout_id) INCLUDE (community_id, recipient_type, status, created_at, is_shared);
CREATE INDEX payout_provider_by_cell ON public.payout_provider USING btree (community_id, recipient_type, created_at) INCLUDE (provider_id);
CREATE INDEX payout_provider_by_community ON public.payout_provider USING btree (provider_id, community_id, created_at, payout_id) INCLUDE (recipient_type, status, is_shared);
CREATE INDEX payout_provider_by_created ON public.payout_provider USING btree (provider_id, created_at, payout_id) INCLUDE (community_id, recipient_type, status, is_shared);
CREATE INDEX payout_provider_by_status ON public.payout_provider USING btree (provider_id, status, created_at, payout_id) INCLUDE (community_id, recipient_type, is_shared);
CREATE INDEX payout_provider_by_type ON public.payout_provider USING btree (provider_id, recipient_type, created_at, payout_id) INCLUDE (community_id, status, is_shared);
ROW LEVEL SECURITY FORCED;
POLICY payout_provider_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])));
CREATE TRIGGER parts_added AFTER INSERT ON public.payout_provider REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payout_parts_written();
CREATE TRIGGER parts_taken AFTER DELETE ON public.payout_provider REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.payout_parts_written();
GRANT SELECT TO copydesk_app;

-- public.payout_sum
  grain text NOT NULL
  period date NOT NULL
  provider_id uuid
  provider_ids uuid[] NOT NULL
  community_id uuid NOT NULL
  recipient_type text NOT NULL
  status text NOT NULL
  payouts integer NOT NULL
  amount_units numeric(38,0) NOT NULL
  first_created timestamp with time zone NOT NULL
  last_created timestamp with time zone NOT NULL
  CONSTRAINT payout_sum_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id)
  CONSTRAINT payout_sum_community_id_recipient_type_grain_period_provide_key UNIQUE NULLS NOT DISTINCT (community_id, recipient_type, grain, period, provider_id, provider_ids, status)
  CONSTRAINT payout_sum_grain_check CHECK ((grain = ANY (ARRAY['day'::text, 'month'::text])))
  CONSTRAINT payout_sum_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
CREATE INDEX payout_sum_by_period ON public.payout_sum USING btree (provider_id, grain, period) INCLUDE (provider_ids, community_id, recipient_type, status, payouts, amount_units, first_created, last_created);
ROW LEVEL SECURITY FORCED;
POLICY payout_sum_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])));
GRANT SELECT TO copydesk_app;

-- public.platform_recipient
  recipient_type text NOT NULL
  address text
  CONSTRAINT platform_recipient_address_check CHECK ((address ~ '^0x[0-9a-fA-F]{40}$'::text))
  CONSTRAINT platform_recipient_pkey PRIMARY KEY (recipient_type)
  CONSTRAINT platform_recipient_recipient_type_check CHECK ((recipient_type = ANY (ARRAY['hexmount'::text, 'sixk'::text, 'tip'::text])))
ROW LEVEL SECURITY OFF;
CREATE TRIGGER payout_address_changed AFTER UPDATE OF address ON public.platform_recipient FOR EACH ROW WHEN (((lower(new.address) IS DISTINCT FROM lower(old.address)) AND (CURRENT_USER = 'copydesk_app'::name))) EXECUTE FUNCTION app.note_payout_address('platform', 'recipient_type', 'address');
GRANT SELECT TO copydesk_app;

-- public.pool_balance
  pooled_account_id uuid NOT NULL
  trader_id uuid NOT NULL
  virtual_units numeric(38,0) NOT NULL DEFAULT 0
  updated_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT pool_balance_pkey PRIMARY KEY (pooled_account_id, trader_id)
  CONSTRAINT pool_balance_pooled_account_id_fkey FOREIGN KEY (pooled_account_id) REFERENCES pooled_account(id) ON DELETE RESTRICT
  CONSTRAINT pool_balance_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE RESTRICT
  CONSTRAINT pool_balance_virtual_units_check CHECK ((virtual_units >= (0)::numeric))
CREATE INDEX pool_balance_by_trader ON public.pool_balance USING btree (trader_id);
ROW LEVEL SECURITY FORCED;
POLICY pool_balance_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (EXISTS ( SELECT
   FROM trader t
  WHERE (t.id = pool_balance.trader_id))));
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.pool_transaction
  id uuid NOT NULL DEFAULT gen_random_uuid()
  pooled_account_id uuid NOT NULL
  trader_id uuid NOT NULL
  cycle_id uuid NOT NULL
  kind text NOT NULL
  status text NOT NULL DEFAULT 'pending'::text
  amount_units numeric(38,0) NOT NULL
  transaction_hash text
  created_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT pool_transaction_amount_units_check CHECK ((amount_units > (0)::numeric))
  CONSTRAINT pool_transaction_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES harvest_cycle(id) ON DELETE RESTRICT
  CONSTRAINT pool_transaction_kind_check CHECK ((kind = ANY (ARRAY['deposit'::text, 'withdrawal'::text, 'profit'::text, 'loss'::text])))
  CONSTRAINT pool_transaction_pkey PRIMARY KEY (id)
  CONSTRAINT pool_transaction_pooled_account_id_fkey FOREIGN KEY (pooled_account_id) REFERENCES pooled_account(id) ON DELETE RESTRICT
  CONSTRAINT pool_transaction_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text, 'failed'::text])))
  CONSTRAINT pool_transaction_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE RESTRICT
  CONSTRAINT pool_transaction_transaction_hash_check CHECK ((transaction_hash ~ '^0x[0-9a-f]{64}$'::text))
CREATE INDEX pool_transaction_by_cycle ON public.pool_transaction USING btree (cycle_id);
CREATE INDEX pool_transaction_by_pool ON public.pool_transaction USING btree (pooled_account_id, created_at DESC);
CREATE INDEX pool_transaction_by_trader ON public.pool_transaction USING btree (trader_id);
ROW LEVEL SECURITY FORCED;
POLICY pool_transaction_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (EXISTS ( SELECT
   FROM trader t
  WHERE (t.id = pool_transaction.trader_id))));
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.pooled_account
  id uuid NOT NULL DEFAULT gen_random_uuid()
  community_id uuid NOT NULL
  is_active boolean NOT NULL DEFAULT true
  minimum_deposit_units numeric(38,0) NOT NULL
  proxy_address text NOT NULL
  proxy_balance_units numeric(38,0) NOT NULL DEFAULT 0
  bybit_uid text
  created_at timestamp with time zone NOT NULL DEFAULT now()
  updated_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT pooled_account_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id)
  CONSTRAINT pooled_account_community_id_key UNIQUE (community_id)
  CONSTRAINT pooled_account_minimum_deposit_units_check CHECK ((minimum_deposit_units > (0)::numeric))
  CONSTRAINT pooled_account_pkey PRIMARY KEY (id)
  CONSTRAINT pooled_account_proxy_address_check CHECK ((proxy_address ~ '^0x[0-9a-fA-F]{40}$'::text))
  CONSTRAINT pooled_account_proxy_balance_units_check CHECK ((proxy_balance_units >= (0)::numeric))
ROW LEVEL SECURITY FORCED;
POLICY pooled_account_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (EXISTS ( SELECT
   FROM community c
  WHERE (c.id = pooled_account.community_id))));
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.posting
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY
  journal_id uuid NOT NULL
  account_id uuid NOT NULL
  asset text NOT NULL
  provider_id uuid
  amount numeric(38,0) NOT NULL
  CONSTRAINT posting_account_id_asset_fkey FOREIGN KEY (account_id, asset) REFERENCES ledger_account(id, asset)
  CONSTRAINT posting_amount_check CHECK (((amount <> (0)::numeric) AND (amount <> 'NaN'::numeric)))
  CONSTRAINT posting_journal_id_account_id_key UNIQUE (journal_id, account_id)
  CONSTRAINT posting_journal_id_fkey FOREIGN KEY (journal_id) REFERENCES journal(id)
  CONSTRAINT posting_pkey PRIMARY KEY (id)
  CONSTRAINT posting_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
CREATE INDEX posting_of_account ON public.posting USING btree (account_id, id DESC) INCLUDE (amount);
ROW LEVEL SECURITY FORCED;
POLICY posting_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])))
  WITH CHECK ( SELECT app.sees_all() AS sees_all);
CREATE TRIGGER posting_added AFTER INSERT ON public.posting REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.post_to_balances();
CREATE TRIGGER posting_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.posting FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();
GRANT SELECT TO copydesk_app;

-- public.provider
  id uuid NOT NULL DEFAULT gen_random_uuid()
  name text NOT NULL
  display_name text NOT NULL
  payment_split_percentage numeric(5,4) NOT NULL DEFAULT 0.35
  minimum_commission_rate numeric(5,4) NOT NULL DEFAULT 0
  supported_exchanges text[] NOT NULL DEFAULT '{}'::text[]
  telegram_admin_channel_id text
  is_active boolean NOT NULL DEFAULT true
  invoicing_enabled boolean NOT NULL DEFAULT true
  created_at timestamp with time zone NOT NULL DEFAULT now()
  updated_at timestamp with time zone NOT NULL DEFAULT now()
  payout_address text
  reveal_super_only boolean NOT NULL DEFAULT false
  CONSTRAINT provider_display_name_check CHECK ((display_name <> ''::text))
  CONSTRAINT provider_minimum_commission_rate_check CHECK (((minimum_commission_rate >= (0)::numeric) AND (minimum_commission_rate <= (1)::numeric)))
  CONSTRAINT provider_name_check CHECK ((name <> ''::text))
  CONSTRAINT provider_name_key UNIQUE (name)
  CONSTRAINT provider_payment_split_percentage_check CHECK (((payment_split_percentage >= (0)::numeric) AND (payment_split_percentage <= (1)::numeric)))
  CONSTRAINT provider_payout_address_check CHECK ((payout_address ~ '^0x[0-9a-fA-F]{40}$'::text))
  CONSTRAINT provider_pkey PRIMARY KEY (id)
  CONSTRAINT provider_supported_exchanges_check CHECK ((supported_exchanges <@ ARRAY['bybit'::text, 'binance'::text, 'okx'::text, 'kucoin'::text, 'hyperliquid'::text]))
ROW LEVEL SECURITY FORCED;
POLICY provider_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])))
  WITH CHECK ( SELECT app.sees_all() AS sees_all);
CREATE TRIGGER payout_address_changed AFTER UPDATE OF payout_address ON public.provider FOR EACH ROW WHEN (((lower(new.payout_address) IS DISTINCT FROM lower(old.payout_address)) AND (CURRENT_USER = 'copydesk_app'::name))) EXECUTE FUNCTION app.note_payout_address('provider', 'id', 'payout_address');
CREATE TRIGGER provider_written AFTER INSERT OR UPDATE ON public.provider FOR EACH ROW EXECUTE FUNCTION app.directory_written();
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.provider_set
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY
  provider_ids uuid[] NOT NULL
  CONSTRAINT provider_set_pkey PRIMARY KEY (id)
  CONSTRAINT provider_set_provider_ids_check CHECK ((cardinality(provider_ids) > 1))
  CONSTRAINT provider_set_provider_ids_key UNIQUE (provider_ids)
ROW LEVEL SECURITY FORCED;
POLICY provider_set_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_ids <@ ( SELECT app.provider_ids() AS provider_ids)));
GRANT SELECT TO copydesk_app;

-- public.saved_view
  id uuid NOT NULL DEFAULT gen_random_uuid()
  user_id text NOT NULL
  screen text NOT NULL
  name text NOT NULL
  query text NOT NULL
  created_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT saved_view_name_check CHECK ((name <> ''::text))
  CONSTRAINT saved_view_pkey PRIMARY KEY (id)
  CONSTRAINT saved_view_screen_check CHECK ((screen = 'invoices'::text))
  CONSTRAINT saved_view_user_id_screen_name_key UNIQUE (user_id, screen, name)
ROW LEVEL SECURITY FORCED;
POLICY saved_view_scope FOR ALL
  USING (('user:'::text || user_id) = ( SELECT app.caller() AS caller));
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.schema_migration
  name text NOT NULL
  checksum text NOT NULL
  applied_at timestamp with time zone NOT NULL DEFAULT now()
  CONSTRAINT schema_migration_pkey PRIMARY KEY (name)
ROW LEVEL SECURITY OFF;
GRANT SELECT TO copydesk_app;

-- public.trader
  id uuid NOT NULL DEFAULT gen_random_uuid()
  community_id uuid NOT NULL
  selected_provider_id uuid
  status text NOT NULL DEFAULT 'pending'::text
  suggested_delinquent_at timestamp with time zone
  reference_number text
  name text
  email text
  telegram_username text
  telegram_user_id text
  language text NOT NULL DEFAULT 'en'::text
  external_wallet_address text
  referral_code text NOT NULL
  referred_by_trader_id uuid
  deposit_index integer NOT NULL GENERATED ALWAYS AS IDENTITY
  deposit_address text
  last_updated_by text
  created_at timestamp with time zone NOT NULL DEFAULT now()
  updated_at timestamp with time zone NOT NULL DEFAULT now()
  aum numeric(28,8)
  aum_read_at timestamp with time zone
  account_count integer NOT NULL DEFAULT 0
  tab text GENERATED ALWAYS AS (
CASE
    WHEN (status <> 'pending'::text) THEN status
    WHEN (account_count > 0) THEN 'inbox'::text
    ELSE NULL::text
END) STORED
  reference_sort text GENERATED ALWAYS AS (lower(COALESCE(reference_number, ''::text))) STORED
  handle_sort text GENERATED ALWAYS AS (lower(COALESCE(NULLIF(telegram_username, ''::text), name, ''::text))) STORED
  books_opened_at timestamp with time zone DEFAULT now()
  aum_rank double precision NOT NULL GENERATED ALWAYS AS (COALESCE((aum)::double precision, '-Infinity'::double precision)) STORED
  CONSTRAINT trader_check CHECK ((referred_by_trader_id <> id))
  CONSTRAINT trader_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id)
  CONSTRAINT trader_deposit_address_check CHECK ((deposit_address ~ '^0x[0-9a-fA-F]{40}$'::text))
  CONSTRAINT trader_deposit_index_key UNIQUE (deposit_index)
  CONSTRAINT trader_external_wallet_address_check CHECK ((external_wallet_address ~ '^0x[0-9a-fA-F]{40}$'::text))
  CONSTRAINT trader_language_check CHECK ((language = ANY (ARRAY['en'::text, 'es'::text, 'ar'::text, 'pl'::text, 'ru'::text])))
  CONSTRAINT trader_pkey PRIMARY KEY (id)
  CONSTRAINT trader_reference_number_check CHECK ((reference_number <> ''::text))
  CONSTRAINT trader_reference_number_key UNIQUE (reference_number)
  CONSTRAINT trader_referral_code_key UNIQUE (referral_code)
  CONSTRAINT trader_referred_by_trader_id_fkey FOREIGN KEY (referred_by_trader_id) REFERENCES trader(id) ON DELETE SET NULL
  CONSTRAINT trader_selected_provider_id_fkey FOREIGN KEY (selected_provider_id) REFERENCES provider(id)
  CONSTRAINT trader_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'connected'::text, 'delinquent'::text])))
CREATE INDEX trader_books_to_open ON public.trader USING btree (id) WHERE (books_opened_at IS NULL);
CREATE INDEX trader_by_aum ON public.trader USING btree (aum_rank DESC, id);
CREATE INDEX trader_by_community ON public.trader USING btree (community_id, tab) INCLUDE (aum, account_count);
CREATE INDEX trader_by_created ON public.trader USING btree (created_at, id);
CREATE INDEX trader_by_deposit_address ON public.trader USING btree (lower(deposit_address)) WHERE (deposit_address IS NOT NULL);
CREATE INDEX trader_by_handle ON public.trader USING btree (handle_sort, id);
CREATE INDEX trader_by_provider ON public.trader USING btree (selected_provider_id);
CREATE INDEX trader_by_reference ON public.trader USING btree (reference_sort, id);
CREATE INDEX trader_by_referrer ON public.trader USING btree (referred_by_trader_id) WHERE (referred_by_trader_id IS NOT NULL);
CREATE INDEX trader_by_tab_aum ON public.trader USING btree (tab, aum_rank DESC, id) INCLUDE (aum);
CREATE INDEX trader_by_tab_handle ON public.trader USING btree (tab, handle_sort, id);
CREATE INDEX trader_by_tab_reference ON public.trader USING btree (tab, reference_sort, id);
CREATE UNIQUE INDEX trader_deposit_address_key ON public.trader USING btree (deposit_address) WHERE (deposit_address IS NOT NULL);
ROW LEVEL SECURITY FORCED;
POLICY trader_creation FOR INSERT
  WITH CHECK ((selected_provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])) AND (EXISTS ( SELECT
   FROM community c
  WHERE (c.id = trader.community_id))));
POLICY trader_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (EXISTS ( SELECT
   FROM trader_provider tp
  WHERE ((tp.trader_id = trader.id) AND (tp.provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])))
 OFFSET 0)))
  WITH CHECK (( SELECT app.sees_all() AS sees_all) OR (EXISTS ( SELECT
   FROM trader_provider tp
  WHERE ((tp.trader_id = trader.id) AND (tp.provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[]))))));
CREATE TRIGGER payout_address_changed AFTER UPDATE OF external_wallet_address ON public.trader FOR EACH ROW WHEN (((lower(new.external_wallet_address) IS DISTINCT FROM lower(old.external_wallet_address)) AND (CURRENT_USER = 'copydesk_app'::name))) EXECUTE FUNCTION app.note_payout_address('trader', 'id', 'external_wallet_address');
CREATE TRIGGER reference_written AFTER UPDATE OF reference_number ON public.trader FOR EACH ROW WHEN ((old.reference_number IS DISTINCT FROM new.reference_number)) EXECUTE FUNCTION app.reference_written();
CREATE TRIGGER text_written AFTER INSERT OR UPDATE OF reference_number, name, telegram_username, telegram_user_id, email, deposit_address, external_wallet_address ON public.trader FOR EACH ROW EXECUTE FUNCTION app.trader_text_written();
CREATE TRIGGER trader_moved AFTER UPDATE OF community_id, reference_number, telegram_username, name, created_at ON public.trader FOR EACH ROW WHEN (((((new.community_id IS DISTINCT FROM old.community_id) OR (new.reference_sort IS DISTINCT FROM old.reference_sort)) OR (new.handle_sort IS DISTINCT FROM old.handle_sort)) OR (new.created_at IS DISTINCT FROM old.created_at))) EXECUTE FUNCTION app.trader_moved();
CREATE TRIGGER trader_removed BEFORE DELETE ON public.trader FOR EACH ROW EXECUTE FUNCTION app.trader_removed();
CREATE TRIGGER trader_written AFTER INSERT OR UPDATE OF status, community_id, selected_provider_id, reference_number, name, email, telegram_username, telegram_user_id, language, external_wallet_address, referral_code, referred_by_trader_id ON public.trader FOR EACH ROW EXECUTE FUNCTION app.trader_written();
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.trader_in_set
  set_id integer NOT NULL
  trader_id uuid NOT NULL
  community_id uuid NOT NULL
  aum numeric(28,8)
  aum_read_at timestamp with time zone
  tab text
  aum_rank double precision NOT NULL GENERATED ALWAYS AS (COALESCE((aum)::double precision, '-Infinity'::double precision)) STORED
  reference_sort text NOT NULL
  handle_sort text NOT NULL
  created_at timestamp with time zone NOT NULL
  account_count integer NOT NULL
  CONSTRAINT trader_in_set_pkey PRIMARY KEY (set_id, trader_id)
  CONSTRAINT trader_in_set_set_id_fkey FOREIGN KEY (set_id) REFERENCES provider_set(id) ON DELETE CASCADE
  CONSTRAINT trader_in_set_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE
CREATE INDEX trader_in_set_by_aum ON public.trader_in_set USING btree (set_id, tab, aum_rank DESC, trader_id) INCLUDE (aum);
CREATE INDEX trader_in_set_by_created ON public.trader_in_set USING btree (set_id, created_at, trader_id) INCLUDE (tab);
CREATE INDEX trader_in_set_by_handle ON public.trader_in_set USING btree (set_id, handle_sort, trader_id) INCLUDE (tab);
CREATE INDEX trader_in_set_by_reference ON public.trader_in_set USING btree (set_id, reference_sort, trader_id) INCLUDE (tab);
CREATE INDEX trader_in_set_by_trader ON public.trader_in_set USING btree (trader_id);
CREATE INDEX trader_in_set_of_any_tab ON public.trader_in_set USING btree (set_id, aum_rank DESC, trader_id);
ROW LEVEL SECURITY FORCED;
POLICY trader_in_set_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (set_id = ( SELECT app.provider_set() AS provider_set)));
GRANT SELECT TO copydesk_app;

-- public.trader_provider
  trader_id uuid NOT NULL
  provider_id uuid NOT NULL
  account_count integer NOT NULL
  aum numeric(28,8)
  aum_read_at timestamp with time zone
  tab text
  is_shared boolean NOT NULL
  community_id uuid NOT NULL
  aum_rank double precision NOT NULL GENERATED ALWAYS AS (COALESCE((aum)::double precision, '-Infinity'::double precision)) STORED
  reference_sort text NOT NULL
  handle_sort text NOT NULL
  created_at timestamp with time zone NOT NULL
  CONSTRAINT trader_provider_pkey PRIMARY KEY (trader_id, provider_id)
  CONSTRAINT trader_provider_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
  CONSTRAINT trader_provider_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE
CREATE INDEX trader_provider_alone ON public.trader_provider USING btree (provider_id, tab, aum_rank DESC, trader_id) INCLUDE (aum, account_count, community_id) WHERE (NOT is_shared);
CREATE INDEX trader_provider_by_aum ON public.trader_provider USING btree (provider_id, tab, aum_rank DESC, trader_id) INCLUDE (aum, account_count, community_id);
CREATE INDEX trader_provider_by_created ON public.trader_provider USING btree (provider_id, created_at, trader_id) INCLUDE (tab, is_shared);
CREATE INDEX trader_provider_by_handle ON public.trader_provider USING btree (provider_id, handle_sort, trader_id) INCLUDE (tab, is_shared);
CREATE INDEX trader_provider_by_reference ON public.trader_provider USING btree (provider_id, reference_sort, trader_id) INCLUDE (tab, is_shared);
CREATE INDEX trader_provider_of_any_tab ON public.trader_provider USING btree (provider_id, aum_rank DESC, trader_id) INCLUDE (tab, is_shared, aum);
CREATE INDEX trader_provider_shared ON public.trader_provider USING btree (trader_id, provider_id) INCLUDE (tab, aum) WHERE is_shared;
ROW LEVEL SECURITY FORCED;
POLICY trader_provider_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])));
CREATE TRIGGER parts_added AFTER INSERT ON public.trader_provider REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.trader_parts_written();
CREATE TRIGGER parts_changed AFTER UPDATE ON public.trader_provider REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.trader_parts_written();
CREATE TRIGGER parts_taken AFTER DELETE ON public.trader_provider REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.trader_parts_written();
CREATE TRIGGER trader_seen BEFORE INSERT ON public.trader_provider FOR EACH ROW WHEN ((new.reference_sort IS NULL)) EXECUTE FUNCTION app.trader_seen();
GRANT SELECT TO copydesk_app;

-- public.trader_text
  trader_id uuid NOT NULL
  provider_id uuid
  kind text NOT NULL
  value text NOT NULL
  CONSTRAINT trader_text_kind_check CHECK ((kind = ANY (ARRAY['reference'::text, 'person'::text, 'account'::text])))
  CONSTRAINT trader_text_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE
CREATE INDEX trader_text_of_trader ON public.trader_text USING btree (trader_id);
CREATE INDEX trader_text_others ON public.trader_text USING gin (value gin_trgm_ops) WHERE (kind <> 'reference'::text);
CREATE INDEX trader_text_references ON public.trader_text USING gin (value gin_trgm_ops) WHERE (kind = 'reference'::text);
CREATE INDEX trader_text_short_parts ON public.trader_text USING gin (app.short_parts(value)) WHERE (kind <> 'reference'::text);
ROW LEVEL SECURITY ENABLED;
POLICY trader_text_scope FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])) OR ((provider_id IS NULL) AND (EXISTS ( SELECT
   FROM trader_provider p
  WHERE ((p.trader_id = trader_text.trader_id) AND (p.provider_id = ANY (( SELECT app.provider_ids() AS provider_ids)::uuid[])))
 OFFSET 0))));
GRANT SELECT TO copydesk_app;

-- public.transfer
  id uuid NOT NULL DEFAULT gen_random_uuid()
  kind text NOT NULL
  wallet_id uuid NOT NULL
  community_id uuid
  payout_id uuid
  to_address text NOT NULL
  token_address text
  amount_units numeric(38,0) NOT NULL
  state text NOT NULL DEFAULT 'planned'::text
  nonce bigint
  is_cancel_asked boolean NOT NULL DEFAULT false
  problem text
  problem_detail text
  retry_at timestamp with time zone
  created_at timestamp with time zone NOT NULL DEFAULT now()
  sent_at timestamp with time zone
  ended_at timestamp with time zone
  CONSTRAINT transfer_amount_units_check CHECK ((amount_units > (0)::numeric))
  CONSTRAINT transfer_check CHECK (((kind = 'gas_topup'::text) = (token_address IS NULL)))
  CONSTRAINT transfer_check1 CHECK (((kind = 'gas_topup'::text) = (community_id IS NULL)))
  CONSTRAINT transfer_check2 CHECK (((kind = 'distribute'::text) = (payout_id IS NOT NULL)))
  CONSTRAINT transfer_check3 CHECK (((state = ANY (ARRAY['planned'::text, 'void'::text])) = (nonce IS NULL)))
  CONSTRAINT transfer_check4 CHECK (((state = ANY (ARRAY['planned'::text, 'sent'::text])) = (ended_at IS NULL)))
  CONSTRAINT transfer_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id) ON DELETE RESTRICT
  CONSTRAINT transfer_kind_check CHECK ((kind = ANY (ARRAY['gas_topup'::text, 'consolidate'::text, 'distribute'::text])))
  CONSTRAINT transfer_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES payout(id) ON DELETE RESTRICT
  CONSTRAINT transfer_pkey PRIMARY KEY (id)
  CONSTRAINT transfer_problem_check CHECK ((problem ~ '^[a-z_]+$'::text))
  CONSTRAINT transfer_state_check CHECK ((state = ANY (ARRAY['planned'::text, 'sent'::text, 'final'::text, 'reverted'::text, 'cancelled'::text, 'void'::text])))
  CONSTRAINT transfer_to_address_check CHECK ((to_address ~ '^0x[0-9a-fA-F]{40}$'::text))
  CONSTRAINT transfer_token_address_check CHECK ((token_address ~ '^0x[0-9a-fA-F]{40}$'::text))
  CONSTRAINT transfer_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES chain_wallet(id) ON DELETE RESTRICT
  CONSTRAINT transfer_wallet_id_nonce_key UNIQUE (wallet_id, nonce)
CREATE INDEX transfer_by_end ON public.transfer USING btree (kind, ended_at DESC) WHERE (state = 'final'::text);
CREATE INDEX transfer_by_sent ON public.transfer USING btree (sent_at) WHERE ((kind = 'distribute'::text) AND (sent_at IS NOT NULL));
CREATE INDEX transfer_of_payout ON public.transfer USING btree (payout_id, created_at) WHERE (payout_id IS NOT NULL);
CREATE UNIQUE INDEX transfer_one_topup ON public.transfer USING btree (wallet_id, lower(to_address)) WHERE ((kind = 'gas_topup'::text) AND (state = ANY (ARRAY['planned'::text, 'sent'::text])));
CREATE UNIQUE INDEX transfer_pays_once ON public.transfer USING btree (payout_id) WHERE (state = ANY (ARRAY['planned'::text, 'sent'::text, 'final'::text]));
CREATE INDEX transfer_planned ON public.transfer USING btree (wallet_id, created_at, id) WHERE (state = 'planned'::text);
CREATE INDEX transfer_sent ON public.transfer USING btree (wallet_id, nonce) WHERE (state = 'sent'::text);
ROW LEVEL SECURITY FORCED;
POLICY transfer_scope FOR ALL
  USING ( SELECT app.sees_all() AS sees_all);
CREATE TRIGGER intent_keeps_its_nonce BEFORE UPDATE ON public.transfer FOR EACH ROW WHEN ((((old.nonce IS NOT NULL) AND (new.nonce IS DISTINCT FROM old.nonce)) OR ((old.ended_at IS NOT NULL) AND (new.state <> old.state)))) EXECUTE FUNCTION app.refuse_chain_change();
CREATE TRIGGER transfer_pays_its_shares AFTER INSERT ON public.transfer REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.check_payment_intents();
CREATE TRIGGER transfer_planned AFTER INSERT ON public.transfer FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;

-- public.transfer_attempt
  id uuid NOT NULL DEFAULT gen_random_uuid()
  transfer_id uuid NOT NULL
  wallet_id uuid NOT NULL
  nonce bigint NOT NULL
  attempt integer NOT NULL
  is_cancel boolean NOT NULL DEFAULT false
  hash text NOT NULL
  raw text NOT NULL
  max_fee_wei numeric(38,0) NOT NULL
  priority_fee_wei numeric(38,0) NOT NULL
  gas_limit bigint NOT NULL
  created_at timestamp with time zone NOT NULL DEFAULT now()
  broadcast_at timestamp with time zone
  block_number bigint
  block_hash text
  is_success boolean
  fee_wei numeric(38,0)
  CONSTRAINT transfer_attempt_attempt_check CHECK ((attempt > 0))
  CONSTRAINT transfer_attempt_check CHECK ((num_nonnulls(block_number, block_hash, is_success, fee_wei) = ANY (ARRAY[0, 4])))
  CONSTRAINT transfer_attempt_gas_limit_check CHECK ((gas_limit > 0))
  CONSTRAINT transfer_attempt_hash_check CHECK ((hash ~ '^0x[0-9a-f]{64}$'::text))
  CONSTRAINT transfer_attempt_hash_key UNIQUE (hash)
  CONSTRAINT transfer_attempt_max_fee_wei_check CHECK ((max_fee_wei > (0)::numeric))
  CONSTRAINT transfer_attempt_pkey PRIMARY KEY (id)
  CONSTRAINT transfer_attempt_priority_fee_wei_check CHECK ((priority_fee_wei >= (0)::numeric))
  CONSTRAINT transfer_attempt_raw_check CHECK ((raw ~ '^0x[0-9a-f]+$'::text))
  CONSTRAINT transfer_attempt_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfer(id) ON DELETE RESTRICT
  CONSTRAINT transfer_attempt_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES chain_wallet(id) ON DELETE RESTRICT
  CONSTRAINT transfer_attempt_wallet_id_nonce_attempt_key UNIQUE (wallet_id, nonce, attempt)
  CONSTRAINT transfer_attempt_wallet_id_nonce_fkey FOREIGN KEY (wallet_id, nonce) REFERENCES transfer(wallet_id, nonce)
CREATE INDEX transfer_attempt_by_receipt ON public.transfer_attempt USING btree (block_number DESC) INCLUDE (fee_wei) WHERE (block_number IS NOT NULL);
CREATE INDEX transfer_attempt_of_intent ON public.transfer_attempt USING btree (transfer_id, attempt);
ROW LEVEL SECURITY FORCED;
POLICY transfer_attempt_scope FOR ALL
  USING ( SELECT app.sees_all() AS sees_all);
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;

-- public.transfer_heartbeat
  chain_id integer NOT NULL
  looked_at timestamp with time zone NOT NULL DEFAULT now()
  halted_because text
  halted_at timestamp with time zone
  CONSTRAINT transfer_heartbeat_check CHECK (((halted_because IS NULL) = (halted_at IS NULL)))
  CONSTRAINT transfer_heartbeat_halted_because_check CHECK ((halted_because = ANY (ARRAY['chain_silent'::text, 'fees_too_high'::text, 'turn_failed'::text])))
  CONSTRAINT transfer_heartbeat_pkey PRIMARY KEY (chain_id)
ROW LEVEL SECURITY FORCED;
POLICY transfer_heartbeat_scope FOR ALL
  USING ( SELECT app.sees_all() AS sees_all);
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- public.vip_tier
  level integer NOT NULL
  name text NOT NULL
  min_aum numeric(28,8) NOT NULL
  CONSTRAINT vip_tier_level_check CHECK ((level > 0))
  CONSTRAINT vip_tier_min_aum_check CHECK ((min_aum > (0)::numeric))
  CONSTRAINT vip_tier_min_aum_key UNIQUE (min_aum)
  CONSTRAINT vip_tier_pkey PRIMARY KEY (level)
ROW LEVEL SECURITY OFF;
GRANT SELECT TO copydesk_app;

-- public.worker_heartbeat
  worker_id uuid NOT NULL
  started_at timestamp with time zone NOT NULL DEFAULT now()
  seen_at timestamp with time zone NOT NULL DEFAULT now()
  audit_problem text
  CONSTRAINT worker_heartbeat_pkey PRIMARY KEY (worker_id)
ROW LEVEL SECURITY OFF;
GRANT DELETE TO copydesk_app;
GRANT INSERT TO copydesk_app;
GRANT SELECT TO copydesk_app;
GRANT UPDATE TO copydesk_app;

-- functions
CREATE OR REPLACE FUNCTION app.accounts_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM new_accounts;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM old_accounts;
  ELSE
    SELECT array_agg(DISTINCT trader_id) INTO touched
    FROM (SELECT trader_id FROM new_accounts UNION SELECT trader_id FROM old_accounts) both_sides;
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.refresh_traders(touched);
  END IF;
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.announce_access()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_notify('copydesk_access', OLD.user_id::text);
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.announce_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_notify('copydesk_change', '');
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.announce_reading_request()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_notify('copydesk_reading', NEW.exchange);
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.announce_work()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_notify('copydesk_work', TG_TABLE_NAME);
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.append_audit(entry_at timestamp with time zone, entry_actor_kind text, entry_actor_id text, entry_actor_name text, entry_request_id text, actions text[], target_kinds text[], target_ids text[], befores jsonb[], afters jsonb[], hashes bytea[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  head_seq bigint;
  head_hash bytea;
BEGIN
  LOCK TABLE audit_lock IN EXCLUSIVE MODE;
  SELECT e.seq, e.hash INTO head_seq, head_hash
  FROM audit_entry e ORDER BY e.seq DESC LIMIT 1;
  INSERT INTO audit_entry (seq, at, actor_kind, actor_id, actor_name, request_id, action, target_kind, target_id,
    before, after, previous_hash, hash)
  SELECT coalesce(head_seq, 0) + n.place, entry_at, entry_actor_kind, entry_actor_id, entry_actor_name, entry_request_id,
    n.action, n.target_kind, n.target_id, n.before, n.after,
    CASE WHEN n.place > 1 THEN hashes[n.place - 1] ELSE coalesce(head_hash, decode(repeat('00', 32), 'hex')) END, n.hash
  FROM unnest(actions, target_kinds, target_ids, befores, afters, hashes)
    WITH ORDINALITY AS n (action, target_kind, target_id, before, after, hash, place);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$
;
CREATE OR REPLACE FUNCTION app.audit_head(OUT seq bigint, OUT hash bytea)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  LOCK TABLE audit_lock IN EXCLUSIVE MODE;
  SELECT e.seq, e.hash INTO audit_head.seq, audit_head.hash
  FROM audit_entry e ORDER BY e.seq DESC LIMIT 1;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$
;
CREATE OR REPLACE FUNCTION app.bulk_loading()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (COALESCE((current_setting('copydesk.bulk'::text, true) = 'on'::text), false) AND (current_setting('role'::text) <> 'copydesk_app'::text) AND has_schema_privilege(SESSION_USER, 'app'::text, 'CREATE'::text))
;
CREATE OR REPLACE FUNCTION app.caller()
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN NULLIF(current_setting('copydesk.caller'::text, true), ''::text)
;
CREATE OR REPLACE FUNCTION app.check_journal()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  IF (SELECT count(*) FROM posting WHERE journal_id = NEW.id) < 2 THEN
    RAISE EXCEPTION 'a journal has at least two postings' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF EXISTS (SELECT FROM posting WHERE journal_id = NEW.id GROUP BY asset HAVING sum(amount) <> 0) THEN
    RAISE EXCEPTION 'the journal is not balanced' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF NEW.reverses IS NOT NULL AND EXISTS (
    SELECT FROM (
      SELECT account_id, amount FROM posting WHERE journal_id IN (NEW.id, NEW.reverses) OFFSET 0) both_journals
    GROUP BY account_id HAVING sum(amount) <> 0) THEN
    RAISE EXCEPTION 'the journal does not mirror the one it reverses'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.check_payment_intents()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  wrong uuid;
BEGIN
  SELECT i.payout_id INTO wrong
  FROM added i JOIN payout o ON o.id = i.payout_id
  WHERE i.kind = 'distribute' AND (
    lower(i.to_address) <> lower(o.recipient_address) OR i.amount_units <> o.amount_units
    OR i.amount_units <> (SELECT coalesce(sum(y.amount_units), 0) FROM payable y WHERE y.payout_id = o.id))
  LIMIT 1;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'a transfer does not pay the shares of payout %', wrong USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.directory_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  changed uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.id ELSE NEW.id END;
BEGIN
  IF NOT app.bulk_loading() THEN
    INSERT INTO change_event (topic, entity_id, provider_ids)
    VALUES (TG_TABLE_NAME, changed, CASE TG_TABLE_NAME
      WHEN 'provider' THEN ARRAY[changed]
      ELSE ARRAY(SELECT provider_id FROM community_provider WHERE community_id = changed) END);
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END
$function$
;
CREATE OR REPLACE FUNCTION app.distributions_awaiting()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SECURITY DEFINER ROWS 1
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  RETURN QUERY SELECT id FROM distribution WHERE state = 'awaiting_approval';
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$
;
CREATE OR REPLACE FUNCTION app.invoice_cell(status text, invoice_type text, exchange text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((1)::bigint << (((array_position(ARRAY['pending'::text, 'paid'::text, 'cancelled'::text], status) - 1) + (3 * (array_position(ARRAY['regular'::text, 'exchange_bot'::text], invoice_type) - 1))) + (6 * CASE WHEN (exchange IS NULL) THEN 0 ELSE array_position(ARRAY['bybit'::text, 'binance'::text, 'okx'::text, 'kucoin'::text, 'hyperliquid'::text], exchange) END)))
;
CREATE OR REPLACE FUNCTION app.invoices_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text;
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM added;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM taken;
  ELSE
    SELECT array_agg(DISTINCT trader_id) INTO touched
    FROM (SELECT trader_id FROM added UNION SELECT trader_id FROM taken) both_sides;
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.refresh_invoice_sums(touched);
    caller_scope := app.open_scope();
    INSERT INTO change_event (topic, entity_id, provider_ids)
    SELECT 'trader', w.id, ARRAY(SELECT provider_id FROM trader_provider WHERE trader_id = w.id)
    FROM unnest(touched) w (id);
    PERFORM set_config('copydesk.scope', caller_scope, true);
  END IF;
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.is_platform_address(wanted text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  found boolean;
BEGIN
  SELECT EXISTS (SELECT FROM trader WHERE lower(deposit_address) = lower(wanted) AND deposit_address IS NOT NULL)
    OR EXISTS (SELECT FROM community WHERE lower(internal_wallet_address) = lower(wanted))
    OR EXISTS (SELECT FROM pooled_account WHERE lower(proxy_address) = lower(wanted))
    OR EXISTS (SELECT FROM chain_wallet WHERE lower(address) = lower(wanted))
    OR EXISTS (SELECT FROM chain_cursor WHERE token_address = lower(wanted)) INTO found;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN found;
END
$function$
;
CREATE OR REPLACE FUNCTION app.iso(t timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (replace(((t AT TIME ZONE 'UTC'::text))::text, ' '::text, 'T'::text) || 'Z'::text)
;
CREATE OR REPLACE FUNCTION app.keep_provider_sets()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text;
  added integer[];
BEGIN
  IF app.provider_sets_agree() THEN
    RETURN NULL;
  END IF;
  caller_scope := app.open_scope();
  LOCK TABLE provider_set IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM provider_set v WHERE NOT EXISTS (SELECT FROM app.provider_sets_in_use() u WHERE u = v.provider_ids);
  IF EXISTS (SELECT FROM app.provider_sets_in_use() u WHERE NOT EXISTS (
    SELECT FROM provider_set v WHERE v.provider_ids = u)) THEN
    LOCK TABLE trader_provider, payout_provider IN SHARE MODE;
    WITH made AS (
      INSERT INTO provider_set (provider_ids)
      SELECT u FROM app.provider_sets_in_use() u
      WHERE NOT EXISTS (SELECT FROM provider_set v WHERE v.provider_ids = u)
      ORDER BY u LIMIT greatest(0, 64 - (SELECT count(*) FROM provider_set))
      RETURNING id)
    SELECT array_agg(id) INTO added FROM made;
    PERFORM app.refresh_trader_sets(NULL, added) WHERE added IS NOT NULL;
    PERFORM app.refresh_payout_sets(NULL, added) WHERE added IS NOT NULL;
    ANALYZE trader_in_set, payout_in_set;
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.lock_balances(account_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  PERFORM FROM ledger_balance WHERE account_id = ANY (account_ids) ORDER BY account_id FOR NO KEY UPDATE;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$
;
CREATE OR REPLACE FUNCTION app.message_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, entity_id, provider_ids)
  VALUES ('trader', NEW.trader_id, CASE WHEN NEW.provider_id IS NULL THEN '{}'::uuid[] ELSE ARRAY[NEW.provider_id] END);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.note_payout_address()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO payout_address_change AS c (owner_kind, owner_id, address, previous_address, changed_by_id)
  VALUES (TG_ARGV[0], to_jsonb(NEW) ->> TG_ARGV[1], to_jsonb(NEW) ->> TG_ARGV[2], to_jsonb(OLD) ->> TG_ARGV[2],
    coalesce(substring(current_setting('copydesk.caller', true) FROM '^[^:]+:(.+)$'), 'unknown'))
  ON CONFLICT (owner_kind, owner_id) DO UPDATE SET id = gen_random_uuid(), address = excluded.address,
    previous_address = excluded.previous_address, changed_at = now(), changed_by_id = excluded.changed_by_id,
    released_at = NULL, released_by_id = NULL, released_by = NULL;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.on_chain_units(paid numeric, off_platform numeric)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN GREATEST((paid - off_platform), (0)::numeric)
;
CREATE OR REPLACE FUNCTION app.open_balances()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO ledger_balance (account_id, allow_negative) SELECT id, allow_negative FROM added;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.open_scope()
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  previous text := coalesce(current_setting('copydesk.scope', true), '');
BEGIN
  PERFORM set_config('copydesk.scope', 'all', true);
  RETURN previous;
END
$function$
;
CREATE OR REPLACE FUNCTION app.payables_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT payout_id) INTO touched FROM added WHERE payout_id IS NOT NULL;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT payout_id) INTO touched FROM taken WHERE payout_id IS NOT NULL;
  ELSE
    SELECT array_agg(DISTINCT side.payout_id) INTO touched
    FROM added a JOIN taken t ON t.id = a.id
    CROSS JOIN LATERAL (VALUES (a.payout_id), (t.payout_id)) side (payout_id)
    WHERE side.payout_id IS NOT NULL
      AND (a.payout_id, a.provider_id, a.amount_units)
        IS DISTINCT FROM (t.payout_id, t.provider_id, t.amount_units);
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.payouts_touched(touched);
  END IF;
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.payments_booked()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, entity_id, provider_ids)
  SELECT DISTINCT 'trader', trader_id, '{}'::uuid[] FROM added;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.payments_received()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  -- In one order, so that two payments of the same days do not wait for each other in a circle.
  INSERT INTO community_day AS d (community_id, provider_id, day, received_units)
  SELECT i.community_id, a.provider_id, app.utc_day(a.received_at), sum(a.amount_units)
  FROM added a JOIN invoice i ON i.id = a.invoice_id GROUP BY 1, 2, 3 ORDER BY 1, 3, 2
  ON CONFLICT (community_id, day, provider_id)
  DO UPDATE SET received_units = d.received_units + excluded.received_units;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.payout_parts_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT payout_id) INTO touched FROM added WHERE is_shared;
  ELSE
    SELECT array_agg(DISTINCT payout_id) INTO touched FROM taken WHERE is_shared;
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.refresh_payout_sets(touched, NULL);
  END IF;
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.payouts_touched(payout_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  seen_before jsonb;
BEGIN
  SELECT jsonb_object_agg(payout_id, providers) INTO seen_before
  FROM (SELECT payout_id, jsonb_agg(provider_id) AS providers FROM payout_provider
        WHERE payout_id = ANY (payout_ids) AND provider_id IS NOT NULL GROUP BY payout_id) s;
  PERFORM app.refresh_payouts(payout_ids);
  INSERT INTO change_event (topic, entity_id, provider_ids)
  SELECT 'payout', w.id, ARRAY(
    SELECT provider_id FROM payout_provider WHERE payout_id = w.id AND provider_id IS NOT NULL
    UNION SELECT p::uuid FROM jsonb_array_elements_text(seen_before -> w.id::text) p)
  FROM unnest(payout_ids) w (id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$
;
CREATE OR REPLACE FUNCTION app.payouts_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  SELECT array_agg(id) INTO touched FROM added;
  IF touched IS NOT NULL THEN
    PERFORM app.payouts_touched(touched);
  END IF;
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.post_to_balances()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  IF EXISTS (SELECT FROM added a JOIN journal j ON j.id = a.journal_id WHERE j.xid <> pg_current_xact_id())
    OR (SELECT count(*) FROM added)
      <> (SELECT count(*) FROM posting WHERE journal_id IN (SELECT journal_id FROM added)) THEN
    RAISE EXCEPTION 'the journal is closed' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF EXISTS (SELECT FROM added a JOIN journal j ON j.id = a.journal_id JOIN ledger_account c ON c.id = a.account_id
             WHERE a.provider_id IS DISTINCT FROM coalesce(c.provider_id, j.provider_id)) THEN
    RAISE EXCEPTION 'the posting names another provider' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF EXISTS (SELECT FROM ledger_reservation_end e
             JOIN ledger_reservation r ON r.id = e.reservation_id
             JOIN ledger_account c ON c.id = r.account_id
             LEFT JOIN added a ON a.journal_id = e.journal_id AND a.account_id = r.account_id
             WHERE e.journal_id IN (SELECT journal_id FROM added)
             GROUP BY e.journal_id, r.account_id, c.side, a.amount
             HAVING sum(r.amount) IS DISTINCT FROM -a.amount * c.side) THEN
    RAISE EXCEPTION 'the journal does not take what was reserved' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  PERFORM app.lock_balances(ARRAY(SELECT account_id FROM added));
  UPDATE ledger_balance b
  SET posted = b.posted + d.amount
  FROM (SELECT a.account_id, sum(a.amount * c.side) AS amount
        FROM added a JOIN ledger_account c ON c.id = a.account_id GROUP BY a.account_id) d
  WHERE b.account_id = d.account_id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.provider_ids()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (string_to_array(NULLIF(current_setting('copydesk.provider_ids'::text, true), ''::text), ','::text))::uuid[]
;
CREATE OR REPLACE FUNCTION app.provider_set()
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
 SET search_path TO 'public', 'pg_temp'
AS $function$SELECT id FROM provider_set WHERE provider_ids = ARRAY(SELECT DISTINCT unnest(app.provider_ids()) ORDER BY 1)$function$
;
CREATE OR REPLACE FUNCTION app.provider_sets_agree()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  agree boolean;
BEGIN
  SELECT NOT EXISTS (
    (SELECT u FROM app.provider_sets_in_use() u EXCEPT SELECT provider_ids FROM provider_set)
    UNION ALL
    (SELECT provider_ids FROM provider_set EXCEPT SELECT u FROM app.provider_sets_in_use() u)) INTO agree;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN agree;
END
$function$
;
CREATE OR REPLACE FUNCTION app.provider_sets_in_use()
 RETURNS SETOF uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT DISTINCT ids FROM identity.user_access a
  CROSS JOIN LATERAL (SELECT ARRAY(SELECT DISTINCT unnest(a.provider_ids) ORDER BY 1) AS ids) sorted
  WHERE a.admin AND NOT a.super AND a.disabled_at IS NULL AND cardinality(ids) > 1
$function$
;
CREATE OR REPLACE FUNCTION app.reference_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  UPDATE invoice_part SET reference = nullif(NEW.reference_number, 'unknown') WHERE trader_id = NEW.id;
  UPDATE invoice_group SET reference = nullif(NEW.reference_number, 'unknown') WHERE trader_id = NEW.id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.refresh_invoice_sums(trader_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  PERFORM FROM trader WHERE id = ANY (trader_ids) ORDER BY id FOR NO KEY UPDATE;
  DELETE FROM invoice_part WHERE trader_id = ANY (trader_ids);
  INSERT INTO invoice_part (trader_id, provider_id, community_id, exchange, invoice_type, status, is_archived,
    reference, invoices, part_paid, overpaid, amount_units, paid_units, on_chain_units, off_platform_units,
    last_created, last_updated, first_created, min_amount, max_amount, first_due, last_due)
  SELECT i.trader_id, i.provider_id, i.community_id, i.exchange, i.invoice_type, i.status, i.is_archived,
    -- A reference number that reads like the name of the group of those without one belongs to that group.
    nullif(min(t.reference_number), 'unknown'), count(*)::int,
    count(*) FILTER (WHERE i.status = 'pending' AND i.paid_units > 0 AND i.paid_units < i.amount_units)::int,
    count(*) FILTER (WHERE i.paid_units > i.amount_units)::int,
    sum(i.amount_units), sum(i.paid_units), sum(app.on_chain_units(i.paid_units, i.off_platform_units)),
    sum(app.settled_elsewhere(i.status, i.settled_by, i.amount_units, i.paid_units, i.off_platform_units)),
    max(i.created_at), max(i.updated_at), min(i.created_at), min(i.amount_units), max(i.amount_units),
    CASE WHEN i.status = 'pending' AND NOT i.is_archived THEN min(i.due_at) END,
    CASE WHEN i.status = 'pending' AND NOT i.is_archived THEN max(i.due_at) END
  FROM invoice i JOIN trader t ON t.id = i.trader_id
  WHERE i.trader_id = ANY (trader_ids)
  GROUP BY i.trader_id, i.provider_id, i.community_id, i.exchange, i.invoice_type, i.status, i.is_archived;

  DELETE FROM invoice_group WHERE trader_id = ANY (trader_ids);
  INSERT INTO invoice_group (trader_id, provider_id, is_archived, is_shared, reference, invoices, whole_invoices,
    unpaid, pending, part_paid, overpaid, amount_units, paid_units, last_created, last_updated, cells, first_created,
    min_amount, max_amount, unpaid_first_created, unpaid_last_created, unpaid_min_amount, unpaid_max_amount,
    pending_first_created, pending_last_created, pending_min_amount, pending_max_amount, first_due, last_due)
  SELECT p.trader_id, seen.provider_id, p.is_archived,
    count(seen.provider_id) OVER (PARTITION BY p.trader_id, p.is_archived) > 1,
    min(p.reference), sum(p.invoices)::int,
    max(CASE WHEN seen.provider_id IS NULL THEN sum(p.invoices) END) OVER (PARTITION BY p.trader_id, p.is_archived)::int,
    coalesce(sum(p.invoices) FILTER (WHERE p.status <> 'paid'), 0)::int,
    coalesce(sum(p.invoices) FILTER (WHERE p.status = 'pending'), 0)::int,
    sum(p.part_paid)::int, sum(p.overpaid)::int,
    sum(p.amount_units), sum(p.paid_units), max(p.last_created), max(p.last_updated),
    bit_or(app.invoice_cell(p.status, p.invoice_type, p.exchange)), min(p.first_created), min(p.min_amount),
    max(p.max_amount), min(p.first_created) FILTER (WHERE p.status <> 'paid'),
    max(p.last_created) FILTER (WHERE p.status <> 'paid'), min(p.min_amount) FILTER (WHERE p.status <> 'paid'),
    max(p.max_amount) FILTER (WHERE p.status <> 'paid'), min(p.first_created) FILTER (WHERE p.status = 'pending'),
    max(p.last_created) FILTER (WHERE p.status = 'pending'), min(p.min_amount) FILTER (WHERE p.status = 'pending'),
    max(p.max_amount) FILTER (WHERE p.status = 'pending'), min(p.first_due), max(p.last_due)
  FROM invoice_part p
  CROSS JOIN LATERAL (SELECT NULL::uuid AS provider_id
    UNION ALL SELECT p.provider_id WHERE p.provider_id IS NOT NULL) seen
  WHERE p.trader_id = ANY (trader_ids)
  GROUP BY p.trader_id, seen.provider_id, p.is_archived;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$
;
CREATE OR REPLACE FUNCTION app.refresh_payout_sets(payout_ids uuid[], set_ids integer[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  DELETE FROM payout_in_set s
  WHERE s.payout_id = ANY (payout_ids) AND (set_ids IS NULL OR s.set_id = ANY (set_ids));
  INSERT INTO payout_in_set (set_id, payout_id, community_id, recipient_type, status, amount_units, created_at)
  SELECT v.id, s.payout_id, s.community_id, s.recipient_type, s.status, sum(s.amount_units), s.created_at
  FROM payout_provider s JOIN provider_set v ON s.provider_id = ANY (v.provider_ids)
  WHERE s.is_shared AND (payout_ids IS NULL OR s.payout_id = ANY (payout_ids))
    AND (set_ids IS NULL OR v.id = ANY (set_ids))
  GROUP BY v.id, s.payout_id, s.community_id, s.recipient_type, s.status, s.created_at;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$
;
CREATE OR REPLACE FUNCTION app.refresh_payouts(payout_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  cells jsonb;
BEGIN
  PERFORM FROM community WHERE id IN (SELECT community_id FROM payout WHERE id = ANY (payout_ids)
    UNION SELECT community_id FROM payout_provider WHERE payout_id = ANY (payout_ids)) ORDER BY id FOR NO KEY UPDATE;

  -- Where they were counted before and where they are counted from now on.
  SELECT coalesce(jsonb_agg(jsonb_build_object('community_id', c.community_id, 'recipient_type', c.recipient_type,
    'day', c.day)), '[]') INTO cells
  FROM (
    SELECT community_id, recipient_type, app.utc_day(created_at) AS day FROM payout_provider
    WHERE payout_id = ANY (payout_ids)
    UNION SELECT community_id, recipient_type, app.utc_day(created_at) FROM payout
    WHERE id = ANY (payout_ids)) c;

  DELETE FROM payout_provider WHERE payout_id = ANY (payout_ids);
  INSERT INTO payout_provider (payout_id, provider_id, provider_ids, community_id, recipient_type, status, amount_units,
    created_at)
  SELECT o.id, part.provider_id, CASE WHEN part.provider_id IS NULL THEN '{}' ELSE part.provider_ids END,
    o.community_id, o.recipient_type, o.status, part.units, o.created_at
  FROM payout o
  CROSS JOIN LATERAL (
    SELECT NULL::uuid AS provider_id, NULL::uuid[] AS provider_ids, o.amount_units AS units
    UNION ALL
    SELECT y.provider_id, array_agg(y.provider_id) OVER (ORDER BY y.provider_id
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), sum(y.amount_units)
    FROM payable y WHERE y.payout_id = o.id AND y.provider_id IS NOT NULL GROUP BY y.provider_id) part
  WHERE o.id = ANY (payout_ids);

  DELETE FROM payout_sum s
  USING jsonb_to_recordset(cells) c (community_id uuid, recipient_type text, day date)
  WHERE s.community_id = c.community_id AND s.recipient_type = c.recipient_type AND s.grain = 'day' AND s.period = c.day;
  INSERT INTO payout_sum (grain, period, provider_id, provider_ids, community_id, recipient_type, status, payouts,
    amount_units, first_created, last_created)
  SELECT 'day', c.day, s.provider_id, s.provider_ids, c.community_id, c.recipient_type, s.status, s.payouts,
    s.units, s.first_created, s.last_created
  FROM jsonb_to_recordset(cells) c (community_id uuid, recipient_type text, day date)
  CROSS JOIN LATERAL (
    SELECT s.provider_id, s.provider_ids, s.status, count(*)::int AS payouts, sum(s.amount_units) AS units,
      min(s.created_at) AS first_created, max(s.created_at) AS last_created
    FROM payout_provider s
    WHERE s.community_id = c.community_id AND s.recipient_type = c.recipient_type
      AND s.created_at >= c.day::timestamp AT TIME ZONE 'UTC'
      AND s.created_at < (c.day + 1)::timestamp AT TIME ZONE 'UTC'
    GROUP BY s.provider_id, s.provider_ids, s.status) s;

  DELETE FROM payout_sum s
  USING jsonb_to_recordset(cells) c (community_id uuid, recipient_type text, day date)
  WHERE s.community_id = c.community_id AND s.recipient_type = c.recipient_type AND s.grain = 'month'
    AND s.period = date_trunc('month', c.day)::date;
  INSERT INTO payout_sum (grain, period, provider_id, provider_ids, community_id, recipient_type, status, payouts,
    amount_units, first_created, last_created)
  SELECT 'month', m.month, s.provider_id, s.provider_ids, m.community_id, m.recipient_type, s.status, s.payouts,
    s.units, s.first_created, s.last_created
  FROM (SELECT DISTINCT c.community_id, c.recipient_type, date_trunc('month', c.day)::date AS month
        FROM jsonb_to_recordset(cells) c (community_id uuid, recipient_type text, day date)) m
  CROSS JOIN LATERAL (
    SELECT s.provider_id, s.provider_ids, s.status, sum(s.payouts)::int AS payouts, sum(s.amount_units) AS units,
      min(s.first_created) AS first_created, max(s.last_created) AS last_created
    FROM payout_sum s
    WHERE s.community_id = m.community_id AND s.recipient_type = m.recipient_type AND s.grain = 'day'
      AND s.period >= m.month AND s.period < (m.month + interval '1 month')::date
    GROUP BY s.provider_id, s.provider_ids, s.status) s;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$
;
CREATE OR REPLACE FUNCTION app.refresh_trader_sets(trader_ids uuid[], set_ids integer[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  DELETE FROM trader_in_set s
  USING provider_set v
  WHERE v.id = s.set_id AND (set_ids IS NULL OR s.set_id = ANY (set_ids)) AND s.trader_id = ANY (trader_ids)
    AND NOT EXISTS (SELECT FROM trader_provider p
      WHERE p.trader_id = s.trader_id AND p.is_shared AND p.provider_id = ANY (v.provider_ids));
  INSERT INTO trader_in_set AS s (set_id, trader_id, community_id, aum, aum_read_at, tab, account_count, reference_sort,
    handle_sort, created_at)
  SELECT v.id, p.trader_id, (array_agg(p.community_id))[1], sum(p.aum), min(p.aum_read_at), max(p.tab),
    sum(p.account_count), min(p.reference_sort), min(p.handle_sort), min(p.created_at)
  FROM trader_provider p JOIN provider_set v ON p.provider_id = ANY (v.provider_ids)
  WHERE p.is_shared AND (trader_ids IS NULL OR p.trader_id = ANY (trader_ids))
    AND (set_ids IS NULL OR v.id = ANY (set_ids))
  GROUP BY v.id, p.trader_id
  ON CONFLICT (set_id, trader_id) DO UPDATE
  SET community_id = excluded.community_id, aum = excluded.aum, aum_read_at = excluded.aum_read_at, tab = excluded.tab,
    account_count = excluded.account_count, reference_sort = excluded.reference_sort, handle_sort = excluded.handle_sort, created_at = excluded.created_at
  WHERE (s.community_id, s.aum, s.aum_read_at, s.tab, s.account_count, s.reference_sort, s.handle_sort,
    s.created_at)
    IS DISTINCT FROM (excluded.community_id, excluded.aum, excluded.aum_read_at, excluded.tab,
      excluded.account_count, excluded.reference_sort,
      excluded.handle_sort, excluded.created_at);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$
;
CREATE OR REPLACE FUNCTION app.refresh_trader_text(trader_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  DELETE FROM trader_text WHERE trader_ids IS NULL OR trader_id = ANY (trader_ids);
  INSERT INTO trader_text (trader_id, provider_id, kind, value)
  SELECT t.id, NULL::uuid, 'reference', t.reference_sort FROM trader t
  WHERE t.reference_number IS NOT NULL AND (trader_ids IS NULL OR t.id = ANY (trader_ids))
  UNION ALL
  SELECT t.id, NULL::uuid, 'person', lower(concat_ws(E'\n', t.name, t.telegram_username, t.telegram_user_id, t.email,
    t.deposit_address, t.external_wallet_address)) FROM trader t
  WHERE trader_ids IS NULL OR t.id = ANY (trader_ids)
  UNION ALL
  SELECT a.trader_id, a.provider_id, 'account', lower(concat_ws(E'\n', a.acc_uid, a.master_address, a.agent_address))
  FROM exchange_account a
  WHERE a.removed_at IS NULL AND (trader_ids IS NULL OR a.trader_id = ANY (trader_ids));
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$
;
CREATE OR REPLACE FUNCTION app.refresh_traders(trader_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  seen_before jsonb;
BEGIN
  PERFORM FROM trader WHERE id = ANY (trader_ids) ORDER BY id FOR NO KEY UPDATE;
  SELECT jsonb_object_agg(s.trader_id, s.providers) INTO seen_before
  FROM (SELECT trader_id, jsonb_agg(provider_id) AS providers
        FROM trader_provider WHERE trader_id = ANY (trader_ids) GROUP BY trader_id) s;

  UPDATE trader t
  SET aum = s.aum, aum_read_at = s.read_at, account_count = s.accounts
  FROM (SELECT w.id, sum(a.equity) AS aum, min(a.equity_read_at) AS read_at, count(a.id)::int AS accounts
        FROM unnest(trader_ids) w (id)
        LEFT JOIN exchange_account a ON a.trader_id = w.id AND a.removed_at IS NULL GROUP BY w.id) s
  WHERE t.id = s.id
    AND (t.aum, t.aum_read_at, t.account_count) IS DISTINCT FROM (s.aum, s.read_at, s.accounts);

  DELETE FROM trader_provider tp
  USING trader t
  WHERE tp.trader_id = ANY (trader_ids) AND t.id = tp.trader_id
    AND t.selected_provider_id IS DISTINCT FROM tp.provider_id
    AND NOT EXISTS (SELECT FROM exchange_account a
                    WHERE a.trader_id = tp.trader_id AND a.provider_id = tp.provider_id AND a.removed_at IS NULL);

  INSERT INTO trader_provider AS tp (trader_id, provider_id, account_count, aum, aum_read_at, tab, is_shared)
  SELECT t.id, p.provider_id, count(a.id), sum(a.equity), min(a.equity_read_at),
         CASE WHEN t.status <> 'pending' THEN t.status WHEN count(a.id) > 0 THEN 'inbox' END,
         count(*) OVER (PARTITION BY t.id) > 1
  FROM trader t
  CROSS JOIN LATERAL (
    SELECT t.selected_provider_id AS provider_id WHERE t.selected_provider_id IS NOT NULL
    UNION SELECT ea.provider_id FROM exchange_account ea WHERE ea.trader_id = t.id AND ea.removed_at IS NULL) p
  LEFT JOIN exchange_account a
    ON a.trader_id = t.id AND a.provider_id = p.provider_id AND a.removed_at IS NULL
  WHERE t.id = ANY (trader_ids)
  GROUP BY t.id, p.provider_id
  ON CONFLICT (trader_id, provider_id) DO UPDATE
  SET account_count = excluded.account_count, aum = excluded.aum,
      aum_read_at = excluded.aum_read_at, tab = excluded.tab, is_shared = excluded.is_shared
  WHERE (tp.account_count, tp.aum, tp.aum_read_at, tp.tab, tp.is_shared) IS DISTINCT FROM
    (excluded.account_count, excluded.aum, excluded.aum_read_at, excluded.tab, excluded.is_shared);

  INSERT INTO change_event (topic, entity_id, provider_ids)
  SELECT 'trader', w.id, ARRAY(
    SELECT provider_id FROM trader_provider WHERE trader_id = w.id
    UNION SELECT p::uuid FROM jsonb_array_elements_text(seen_before -> w.id::text) p)
  FROM unnest(trader_ids) w (id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$
;
CREATE OR REPLACE FUNCTION app.refuse_chain_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'what was signed or has ended on chain does not change'
    USING ERRCODE = 'integrity_constraint_violation';
END
$function$
;
CREATE OR REPLACE FUNCTION app.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$function$
;
CREATE OR REPLACE FUNCTION app.refuse_dependent_approval()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM identity.user_access a
      WHERE a.user_id::text = NEW.decided_by_id AND a.super AND a.disabled_at IS NULL AND a.confirmed_at IS NOT NULL)
    OR EXISTS (SELECT FROM identity.user_access a WHERE a.user_id::text = NEW.requested_by_id
      AND a.confirmed_at IS NULL AND NEW.decided_by_id IN (SELECT identity.sponsors_of(a.user_id)::text))
  THEN
    RAISE EXCEPTION 'a distribution is approved by an independent, confirmed super admin'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$
;
CREATE OR REPLACE FUNCTION app.refuse_other_invoice()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'closed position % was invoiced', OLD.id USING ERRCODE = 'integrity_constraint_violation';
END
$function$
;
CREATE OR REPLACE FUNCTION app.release_balances()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  IF EXISTS (SELECT FROM ended e JOIN journal j ON j.id = e.journal_id
             WHERE j.xid <> pg_current_xact_id() OR EXISTS (SELECT FROM posting p WHERE p.journal_id = j.id)) THEN
    RAISE EXCEPTION 'the journal is closed' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  PERFORM app.lock_balances(ARRAY(
    SELECT r.account_id FROM ended e JOIN ledger_reservation r ON r.id = e.reservation_id));
  UPDATE ledger_balance b
  SET pending = b.pending - d.amount
  FROM (SELECT r.account_id, sum(r.amount) AS amount
        FROM ended e JOIN ledger_reservation r ON r.id = e.reservation_id GROUP BY r.account_id) d
  WHERE b.account_id = d.account_id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.reserve_balances()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  PERFORM app.lock_balances(ARRAY(SELECT account_id FROM added));
  UPDATE ledger_balance b
  SET pending = b.pending + d.amount
  FROM (SELECT account_id, sum(amount) AS amount FROM added GROUP BY account_id) d
  WHERE b.account_id = d.account_id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.search_traders(part text, in_references boolean, most integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  mine uuid[] := app.provider_ids();
  caller_scope text := app.open_scope();
  needle text := lower(part);
  pattern text := '%' || replace(replace(replace(needle, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  hex text := replace(needle, '-', '');
  is_short boolean := length(needle) < 3;
  sources text := format($query$SELECT x.trader_id FROM trader_text x
    WHERE %s AND ($1 OR coalesce(x.provider_id = ANY ($2), true))$query$,
    CASE
      -- Neither column is named as an index has it: texts are read as they come, and only until there are enough.
      WHEN in_references AND is_short THEN format($part$(x.kind || '') = 'reference' AND (x.value || '') LIKE %L$part$, pattern)
      WHEN in_references THEN format($part$x.kind = 'reference' AND x.value LIKE %L$part$, pattern)
      WHEN is_short THEN format($part$x.kind <> 'reference' AND app.short_parts(x.value) @> ARRAY[%L]$part$, needle)
      ELSE format($part$x.kind <> 'reference' AND x.value LIKE %L$part$, pattern)
    END);
BEGIN
  IF NOT in_references AND hex ~ '^[0-9a-f]{8,32}$' THEN
    sources := sources || format($query$ UNION ALL SELECT i.trader_id FROM invoice i
      WHERE i.id BETWEEN %L::uuid AND %L::uuid AND ($1 OR i.provider_id = ANY ($2))$query$,
      rpad(hex, 32, '0'), rpad(hex, 32, 'f'));
  END IF;
  IF NOT in_references AND needle ~ '^0x[0-9a-f]{6,64}$' THEN
    sources := sources || format($query$ UNION ALL SELECT i.trader_id FROM invoice_payment y JOIN invoice i ON i.id = y.invoice_id
      WHERE y.transaction_hash COLLATE "C" >= %L AND y.transaction_hash COLLATE "C" < %L
        AND ($1 OR y.provider_id = ANY ($2))$query$, needle, needle || 'g');
  END IF;
  RETURN QUERY EXECUTE format($query$SELECT found.trader_id FROM (%s) found
    WHERE ($1 OR EXISTS (SELECT FROM trader_provider p
      WHERE p.trader_id = found.trader_id AND p.provider_id = ANY ($2) OFFSET 0))
    AND (%L OR NOT EXISTS (SELECT FROM trader_text r
      WHERE r.trader_id = found.trader_id AND r.kind = 'reference' AND r.value LIKE %L OFFSET 0))
    LIMIT $3$query$, sources, in_references, pattern) USING caller_scope = 'all', mine, most;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$
;
CREATE OR REPLACE FUNCTION app.sees_all()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN COALESCE((current_setting('copydesk.scope'::text, true) = 'all'::text), false)
;
CREATE OR REPLACE FUNCTION app.settled_elsewhere(status text, settled_by text, amount numeric, paid numeric, off_platform numeric)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((status = 'paid'::text) AND (settled_by = 'manual'::text)) THEN GREATEST((amount - app.on_chain_units(paid, off_platform)), (0)::numeric) ELSE off_platform END
;
CREATE OR REPLACE FUNCTION app.short_parts(value text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 10000
AS $function$
BEGIN
  RETURN string_to_array(value, NULL)
    || string_to_array(regexp_replace(value, '(..)', E'\\1\x01', 'g'), E'\x01')
    || string_to_array(regexp_replace(substr(value, 2), '(..)', E'\\1\x01', 'g'), E'\x01');
END
$function$
;
CREATE OR REPLACE FUNCTION app.sum_closed_positions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO closed_position_day AS d
      (account_id, day, trader_id, provider_id, positions, closed_pnl, unknown_profit)
    SELECT account_id, app.utc_day(closed_at), trader_id, provider_id, count(*), sum(coalesce(closed_pnl, 0)),
      count(*) FILTER (WHERE closed_pnl IS NULL)
    FROM added GROUP BY 1, 2, 3, 4
    ON CONFLICT (account_id, day) DO UPDATE
    SET positions = d.positions + excluded.positions, closed_pnl = d.closed_pnl + excluded.closed_pnl,
      unknown_profit = d.unknown_profit + excluded.unknown_profit;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE closed_position_day d
    SET positions = d.positions - r.positions, closed_pnl = d.closed_pnl - r.closed_pnl,
      unknown_profit = d.unknown_profit - r.unknown_profit
    FROM (SELECT account_id, app.utc_day(closed_at) AS day, count(*)::int AS positions,
            sum(coalesce(closed_pnl, 0)) AS closed_pnl,
            (count(*) FILTER (WHERE closed_pnl IS NULL))::int AS unknown_profit
          FROM taken GROUP BY 1, 2) r
    WHERE d.account_id = r.account_id AND d.day = r.day;
  ELSE
    INSERT INTO closed_position_day AS d
      (account_id, day, trader_id, provider_id, positions, closed_pnl, unknown_profit)
    SELECT account_id, day, trader_id, provider_id, sum(n)::int, sum(pnl), sum(unknown)::int
    FROM (
      SELECT a.account_id, app.utc_day(a.closed_at) AS day, a.trader_id, a.provider_id, 1 AS n,
        coalesce(a.closed_pnl, 0) AS pnl, (a.closed_pnl IS NULL)::int AS unknown
      FROM added a JOIN taken t USING (id)
      WHERE (a.closed_pnl, a.closed_at) IS DISTINCT FROM (t.closed_pnl, t.closed_at)
      UNION ALL
      SELECT t.account_id, app.utc_day(t.closed_at), t.trader_id, t.provider_id, -1, -coalesce(t.closed_pnl, 0),
        -(t.closed_pnl IS NULL)::int
      FROM added a JOIN taken t USING (id)
      WHERE (a.closed_pnl, a.closed_at) IS DISTINCT FROM (t.closed_pnl, t.closed_at)) moved
    GROUP BY 1, 2, 3, 4
    ON CONFLICT (account_id, day) DO UPDATE
    SET positions = d.positions + excluded.positions, closed_pnl = d.closed_pnl + excluded.closed_pnl,
      unknown_profit = d.unknown_profit + excluded.unknown_profit;
  END IF;
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.trader_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  UPDATE trader_provider SET community_id = NEW.community_id, reference_sort = NEW.reference_sort,
    handle_sort = NEW.handle_sort, created_at = NEW.created_at
  WHERE trader_id = NEW.id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.trader_parts_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM added WHERE is_shared;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM taken WHERE is_shared;
  ELSE
    SELECT array_agg(DISTINCT trader_id) INTO touched
    FROM (SELECT trader_id FROM added WHERE is_shared UNION SELECT trader_id FROM taken WHERE is_shared) both_sides;
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.refresh_trader_sets(touched, NULL);
  END IF;
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.trader_removed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, entity_id, provider_ids)
  VALUES ('trader', OLD.id, ARRAY(SELECT provider_id FROM trader_provider WHERE trader_id = OLD.id));
  DELETE FROM closed_position_day d
  USING exchange_account a
  WHERE a.id = d.account_id AND a.trader_id = OLD.id AND a.removed_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM closed_position c WHERE c.account_id = a.id);
  DELETE FROM exchange_account a
  WHERE a.trader_id = OLD.id AND a.removed_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM closed_position c WHERE c.account_id = a.id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN OLD;
END
$function$
;
CREATE OR REPLACE FUNCTION app.trader_seen()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  SELECT community_id, reference_sort, handle_sort, created_at
  INTO NEW.community_id, NEW.reference_sort, NEW.handle_sort, NEW.created_at
  FROM trader WHERE id = NEW.trader_id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NEW;
END
$function$
;
CREATE OR REPLACE FUNCTION app.trader_text_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_TABLE_NAME = 'trader' THEN
    PERFORM app.refresh_trader_text(ARRAY[NEW.id]);
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM app.refresh_trader_text(ARRAY[OLD.trader_id]);
  ELSE
    PERFORM app.refresh_trader_text(ARRAY[NEW.trader_id]);
  END IF;
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.trader_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NOT app.bulk_loading() THEN
    PERFORM app.refresh_traders(ARRAY[NEW.id]);
  END IF;
  RETURN NULL;
END
$function$
;
CREATE OR REPLACE FUNCTION app.traders_with_text(part text)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SECURITY DEFINER ROWS 30000
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  mine uuid[] := app.provider_ids();
  caller_scope text := app.open_scope();
  needle text := lower(part);
  pattern text := '%' || replace(replace(replace(needle, '\', '\\'), '%', '\%'), '_', '\_') || '%';
BEGIN
  RETURN QUERY EXECUTE format($query$SELECT x.trader_id FROM trader_text x
    WHERE x.kind <> 'reference' AND %s AND ($1 OR x.provider_id = ANY ($2) OR (x.provider_id IS NULL AND x.trader_id IN (
      SELECT p.trader_id FROM trader_provider p WHERE p.provider_id = ANY ($2))))$query$,
    CASE WHEN length(needle) < 3 THEN format('app.short_parts(x.value) @> ARRAY[%L]', needle)
      ELSE format('x.value LIKE %L', pattern) END) USING caller_scope = 'all', mine;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$
;
CREATE OR REPLACE FUNCTION app.utc_day(at timestamp with time zone)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((at AT TIME ZONE 'UTC'::text))::date
;
