-- Whether a key may withdraw is unknown where its exchange does not say: no answer is no "no". Rows of before keep what was
-- stored; the version before still writes true or false.
-- compatible: every program names the column when it inserts
ALTER TABLE exchange_account ALTER COLUMN may_withdraw DROP NOT NULL, ALTER COLUMN may_withdraw DROP DEFAULT;

COMMENT ON COLUMN exchange_account.may_withdraw IS 'Whether the key may withdraw; null: the exchange does not say';
