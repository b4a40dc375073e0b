-- Written by `npm run generate` from a migrated database. Do not edit.

-- Which account of a trader, or which pool, held an account of an exchange, and when. Kept by triggers.
CREATE TABLE account_holder (
  exchange text NOT NULL,
  acc_uid text NOT NULL,
  held_from timestamptz NOT NULL,
  held_until timestamptz,
  account_id uuid,
  pooled_account_id uuid,
  CONSTRAINT account_holder_account_id_fkey FOREIGN KEY (account_id) REFERENCES exchange_account(id)
    ON DELETE CASCADE,
  CONSTRAINT account_holder_alone EXCLUDE USING gist (exchange WITH =, acc_uid WITH =, tstzrange(held_from,
    held_until) WITH &&),
  CONSTRAINT account_holder_exchange_fkey FOREIGN KEY (exchange) REFERENCES exchange(id),
  CONSTRAINT account_holder_one CHECK (num_nonnulls(account_id, pooled_account_id) = 1),
  CONSTRAINT account_holder_pooled_account_id_fkey FOREIGN KEY (pooled_account_id) REFERENCES pooled_account(id)
    ON DELETE CASCADE,
  CONSTRAINT account_holder_time CHECK (held_until > held_from)
);

CREATE INDEX account_holder_alone ON account_holder USING gist (exchange, acc_uid, tstzrange(held_from, held_until));
CREATE INDEX account_holder_by_account ON account_holder (account_id, held_from);
CREATE INDEX account_holder_by_pool ON account_holder (pooled_account_id);

ALTER TABLE account_holder ENABLE ROW LEVEL SECURITY;
ALTER TABLE account_holder FORCE ROW LEVEL SECURITY;
CREATE POLICY account_holder_scope ON account_holder FOR ALL
  USING ((SELECT app.sees_all()));
