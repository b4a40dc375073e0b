-- Where traders come from, what levels offer, and what referrals earn.

ALTER TABLE trader ADD COLUMN source text CHECK (source IN ('staff', 'program', 'bot'));
COMMENT ON COLUMN trader.source IS
  'Who added the trader: staff in the console, a program with a service token, or the bot of its community. NULL: added before this was recorded.';
CREATE INDEX trader_by_joining ON trader (community_id, created_at) INCLUDE (source, referred_by_trader_id);

ALTER TABLE vip_tier ADD COLUMN benefits text NOT NULL DEFAULT '';
COMMENT ON COLUMN vip_tier.benefits IS 'What the platform offers at this level, in the words of super admins. Empty: nothing.';

-- Staff see the name of their community's bot, as everyone on Telegram does: referral links lead to it. Its token lies in
-- a table of its own.
CREATE POLICY exchange_bot_read ON exchange_bot FOR SELECT
  USING (EXISTS (SELECT FROM community c WHERE c.id = exchange_bot.community_id));
