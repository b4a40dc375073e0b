-- Written by `npm run generate` from a migrated database. Do not edit.

-- The providers that a community works with.
CREATE TABLE community_provider (
  community_id uuid NOT NULL,
  provider_id uuid NOT NULL,
  -- The name of the provider in this community. NULL: its own display name.
  custom_display_name text,
  -- Whether traders of the community may choose the provider and connect accounts under it.
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- A removed link stays when invoices name both: the staff of the provider still read its history by it.
  removed_at timestamptz,
  CONSTRAINT community_provider_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id)
    ON DELETE CASCADE,
  CONSTRAINT community_provider_custom_display_name_check CHECK (custom_display_name <> ''),
  CONSTRAINT community_provider_pkey PRIMARY KEY (community_id, provider_id),
  CONSTRAINT community_provider_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  CONSTRAINT community_provider_removed_check CHECK (removed_at IS NULL OR NOT is_active)
);

CREATE INDEX community_provider_by_provider ON community_provider (provider_id, community_id);

ALTER TABLE community_provider ENABLE ROW LEVEL SECURITY;
ALTER TABLE community_provider FORCE ROW LEVEL SECURITY;
CREATE POLICY community_provider_linking ON community_provider FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
CREATE POLICY community_provider_scope ON community_provider FOR SELECT
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));

CREATE TRIGGER community_provider_written AFTER INSERT OR DELETE OR UPDATE ON community_provider FOR EACH ROW
  EXECUTE FUNCTION app.link_written();
