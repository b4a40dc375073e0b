-- Written by `npm run generate` from a migrated database. Do not edit.

-- When the demo world was created, and its number of traders: the simulators continue from there. Empty in
-- production.
CREATE TABLE demo_world (
  seeded_at timestamptz NOT NULL,
  traders integer NOT NULL
);
