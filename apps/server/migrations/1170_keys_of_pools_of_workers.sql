-- Which keys of pools a worker opens: whether they are those that the API seals to is a step of the set-up.
ALTER TABLE worker_heartbeat ADD COLUMN pool_keys_recipients text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN worker_heartbeat.pool_keys_recipients IS
  'The public keys of its POOL_KEYS_IDENTITY. Empty: it has none, or is of a version that did not note them.';
