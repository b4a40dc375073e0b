-- For the newest entry under the worker's key, which a worker compares with its own key when it starts.
CREATE INDEX CONCURRENTLY audit_entry_of_workers ON audit_entry (seq) WHERE keyed_by = 'worker';
