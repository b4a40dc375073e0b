-- What people did about items that need attention. The items themselves are derived where they are shown, never
-- stored.

CREATE TABLE attention_mark (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  kind text NOT NULL CHECK (kind ~ '^[a-z_]{1,40}$'),
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 200),
  provider_id uuid REFERENCES provider,
  version integer NOT NULL DEFAULT 1 CHECK (version > 0),
  marked_at timestamptz NOT NULL DEFAULT now(),
  taken_by_id text,
  taken_by text,
  taken_at timestamptz,
  snoozed_until timestamptz,
  snoozed_by text,
  snooze_reason text CHECK (btrim(snooze_reason) <> ''),
  snoozed_cause text,
  CONSTRAINT attention_mark_once UNIQUE NULLS NOT DISTINCT (kind, subject, provider_id),
  CONSTRAINT attention_mark_taken CHECK (num_nonnulls(taken_by_id, taken_by, taken_at) IN (0, 3)),
  CONSTRAINT attention_mark_snoozed
    CHECK (num_nonnulls(snoozed_until, snoozed_by, snooze_reason, snoozed_cause) IN (0, 4))
);
CREATE INDEX attention_mark_by_provider ON attention_mark (provider_id) WHERE provider_id IS NOT NULL;
CREATE INDEX attention_mark_lately ON attention_mark (marked_at);
COMMENT ON TABLE attention_mark IS
  'Who attends to an item that needs attention, and until when it sleeps. It holds for an item that began before: one that went and came back begins without.';
COMMENT ON COLUMN attention_mark.provider_id IS
  'Whose item it is, where each provider has its own. NULL: one of super admins.';
COMMENT ON COLUMN attention_mark.snoozed_cause IS 'The cause then: with another one the item is awake.';

ALTER TABLE attention_mark ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY attention_mark_scope ON attention_mark USING (
  (SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[])
) WITH CHECK (
  (SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[])
);
