-- Whether a close was found a second time, as its invoice is recalled. Few are.
CREATE INDEX CONCURRENTLY closed_position_by_double ON closed_position (double_of) WHERE double_of IS NOT NULL;
