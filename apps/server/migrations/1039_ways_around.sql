-- Two ways by which one person could have got around the second one.

-- A lock ends the value that was set in the console, so that taking the lock away does not bring it back.
ALTER TABLE platform_setting ALTER COLUMN value DROP NOT NULL;
COMMENT ON COLUMN platform_setting.value IS
  'NULL: the default holds, because the server''s configuration has locked the setting since it was set.';

-- Whoever removes the second factor of a super admin may know its password, and sign in as that person.
ALTER TABLE identity.user_sponsor DROP CONSTRAINT user_sponsor_act_check,
  ADD CONSTRAINT user_sponsor_act_check CHECK (act IN ('invited', 'promoted', 'reset'));
COMMENT ON TABLE identity.user_sponsor IS
  'Every invitation, promotion and removal of a second factor of a user by another one. Rows are never changed or removed: a new invitation does not erase an earlier one.';
