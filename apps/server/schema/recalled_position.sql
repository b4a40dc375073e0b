-- Written by `npm run generate` from a migrated database. Do not edit.

-- What an invoice charged before it was recalled.
CREATE TABLE recalled_position (
  invoice_id uuid NOT NULL,
  position_id uuid NOT NULL,
  provider_id uuid NOT NULL,
  -- The profit that it charged, USD. The position may be corrected since.
  closed_pnl numeric NOT NULL,
  CONSTRAINT recalled_position_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoice(id),
  CONSTRAINT recalled_position_pkey PRIMARY KEY (invoice_id, position_id),
  CONSTRAINT recalled_position_position_id_fkey FOREIGN KEY (position_id) REFERENCES closed_position(id)
    ON DELETE CASCADE,
  CONSTRAINT recalled_position_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);

CREATE INDEX recalled_position_by_position ON recalled_position (position_id);
CREATE INDEX recalled_position_by_provider ON recalled_position (provider_id);

ALTER TABLE recalled_position ENABLE ROW LEVEL SECURITY;
ALTER TABLE recalled_position FORCE ROW LEVEL SECURITY;
CREATE POLICY recalled_position_scope ON recalled_position FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));
