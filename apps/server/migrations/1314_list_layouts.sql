CREATE TABLE list_layout (
  user_id text NOT NULL CHECK (user_id <> ''),
  list text NOT NULL
    CHECK (list IN ('traders', 'invoices', 'payouts', 'communities', 'pools', 'people', 'audit')),
  layout jsonb NOT NULL CHECK (jsonb_typeof(layout) = 'object' AND octet_length(layout::text) <= 4096),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, list)
);
COMMENT ON TABLE list_layout IS
  'How a person arranged the columns of a list: order, hidden, widths, pinned. It belongs to the person, whatever the scope.';

ALTER TABLE list_layout ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY list_layout_own ON list_layout USING ('user:' || user_id = (SELECT app.caller()));
