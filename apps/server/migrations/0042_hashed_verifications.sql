-- Verifications are found by a hash from here on. Those that are open were stored in clear: whoever has read them could
-- still use them, so they end. They last an hour at most.
DELETE FROM identity.verification;
