-- Written by `npm run generate` from a migrated database. Do not edit.

-- VIP levels of traders.
CREATE TABLE vip_tier (
  level integer NOT NULL,
  name text NOT NULL,
  -- AUM in USD from which a trader has this level.
  min_aum numeric(28,8) NOT NULL,
  -- What the platform offers at this level, in the words of super admins. Empty: nothing.
  benefits text NOT NULL DEFAULT '',
  CONSTRAINT vip_tier_level_check CHECK (level > 0),
  CONSTRAINT vip_tier_min_aum_check CHECK (min_aum > 0::numeric),
  CONSTRAINT vip_tier_min_aum_key UNIQUE (min_aum),
  CONSTRAINT vip_tier_pkey PRIMARY KEY (level)
);

ALTER TABLE vip_tier ENABLE ROW LEVEL SECURITY;
ALTER TABLE vip_tier FORCE ROW LEVEL SECURITY;
CREATE POLICY vip_tier_change ON vip_tier FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
CREATE POLICY vip_tier_read ON vip_tier FOR SELECT
  USING (true);
