-- Drafts that wait for a person.
CREATE INDEX CONCURRENTLY invoicing_run_drafted ON invoicing_run (drafted_at) WHERE state = 'draft';
