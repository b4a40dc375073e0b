-- What a reversal and its journal have by account is read once: each mention of a table costs the evaluation of its
-- policy, and OFFSET keeps the planner from walking all accounts in their order.
CREATE OR REPLACE FUNCTION app.check_journal() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
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
$$;
