-- Written by `npm run generate` from a migrated database. Do not edit.

-- How a person arranged the columns of a list: order, hidden, widths, pinned. It belongs to the person, whatever the
-- scope.
CREATE TABLE list_layout (
  user_id text NOT NULL,
  list text NOT NULL,
  layout jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT list_layout_layout_check CHECK (jsonb_typeof(layout) = 'object' AND octet_length(layout::text) <= 4096),
  CONSTRAINT list_layout_list_check
    CHECK (list = ANY (ARRAY['traders', 'invoices', 'payouts', 'communities', 'pools', 'accounts', 'messages',
    'bot_messages', 'people', 'audit', 'refusals', 'closed_positions', 'sales', 'subscribers'])),
  CONSTRAINT list_layout_pkey PRIMARY KEY (user_id, list),
  CONSTRAINT list_layout_user_id_check CHECK (user_id <> '')
);

ALTER TABLE list_layout ENABLE ROW LEVEL SECURITY;
ALTER TABLE list_layout FORCE ROW LEVEL SECURITY;
CREATE POLICY list_layout_own ON list_layout FOR ALL
  USING (('user:' || user_id) = ((SELECT app.caller())));

CREATE TRIGGER list_layout_announced AFTER INSERT OR DELETE OR UPDATE ON list_layout FOR EACH ROW
  EXECUTE FUNCTION app.announce_own_setting();
