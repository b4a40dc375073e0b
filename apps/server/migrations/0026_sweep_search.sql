-- Under row-level security an index answers only for functions that tell nothing of the rows they are given, and
-- lower() is not among them: what is searched is kept as it is searched, and compared as bytes.

SELECT set_config('copydesk.scope', 'all', true), set_config('copydesk.bulk', 'on', true);

DROP INDEX sweep_operation_by_recipient;
ALTER TABLE sweep_operation
  ADD recipient_search text COLLATE "C" GENERATED ALWAYS AS (lower(recipient_address)) STORED;
CREATE INDEX sweep_operation_by_recipient ON sweep_operation (recipient_search);
