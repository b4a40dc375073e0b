-- The list of messages of bots keeps views and columns.

-- compatible: the constraints that follow take every value of these
ALTER TABLE saved_view DROP CONSTRAINT saved_view_screen_check;
-- compatible: as above
ALTER TABLE list_layout DROP CONSTRAINT list_layout_list_check;
-- compatible: as above
ALTER TABLE default_view DROP CONSTRAINT default_view_screen_check;
ALTER TABLE saved_view ADD CONSTRAINT saved_view_screen_check CHECK (screen IN ('traders', 'invoices', 'payouts',
  'communities', 'pools', 'accounts', 'messages', 'bot_messages', 'people', 'audit', 'refusals', 'closed_positions', 'sales',
  'subscribers')) NOT VALID;
ALTER TABLE list_layout ADD CONSTRAINT list_layout_list_check CHECK (list IN ('traders', 'invoices', 'payouts',
  'communities', 'pools', 'accounts', 'messages', 'bot_messages', 'people', 'audit', 'refusals', 'closed_positions', 'sales',
  'subscribers')) NOT VALID;
ALTER TABLE default_view ADD CONSTRAINT default_view_screen_check CHECK (screen IN ('traders', 'invoices', 'payouts',
  'communities', 'pools', 'accounts', 'messages', 'bot_messages', 'people', 'audit', 'refusals', 'closed_positions', 'sales',
  'subscribers')) NOT VALID;
