-- Written by `npm run generate` from a migrated database. Do not edit.

-- What a community pays us for; written by the billing integration. No row: it never subscribed.
CREATE TABLE community_subscription (
  community_id uuid NOT NULL,
  "interval" text NOT NULL,
  current_period_end timestamptz NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT community_subscription_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id)
    ON DELETE CASCADE,
  CONSTRAINT community_subscription_interval_check CHECK ("interval" = ANY (ARRAY['monthly', 'yearly'])),
  CONSTRAINT community_subscription_pkey PRIMARY KEY (community_id)
);

ALTER TABLE community_subscription ENABLE ROW LEVEL SECURITY;
ALTER TABLE community_subscription FORCE ROW LEVEL SECURITY;
CREATE POLICY community_subscription_scope ON community_subscription FOR ALL
  USING ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM community_provider cp
    WHERE cp.community_id = community_subscription.community_id
    AND (cp.provider_id = ANY (((SELECT app.provider_ids()))::uuid[])))))
  WITH CHECK ((SELECT app.sees_all()));
