-- Written by `npm run generate` from a migrated database. Do not edit.

-- Who attends to an item that needs attention, and until when it sleeps. It holds for an item that began before: one
-- that went and came back begins without.
CREATE TABLE attention_mark (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  kind text NOT NULL,
  subject text NOT NULL,
  -- Whose item it is, where each provider has its own. NULL: one of super admins.
  provider_id uuid,
  version integer NOT NULL DEFAULT 1,
  marked_at timestamptz NOT NULL DEFAULT now(),
  taken_by_id text,
  taken_by text,
  taken_at timestamptz,
  snoozed_until timestamptz,
  snoozed_by text,
  snooze_reason text,
  -- The cause then: with another one the item is awake.
  snoozed_cause text,
  CONSTRAINT attention_mark_kind_check CHECK (kind ~ '^[a-z_]{1,40}$'),
  CONSTRAINT attention_mark_once UNIQUE NULLS NOT DISTINCT (kind, subject, provider_id),
  CONSTRAINT attention_mark_pkey PRIMARY KEY (id),
  CONSTRAINT attention_mark_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  CONSTRAINT attention_mark_snooze_reason_check CHECK (btrim(snooze_reason) <> ''),
  CONSTRAINT attention_mark_snoozed
    CHECK (num_nonnulls(snoozed_until, snoozed_by, snooze_reason, snoozed_cause) = ANY (ARRAY[0, 4])),
  CONSTRAINT attention_mark_subject_check CHECK (length(subject) >= 1 AND length(subject) <= 200),
  CONSTRAINT attention_mark_taken CHECK (num_nonnulls(taken_by_id, taken_by, taken_at) = ANY (ARRAY[0, 3])),
  CONSTRAINT attention_mark_version_check CHECK (version > 0)
);

CREATE INDEX attention_mark_by_provider ON attention_mark (provider_id) WHERE provider_id IS NOT NULL;
CREATE INDEX attention_mark_lately ON attention_mark (marked_at);

ALTER TABLE attention_mark ENABLE ROW LEVEL SECURITY;
ALTER TABLE attention_mark FORCE ROW LEVEL SECURITY;
CREATE POLICY attention_mark_scope ON attention_mark FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])))
  WITH CHECK ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));

CREATE TRIGGER attention_mark_announced AFTER INSERT OR UPDATE ON attention_mark FOR EACH ROW
  EXECUTE FUNCTION app.announce_mark();
