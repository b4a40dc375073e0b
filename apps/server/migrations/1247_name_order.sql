-- The order of names that people read, on every database: "ähre, Anker, evening, Évora, Zulu", and "Team 2" before
-- "Team 10". The order of a database may be that of bytes, in which all capitals come first.
CREATE COLLATION app.names (provider = icu, locale = 'und-u-kn');
COMMENT ON COLLATION app.names IS 'The order of names: letters whatever their case and accents, numbers by value.';
