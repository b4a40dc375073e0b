-- Anyone can send any number of tokens to an address, so what was listed for a year is deleted.
GRANT DELETE ON other_token_transfer TO copydesk_worker;
