import { ApiError, serverMessage } from '../../../lib/api/api-error.ts';

/** The two ways to remove a community, and the way back. */
export type Removal = 'archive' | 'restore' | 'delete';

export const REMOVAL_TITLES: Record<Removal, string> = {
  archive: 'Archive community',
  restore: 'Restore community',
  delete: 'Delete community',
};
export const REMOVAL_BUSY: Record<Removal, string> = {
  archive: 'Archiving...',
  restore: 'Restoring...',
  delete: 'Deleting...',
};
export const REMOVAL_DONE: Record<Removal, string> = {
  archive: 'Community has been successfully archived.',
  restore: 'Community has been successfully restored.',
  delete: 'Community has been successfully deleted.',
};

export const REMOVAL_CONFIRM: Record<Removal, string> = {
  archive: 'Archive',
  restore: 'Restore',
  delete: 'Delete',
};

export function removalQuestion(removal: Removal, community: string): string {
  if (removal === 'restore')
    return `Restore ${community}? It returns to the leaderboard and takes new traders again.`;
  return removal === 'archive'
    ? `Are you sure you want to archive ${community}? This action can only be performed if the community has 0 AUM.`
    : `Are you sure you want to permanently delete ${community}? This action can only be performed if the community has no traders.`;
}

const DEFAULTS: Record<Removal, string> = {
  archive: 'Failed to archive community. Please check if the community has zero AUM.',
  restore: 'Failed to restore community. Please try again.',
  delete: 'Failed to delete community',
};

/** Their details name what is open, the largest first. */
const NAMED = ['community_has_open_invoices', 'community_has_credit'];

/** The message after a failure: by code, else the server's text, else a general one (super-admin spec, section 8). */
export function removalProblem(removal: Removal, error: unknown): string {
  if (!(error instanceof ApiError)) return DEFAULTS[removal];
  if (error.code === 'community_has_aum')
    return 'Cannot archive a community with non-zero AUM. Please ensure all funds are withdrawn first.';
  if (error.code === 'community_has_pending_shares')
    return 'Cannot archive a community that still owes shares. Distribute them first, or wait until payouts under way are final.';
  if (NAMED.includes(error.code) && error.details.length > 0)
    return `${error.message} ${error.details
      .slice(0, 5)
      .map(({ message }) => message)
      .join('; ')}${error.details.length > 5 ? '; ...' : ''}`;
  if (error.code === 'community_has_traders')
    return 'Cannot delete a community with active traders. Please remove all traders first.';
  if (error.code === 'delete_community_failed' && error.details.length > 0)
    return `Failed to delete community: ${error.details.map(({ message }) => message).join(', ')}`;
  return serverMessage(error) ?? DEFAULTS[removal];
}
