-- Written by `npm run generate` from a migrated database. Do not edit.

-- Changes, for consoles that listen. A reader that comes back with the position it had reached gets every event
-- whose transaction was unfinished then, so no event that commits late is skipped.
CREATE TABLE change_event (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  at timestamptz NOT NULL DEFAULT now(),
  topic text NOT NULL,
  -- The changed object. NULL: one statement changed many invoices, and the event stands for all of a trader.
  entity_id uuid,
  -- Providers whose staff receive the event; super admins receive every event.
  provider_ids uuid[] NOT NULL,
  -- The trader of a changed invoice or payment.
  trader_id uuid,
  -- The one person who receives the event. NULL: those in the scope.
  user_id text,
  CONSTRAINT change_event_pkey PRIMARY KEY (id),
  CONSTRAINT change_event_topic_check
    CHECK (topic = ANY (ARRAY['trader', 'community', 'provider', 'payout', 'invoice', 'payment', 'pool', 'stop',
    'export', 'bulk_act', 'own_setting', 'attention']))
);

CREATE INDEX change_event_by_time ON change_event (at);
CREATE INDEX change_event_by_xid ON change_event (xid, id);

ALTER TABLE change_event ENABLE ROW LEVEL SECURITY;
ALTER TABLE change_event FORCE ROW LEVEL SECURITY;
CREATE POLICY change_event_scope ON change_event FOR ALL
  USING ((SELECT app.sees_all()) OR provider_ids && ((SELECT app.provider_ids()))
    OR ('user:' || user_id) = ((SELECT app.caller())));

CREATE TRIGGER change_event_announced AFTER INSERT ON change_event FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_changes();
