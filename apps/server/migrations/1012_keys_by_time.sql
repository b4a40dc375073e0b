-- Keys of tables that grow start with their time (UUID version 7), so that inserts reach the last pages of an index
-- instead of all of them, and a range of keys is a range of time. The time of a row is on its screens anyway. Tokens
-- and keys of people, sessions, providers, communities and traders stay random.
DO $$
BEGIN
  IF current_setting('server_version_num')::int >= 180000 THEN
    CREATE FUNCTION app.uuid_by_time() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
      RETURN uuidv7();
  ELSE
    -- 48 bits of milliseconds before the random bits of a version 4; bits 52 and 53 make the 4 a 7.
    CREATE FUNCTION app.uuid_by_time() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
      RETURN encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
        PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
        52, 1), 53, 1), 'hex')::uuid;
  END IF;
END
$$;
COMMENT ON FUNCTION app.uuid_by_time() IS 'A UUID of version 7; PostgreSQL makes them from version 18 on.';
GRANT EXECUTE ON FUNCTION app.uuid_by_time() TO copydesk_app;

ALTER TABLE ledger_account ALTER COLUMN id SET DEFAULT app.uuid_by_time();
ALTER TABLE journal ALTER COLUMN id SET DEFAULT app.uuid_by_time();
ALTER TABLE ledger_reservation ALTER COLUMN id SET DEFAULT app.uuid_by_time();
ALTER TABLE invoice ALTER COLUMN id SET DEFAULT app.uuid_by_time();
ALTER TABLE payment ALTER COLUMN id SET DEFAULT app.uuid_by_time();
ALTER TABLE deposit ALTER COLUMN id SET DEFAULT app.uuid_by_time();
ALTER TABLE message ALTER COLUMN id SET DEFAULT app.uuid_by_time();
ALTER TABLE open_position ALTER COLUMN id SET DEFAULT app.uuid_by_time();
ALTER TABLE closed_position ALTER COLUMN id SET DEFAULT app.uuid_by_time();
ALTER TABLE distribution ALTER COLUMN id SET DEFAULT app.uuid_by_time();
ALTER TABLE payout ALTER COLUMN id SET DEFAULT app.uuid_by_time();
ALTER TABLE payable ALTER COLUMN id SET DEFAULT app.uuid_by_time();
ALTER TABLE transfer ALTER COLUMN id SET DEFAULT app.uuid_by_time();
ALTER TABLE transfer_attempt ALTER COLUMN id SET DEFAULT app.uuid_by_time();
