-- Two people, and not two accounts of one: who brought a super admin in is written down for good, and somebody else has
-- to confirm it before it approves payouts. The rule is in domain/four-eyes.ts; the database holds to it as well.

ALTER TABLE identity.user_access
  -- Since when it is a super admin that can sign in.
  ADD COLUMN super_since timestamptz,
  -- Its latest confirmation. By a super admin, or NULL: by an operator of the server.
  ADD COLUMN confirmed_at timestamptz,
  ADD COLUMN confirmed_by_id uuid REFERENCES identity."user",
  ADD CONSTRAINT nobody_confirms_itself CHECK (confirmed_by_id <> user_id),
  ADD CONSTRAINT confirmed_by_at_a_time CHECK (confirmed_by_id IS NULL OR confirmed_at IS NOT NULL);

-- Everyone who ever invited or promoted a user. Never changed and never removed: a new invitation does not wash the
-- earlier one away.
CREATE TABLE identity.user_sponsor (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES identity."user",
  sponsor_id uuid NOT NULL REFERENCES identity."user",
  act text NOT NULL CHECK (act IN ('invited', 'promoted')),
  at timestamptz NOT NULL,
  CHECK (sponsor_id <> user_id)
);
CREATE INDEX user_sponsor_by_user ON identity.user_sponsor (user_id, sponsor_id);
GRANT SELECT, INSERT ON identity.user_sponsor TO copydesk_app;

-- What the audit knows of those who are here already. Who was made a super admin by another one waits for confirmation;
-- who was set up on the server counts as confirmed.
INSERT INTO identity.user_sponsor (user_id, sponsor_id, act, at)
SELECT u.id, s.id, CASE e.action WHEN 'user.invited' THEN 'invited' ELSE 'promoted' END, e.at
FROM audit_entry e
JOIN identity."user" u ON u.id::text = e.target_id
JOIN identity."user" s ON s.id::text = e.actor_id
WHERE e.target_kind = 'user' AND e.actor_kind = 'user' AND u.id <> s.id
  AND (e.action = 'user.invited' OR (e.action = 'user.changed'
    AND e.after ->> 'super' = 'true' AND e.after ->> 'disabled' = 'false'
    AND NOT (e.before ->> 'super' = 'true' AND e.before ->> 'disabled' = 'false')))
ORDER BY e.seq;
UPDATE identity.user_access a SET
  super_since = coalesce((SELECT max(e.at) FROM audit_entry e
    WHERE e.target_kind = 'user' AND e.target_id = a.user_id::text AND e.action ~ '^user\.(invit|set_up|changed)'), u.created_at),
  confirmed_at = CASE WHEN NOT EXISTS (SELECT FROM identity.user_sponsor s WHERE s.user_id = a.user_id)
    THEN now() END
FROM identity."user" u WHERE u.id = a.user_id AND a.super;

ALTER TABLE identity.user_access
  ADD CONSTRAINT super_since_when CHECK (super = (super_since IS NOT NULL)),
  ADD CONSTRAINT only_supers_are_confirmed CHECK (super OR confirmed_at IS NULL);

-- Ids of all who brought a user in. The sponsors of an unconfirmed sponsor count too, and so on.
CREATE FUNCTION identity.sponsors_of(wanted uuid) RETURNS SETOF uuid
  LANGUAGE sql STABLE
  BEGIN ATOMIC
    WITH RECURSIVE line (id) AS (
      SELECT s.sponsor_id FROM identity.user_sponsor s WHERE s.user_id = wanted
      UNION
      SELECT s.sponsor_id FROM line
      JOIN identity.user_access a ON a.user_id = line.id AND a.confirmed_at IS NULL
      JOIN identity.user_sponsor s ON s.user_id = line.id
    )
    SELECT line.id FROM line;
  END;

GRANT EXECUTE ON FUNCTION identity.sponsors_of(uuid) TO copydesk_app;

CREATE FUNCTION identity.refuse_confirmation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM identity.user_access a
      WHERE a.user_id = NEW.confirmed_by_id AND a.super AND a.disabled_at IS NULL AND a.confirmed_at IS NOT NULL)
    OR NEW.confirmed_by_id IN (SELECT identity.sponsors_of(NEW.user_id))
  THEN
    RAISE EXCEPTION 'a super admin is confirmed by an independent, confirmed one'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER user_access_confirmed BEFORE UPDATE OF confirmed_at, confirmed_by_id ON identity.user_access
  FOR EACH ROW WHEN (NEW.confirmed_by_id IS NOT NULL
    AND (NEW.confirmed_at IS DISTINCT FROM OLD.confirmed_at OR NEW.confirmed_by_id IS DISTINCT FROM OLD.confirmed_by_id))
  EXECUTE FUNCTION identity.refuse_confirmation();

-- How long somebody has to be a super admin first is a setting, which the application holds to.
CREATE FUNCTION app.refuse_dependent_approval() RETURNS trigger LANGUAGE plpgsql AS $$
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
$$;
CREATE TRIGGER distribution_approved BEFORE UPDATE OF state, decided_by_id ON distribution
  FOR EACH ROW WHEN (NEW.state = 'approved') EXECUTE FUNCTION app.refuse_dependent_approval();
