-- Written by `npm run generate` from a migrated database. Do not edit.

-- AUM and money received by community and day. Adding them up from snapshots and payments would read millions of
-- rows for a year of one community.
CREATE TABLE community_day (
  community_id uuid NOT NULL,
  -- NULL: invoices whose provider is unknown.
  provider_id uuid,
  day date NOT NULL,
  -- Sum of the day's equity snapshots in USD, written by a job. NULL: none was taken.
  equity numeric(28,8),
  -- Amounts received on invoices, kept by a trigger.
  received_units numeric(38,0) NOT NULL DEFAULT 0,
  CONSTRAINT community_day_community_id_day_provider_id_key
    UNIQUE NULLS NOT DISTINCT (community_id, day, provider_id),
  CONSTRAINT community_day_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id) ON DELETE CASCADE,
  CONSTRAINT community_day_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  CONSTRAINT community_day_received_units_check CHECK (received_units >= 0::numeric)
);

ALTER TABLE community_day ENABLE ROW LEVEL SECURITY;
ALTER TABLE community_day FORCE ROW LEVEL SECURITY;
CREATE POLICY community_day_scope ON community_day FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])))
  WITH CHECK ((SELECT app.sees_all()));
