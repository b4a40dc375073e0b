ALTER TABLE export ADD COLUMN selected jsonb;
ALTER TABLE export ADD CONSTRAINT export_selected CHECK (jsonb_typeof(selected) = 'object') NOT VALID;
COMMENT ON COLUMN export.selected IS
  'The selected rows, as they were sent: their ids, or those that are left out. NULL: all that match.';
GRANT INSERT (selected) ON export TO copydesk_app;
