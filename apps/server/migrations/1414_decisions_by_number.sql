-- For the list of what was decided, which is a small part of all entries.
CREATE INDEX CONCURRENTLY audit_entry_of_decisions ON audit_entry (seq DESC) WHERE app.is_decision(action);
