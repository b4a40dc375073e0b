-- Written by `npm run generate` from a migrated database. Do not edit.

-- What a community pays us for; written by the billing integration. No row: it never subscribed.
CREATE TABLE community_subscription (
  community_id uuid NOT NULL,
  "interval" text NOT NULL,
  current_period_end timestamptz NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- Its id at Stripe. NULL: entered before Stripe was used.
  subscription_id text,
  -- As Stripe calls it; what it allows is decided by billing/subscription.ts of the domain package.
  status text NOT NULL DEFAULT 'active',
  cancel_at_period_end boolean NOT NULL DEFAULT false,
  trial_end timestamptz,
  -- When the oldest unpaid invoice was issued. NULL: all are paid.
  unpaid_since timestamptz,
  ended_at timestamptz,
  -- About the last payment.
  payment_notice text,
  -- Stripe bills more than one subscription of this community.
  has_duplicate boolean NOT NULL DEFAULT false,
  -- When it was last read at Stripe.
  read_at timestamptz,
  -- The number of that read. Reads are numbered when they begin: one that began earlier never replaces a later one.
  read_number bigint NOT NULL DEFAULT 0,
  CONSTRAINT community_subscription_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id)
    ON DELETE CASCADE,
  CONSTRAINT community_subscription_interval_check CHECK ("interval" = ANY (ARRAY['monthly', 'yearly'])),
  CONSTRAINT community_subscription_payment_notice_check
    CHECK (payment_notice = ANY (ARRAY['refunded', 'disputed', 'dispute_lost'])),
  CONSTRAINT community_subscription_pkey PRIMARY KEY (community_id),
  CONSTRAINT community_subscription_status_check
    CHECK (status = ANY (ARRAY['incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'unpaid',
    'paused', 'canceled'])),
  CONSTRAINT community_subscription_subscription_id_check CHECK (subscription_id <> ''),
  CONSTRAINT community_subscription_subscription_id_key UNIQUE (subscription_id)
);

CREATE INDEX community_subscription_ending ON community_subscription (status) WHERE status <> 'active';

ALTER TABLE community_subscription ENABLE ROW LEVEL SECURITY;
ALTER TABLE community_subscription FORCE ROW LEVEL SECURITY;
CREATE POLICY community_subscription_scope ON community_subscription FOR ALL
  USING ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM community_provider cp
    WHERE cp.community_id = community_subscription.community_id
    AND (cp.provider_id = ANY (((SELECT app.provider_ids()))::uuid[])))))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER subscription_written AFTER INSERT OR UPDATE ON community_subscription FOR EACH ROW
  EXECUTE FUNCTION app.subscription_written();
