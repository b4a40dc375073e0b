-- Written by `npm run generate` from a migrated database. Do not edit.

-- Whose chat with the platform's bot is connected by the code of a link: one open link a person.
CREATE TABLE person_chat_request (
  user_id uuid NOT NULL,
  -- SHA-256: whoever reads the database connects no chat.
  code_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT person_chat_request_code_hash_check CHECK (octet_length(code_hash) = 32),
  CONSTRAINT person_chat_request_code_hash_key UNIQUE (code_hash),
  CONSTRAINT person_chat_request_pkey PRIMARY KEY (user_id),
  CONSTRAINT person_chat_request_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE
);

ALTER TABLE person_chat_request ENABLE ROW LEVEL SECURITY;
ALTER TABLE person_chat_request FORCE ROW LEVEL SECURITY;
CREATE POLICY person_chat_request_own ON person_chat_request FOR ALL
  USING (('user:' || user_id) = ((SELECT app.caller())) OR (SELECT app.is_worker()));
