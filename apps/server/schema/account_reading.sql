-- Written by `npm run generate` from a migrated database. Do not edit.

-- The state of reading an account: when it is due, the lease of the worker that reads it, and how far its closed
-- positions are known.
CREATE TABLE account_reading (
  account_id uuid NOT NULL,
  provider_id uuid NOT NULL,
  exchange text NOT NULL,
  due_at timestamptz NOT NULL DEFAULT now(),
  -- When a user asked for a refresh. Such an account is read before the others; the read clears the column.
  requested_at timestamptz,
  -- When the last refresh was requested; with refresh_failed, its progress.
  refresh_started_at timestamptz,
  refresh_failed boolean NOT NULL DEFAULT false,
  -- End of a worker's lease. due_at moves there too, so that an account whose worker died becomes due again.
  leased_until timestamptz,
  -- Fences off late writes of a worker that lost its lease.
  lease_number bigint NOT NULL DEFAULT 0,
  finished_at timestamptz,
  failures integer NOT NULL DEFAULT 0,
  -- Every position closed before this is known.
  closed_known_to timestamptz,
  closed_read_at timestamptz,
  -- When the last days were last read again, for positions that an exchange reports late.
  closed_rescanned_at timestamptz,
  -- A range that takes several turns to read, with closed_until; closed_cursor is where the next turn continues.
  closed_since timestamptz,
  closed_until timestamptz,
  closed_cursor text,
  closed_is_rescan boolean NOT NULL DEFAULT false,
  -- The account was removed then, and its closed positions up to then are still to be read. NULL: nothing is to be
  -- read for the last time.
  last_read_until timestamptz,
  -- With unread_until, the time of which closed positions of a removed account were never read.
  unread_since timestamptz,
  unread_until timestamptz,
  -- The same of unread_until.
  is_unread_decided boolean NOT NULL DEFAULT false,
  CONSTRAINT account_reading_account_id_fkey FOREIGN KEY (account_id) REFERENCES exchange_account(id)
    ON DELETE CASCADE,
  CONSTRAINT account_reading_check CHECK ((closed_since IS NULL) = (closed_until IS NULL)),
  CONSTRAINT account_reading_check1 CHECK (closed_cursor IS NULL OR closed_until IS NOT NULL),
  CONSTRAINT account_reading_exchange_fkey FOREIGN KEY (exchange) REFERENCES exchange(id),
  CONSTRAINT account_reading_pkey PRIMARY KEY (account_id),
  CONSTRAINT account_reading_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  CONSTRAINT account_reading_unread CHECK ((unread_since IS NULL) = (unread_until IS NULL))
);

CREATE INDEX account_reading_by_provider ON account_reading (provider_id);
CREATE INDEX account_reading_due ON account_reading (exchange, due_at);
CREATE INDEX account_reading_open_unread ON account_reading (account_id)
  WHERE unread_until IS NOT NULL AND NOT is_unread_decided;
CREATE INDEX account_reading_requested ON account_reading (exchange, requested_at) WHERE requested_at IS NOT NULL;
CREATE INDEX account_reading_with_unread ON account_reading (unread_until) WHERE unread_until IS NOT NULL;

ALTER TABLE account_reading ENABLE ROW LEVEL SECURITY;
ALTER TABLE account_reading FORCE ROW LEVEL SECURITY;
CREATE POLICY account_reading_scope ON account_reading FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])))
  WITH CHECK ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[]))
    AND (EXISTS (SELECT FROM exchange_account a WHERE a.id = account_reading.account_id)));

CREATE TRIGGER reading_requested AFTER INSERT OR UPDATE OF requested_at ON account_reading FOR EACH ROW
  WHEN (new.requested_at IS NOT NULL) EXECUTE FUNCTION app.announce_reading_request();
CREATE TRIGGER unread_differs BEFORE UPDATE OF unread_until ON account_reading FOR EACH ROW
  WHEN (new.unread_until IS DISTINCT FROM old.unread_until) EXECUTE FUNCTION app.unread_differs();
