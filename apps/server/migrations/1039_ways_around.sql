-- Ways around the second person, and around the security log (docs/decisions/0067).

-- A lock ends the value that was set in the console, so that taking the lock away does not bring it back.
ALTER TABLE platform_setting ALTER COLUMN value DROP NOT NULL;
COMMENT ON COLUMN platform_setting.value IS
  'NULL: the default holds, because the server''s configuration has locked the setting since it was set.';

-- Whoever removes the second factor of a super admin may know its password, and sign in as that person.
ALTER TABLE identity.user_sponsor DROP CONSTRAINT user_sponsor_act_check,
  ADD CONSTRAINT user_sponsor_act_check CHECK (act IN ('invited', 'promoted', 'reset'));
COMMENT ON TABLE identity.user_sponsor IS
  'Every invitation, promotion and removal of a second factor of a user by another one. Rows are never changed or removed: a new invitation does not erase an earlier one.';

-- Every page of the security log counts the attempts that it does not list: few rows of a table that may be long.
CREATE INDEX refused_attempt_unlisted ON refused_attempt (last_at DESC) WHERE call IS NULL;
