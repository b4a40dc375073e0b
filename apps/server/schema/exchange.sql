-- Written by `npm run generate` from a migrated database. Do not edit.

-- Exchanges that traders can connect. The domain package has the same list, and a test compares them. A new one
-- needs a place in app.invoice_cell as well, which is immutable and cannot read this table.
CREATE TABLE exchange (
  id text NOT NULL,
  -- The exchange's own spelling.
  name text NOT NULL,
  CONSTRAINT exchange_id_check CHECK (id ~ '^[a-z]+$'),
  CONSTRAINT exchange_name_check CHECK (name <> ''),
  CONSTRAINT exchange_name_key UNIQUE (name),
  CONSTRAINT exchange_pkey PRIMARY KEY (id)
);
