-- Times as the API writes them: ISO 8601, UTC, milliseconds.
CREATE FUNCTION app.iso(t timestamptz) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN to_char(t AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
