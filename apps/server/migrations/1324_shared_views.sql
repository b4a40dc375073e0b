CREATE INDEX CONCURRENTLY saved_view_shared ON saved_view (screen) WHERE shared_by IS NOT NULL;
