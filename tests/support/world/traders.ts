import { randomUUID } from 'node:crypto';
import { addAccount } from './accounts.ts';
import { insertRow, type Owner } from './rows.ts';

export interface SmallTrader {
  id: string;
  providerId: string;
  communityId: string;
  accountId: string;
}

/**
 * A connected trader without an account. Its community is the first active one of the demo world; it may lack what the
 * API requires, like imported traders.
 */
export async function addBareTrader(owner: Owner, changes: Record<string, unknown> = {}): Promise<string> {
  const communityId = changes.community_id ?? (await firstLink(owner)).communityId;
  return insertRow(owner, 'trader', {
    community_id: communityId,
    referral_code: randomUUID(),
    status: 'connected',
    ...changes,
  });
}

/** A trader with an account at its selected provider. */
export async function addTrader(
  owner: Owner,
  changes: Record<string, string | null> = {},
): Promise<SmallTrader> {
  const link = await firstLink(owner);
  const providerId = changes.selected_provider_id ?? link.providerId;
  const communityId = changes.community_id ?? link.communityId;
  const id = await addBareTrader(owner, {
    selected_provider_id: providerId,
    reference_number: `T-${randomUUID().slice(0, 8)}`,
    telegram_user_id: String(Math.floor(Math.random() * 1e9)),
    ...changes,
    community_id: communityId,
  });
  return { id, providerId, communityId, accountId: await addAccount(owner, { id, providerId }) };
}

async function firstLink(owner: Owner): Promise<{ communityId: string; providerId: string }> {
  const [link] = await owner<{ communityId: string; providerId: string }>(
    `SELECT l.community_id AS "communityId", l.provider_id AS "providerId" FROM community_provider l
     JOIN community c ON c.id = l.community_id WHERE NOT c.is_archived ORDER BY c.name, l.provider_id LIMIT 1`,
  );
  if (!link) throw new Error('the world has no active community');
  return link;
}
