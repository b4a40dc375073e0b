-- Keys of before have a master key, and no public key.
ALTER TABLE pool_key VALIDATE CONSTRAINT pool_key_sealed_once;
