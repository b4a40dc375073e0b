CREATE INDEX CONCURRENTLY audit_text_by_position ON audit_text (position) WHERE position IS NOT NULL;
