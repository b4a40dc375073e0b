-- Written by `npm run generate` from a migrated database. Do not edit.

-- Closed positions, as read from the exchanges.
CREATE TABLE closed_position (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  account_id uuid NOT NULL,
  trader_id uuid NOT NULL,
  provider_id uuid NOT NULL,
  -- The exchange's own id of the closed position: a second reading updates the row.
  venue_id text NOT NULL,
  symbol text NOT NULL,
  side text NOT NULL,
  entry_price numeric,
  exit_price numeric,
  leverage numeric,
  contracts numeric,
  -- Profit in USD. NULL: unknown, because its currency or the price to convert it at is missing. Such a position
  -- counts as a position, adds nothing to a sum, and is invoiced only once its profit is known; every sum reports
  -- how many it leaves out.
  closed_pnl numeric,
  fees_included boolean NOT NULL DEFAULT false,
  opened_at timestamptz,
  closed_at timestamptz NOT NULL,
  -- A position is invoiced once, permanently.
  invoice_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The exchange; with venue_account, the account there, and venue_id, the close there.
  venue text,
  venue_account text,
  -- The same close under an account that held the exchange account before: it is not invoiced, and listed where it
  -- was.
  double_of uuid,
  -- Profit as the exchange reports it since it was invoiced; closed_pnl is what was invoiced.
  corrected_pnl numeric,
  corrected_at timestamptz,
  -- Whether a super admin decided the difference of corrected_pnl as it is. Kept by triggers.
  is_correction_decided boolean NOT NULL DEFAULT false,
  -- The same of double_of.
  is_double_decided boolean NOT NULL DEFAULT false,
  CONSTRAINT closed_position_account_id_fkey FOREIGN KEY (account_id) REFERENCES exchange_account(id)
    ON DELETE RESTRICT,
  CONSTRAINT closed_position_account_id_venue_id_key UNIQUE (account_id, venue_id),
  CONSTRAINT closed_position_corrected CHECK ((corrected_pnl IS NULL) = (corrected_at IS NULL)),
  CONSTRAINT closed_position_double_of_fkey FOREIGN KEY (double_of) REFERENCES closed_position(id),
  CONSTRAINT closed_position_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoice(id) ON DELETE RESTRICT,
  CONSTRAINT closed_position_pkey PRIMARY KEY (id),
  CONSTRAINT closed_position_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  CONSTRAINT closed_position_side_check CHECK (side = ANY (ARRAY['long', 'short'])),
  CONSTRAINT closed_position_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE RESTRICT,
  CONSTRAINT closed_position_venue CHECK (venue IS NOT NULL AND venue_account IS NOT NULL)
);

CREATE INDEX closed_position_by_double ON closed_position (double_of) WHERE double_of IS NOT NULL;
CREATE INDEX closed_position_by_invoice ON closed_position (invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX closed_position_by_pnl ON closed_position (trader_id, closed_pnl, id);
CREATE INDEX closed_position_by_provider ON closed_position (provider_id, closed_at DESC);
CREATE INDEX closed_position_by_symbol ON closed_position (trader_id, symbol, closed_at, id);
CREATE INDEX closed_position_by_trader ON closed_position (trader_id, closed_at DESC, id);
CREATE INDEX closed_position_of_unknown_profit ON closed_position (trader_id)
  WHERE closed_pnl IS NULL AND invoice_id IS NULL;
CREATE UNIQUE INDEX closed_position_once ON closed_position (venue, venue_account, venue_id) WHERE double_of IS NULL;
CREATE INDEX closed_position_open_difference ON closed_position (id)
  WHERE corrected_pnl IS NOT NULL AND NOT is_correction_decided OR double_of IS NOT NULL AND NOT is_double_decided;
CREATE INDEX closed_position_to_invoice ON closed_position (trader_id, provider_id)
  WHERE invoice_id IS NULL AND closed_pnl > 0::numeric;

ALTER TABLE closed_position ENABLE ROW LEVEL SECURITY;
ALTER TABLE closed_position FORCE ROW LEVEL SECURITY;
CREATE POLICY closed_position_scope ON closed_position FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));

CREATE TRIGGER close_differs BEFORE UPDATE OF corrected_pnl, double_of ON closed_position FOR EACH ROW
  WHEN (new.corrected_pnl IS DISTINCT FROM old.corrected_pnl OR new.double_of IS DISTINCT FROM old.double_of)
  EXECUTE FUNCTION app.close_differs();
CREATE TRIGGER close_named BEFORE INSERT ON closed_position FOR EACH ROW WHEN (new.venue IS NULL)
  EXECUTE FUNCTION app.name_close();
CREATE TRIGGER closed_positions_added AFTER INSERT ON closed_position REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION app.sum_closed_positions();
CREATE TRIGGER closed_positions_changed AFTER UPDATE ON closed_position
  REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.sum_closed_positions();
CREATE TRIGGER closed_positions_taken AFTER DELETE ON closed_position REFERENCING OLD TABLE AS taken
  FOR EACH STATEMENT EXECUTE FUNCTION app.sum_closed_positions();
CREATE TRIGGER invoiced_once BEFORE UPDATE OF invoice_id, closed_pnl ON closed_position FOR EACH ROW
  WHEN (old.invoice_id IS NOT NULL AND (new.invoice_id IS DISTINCT FROM old.invoice_id
  OR new.closed_pnl IS DISTINCT FROM old.closed_pnl)) EXECUTE FUNCTION app.refuse_other_invoice();
CREATE TRIGGER invoiced_stays BEFORE DELETE ON closed_position FOR EACH ROW WHEN (old.invoice_id IS NOT NULL)
  EXECUTE FUNCTION app.refuse_other_invoice();
