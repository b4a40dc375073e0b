/** Refusals that only calls of this feature return. */
export const communityErrors = {
  community_has_pending_shares: {
    status: 409,
    message:
      'Cannot archive a community that still owes its recipients. Distribute the pending shares first.',
  },
  community_has_open_invoices: {
    status: 409,
    message:
      'Cannot archive a community with open invoices. Have them paid, or settle or archive them first.',
  },
  community_has_credit: {
    status: 409,
    message:
      'Traders of this community have credit. Archive it with their credit, or pay the credit back first.',
  },
  community_pool_open: {
    status: 409,
    message:
      'Cannot archive a community while its pool is in a harvest cycle. Wait until the pool trades again.',
  },
  community_not_archived: { status: 409, message: 'This community is not archived' },
  community_has_aum: {
    status: 409,
    message: 'Cannot archive a community with non-zero AUM. Please ensure all funds are withdrawn first.',
  },
  community_has_traders: {
    status: 409,
    message: 'Cannot delete a community with active traders. Please remove all traders first.',
  },
  delete_community_failed: { status: 409, message: 'Failed to delete community' },
  provider_inactive: { status: 409, message: 'This provider is inactive' },
  provider_already_linked: { status: 409, message: 'This community already works with this provider' },
  provider_in_use: { status: 409, message: 'This provider is still in use in this community' },
  community_name_taken: { status: 409, message: 'Another community has this name' },
} as const;
