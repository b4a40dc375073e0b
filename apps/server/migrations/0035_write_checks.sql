-- What a transaction of one scope may write. A row that names the scope's own provider and another's trader or
-- community would bring these into the scope: whoever has an account with a provider is seen by its staff.

-- Reference data, and the mark of the demo world: the owner's.
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON platform_recipient, vip_tier, demo_world FROM copydesk_app;

DROP POLICY exchange_account_scope ON exchange_account;
CREATE POLICY exchange_account_scope ON exchange_account
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]))
  WITH CHECK ((SELECT app.sees_all()) OR (provider_id = ANY ((SELECT app.provider_ids())::uuid[])
    AND EXISTS (SELECT FROM trader t WHERE t.id = exchange_account.trader_id)));

-- Which trader an account belongs to is seen through the account itself, whose policy asks for the provider.
DO $$
DECLARE
  scoped text;
BEGIN
  FOREACH scoped IN ARRAY ARRAY['exchange_credential', 'account_reading'] LOOP
    EXECUTE format('DROP POLICY %I ON %I', scoped || '_scope', scoped);
    EXECUTE format($policy$CREATE POLICY %1$I ON %2$I
      USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]))
      WITH CHECK ((SELECT app.sees_all()) OR (provider_id = ANY ((SELECT app.provider_ids())::uuid[])
        AND EXISTS (SELECT FROM exchange_account a WHERE a.id = %2$I.account_id)))$policy$,
      scoped || '_scope', scoped);
  END LOOP;
END
$$;

DROP POLICY trader_creation ON trader;
CREATE POLICY trader_creation ON trader FOR INSERT
  WITH CHECK (selected_provider_id = ANY ((SELECT app.provider_ids())::uuid[])
    AND EXISTS (SELECT FROM community c WHERE c.id = trader.community_id));

-- Linking is for transactions that see everything. (A check that the community is visible would be an infinite
-- recursion: communities are seen through these rows.)
DROP POLICY community_provider_scope ON community_provider;
CREATE POLICY community_provider_scope ON community_provider FOR SELECT
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));
CREATE POLICY community_provider_linking ON community_provider
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

-- The same for payouts: they are seen through the shares in them.
DROP POLICY payable_scope ON payable;
CREATE POLICY payable_scope ON payable
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]))
  WITH CHECK ((SELECT app.sees_all()));
DROP POLICY payout_scope ON payout;
CREATE POLICY payout_scope ON payout
  USING ((SELECT app.sees_all()) OR EXISTS (
    SELECT FROM payable p WHERE p.payout_id = payout.id
      AND p.provider_id = ANY ((SELECT app.provider_ids())::uuid[])))
  WITH CHECK ((SELECT app.sees_all()));

-- Kept filters are a person's own, whatever that person may see.
ALTER TABLE saved_view ENABLE ROW LEVEL SECURITY;
ALTER TABLE saved_view FORCE ROW LEVEL SECURITY;
CREATE POLICY saved_view_scope ON saved_view USING ('user:' || user_id = (SELECT app.caller()));
