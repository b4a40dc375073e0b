import type { Scope } from '@copydesk/domain/access';
import type { PlanFeature } from '@copydesk/domain/billing';
import type { Database } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findAccess } from './subscriptions.views.ts';

/** @throws Refusal `subscription_required` */
export type RequirePlan = (scope: Scope, communityId: string, feature: PlanFeature) => Promise<void>;

/** Refuses what the plan of a community does not include. A server that sells no plans refuses nothing. */
export function createRequirePlan({
  db,
  isConfigured,
  graceDays,
  now,
}: {
  db: Database;
  isConfigured: boolean;
  graceDays: number;
  now: () => Date;
}): RequirePlan {
  return async (scope, communityId, feature) => {
    if (!isConfigured) return;
    const { allows } = await db.read(scope, (tx) => findAccess(tx, communityId, { now: now(), graceDays }));
    if (!allows.includes(feature)) throw new Refusal('subscription_required');
  };
}
