-- Written by `npm run generate` from a migrated database. Do not edit.

-- Searched texts of a trader, in lower case. Row-level security is enabled but not forced: lists compare texts under
-- the policy, while app.search_traders runs as the owner, and row-level security would keep it from the indexes.
CREATE TABLE trader_text (
  trader_id uuid NOT NULL,
  -- The provider of the account; NULL for texts that everyone who sees the trader may see.
  provider_id uuid,
  kind text NOT NULL,
  value text NOT NULL,
  CONSTRAINT trader_text_kind_check CHECK (kind = ANY (ARRAY['reference', 'person', 'account'])),
  CONSTRAINT trader_text_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE
);

CREATE INDEX trader_text_of_trader ON trader_text (trader_id);
CREATE INDEX trader_text_others ON trader_text USING gin (value gin_trgm_ops) WHERE kind <> 'reference';
CREATE INDEX trader_text_references ON trader_text USING gin (value gin_trgm_ops) WHERE kind = 'reference';
CREATE INDEX trader_text_short_parts ON trader_text USING gin (app.short_parts(value)) WHERE kind <> 'reference';

ALTER TABLE trader_text ENABLE ROW LEVEL SECURITY;
CREATE POLICY trader_text_scope ON trader_text FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[]))
    OR provider_id IS NULL AND (EXISTS (SELECT FROM trader_provider p
    WHERE p.trader_id = trader_text.trader_id
    AND (p.provider_id = ANY (((SELECT app.provider_ids()))::uuid[])) OFFSET 0)));
