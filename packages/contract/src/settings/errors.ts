/** Refusals that only calls of this feature return. */
export const settingErrors = {
  setting_changed: {
    status: 409,
    message: 'This setting has changed. Please review it again.',
  },
  setting_above_bound: {
    status: 409,
    message: 'This setting is looser than the bound that is set on the machine of the worker',
  },
  setting_waiting: {
    status: 409,
    message: 'Another change of this setting waits for approval. Decline it first.',
  },
  too_many_views: {
    status: 409,
    message: 'You have 100 views of this list. Delete one that you no longer need, then save this one.',
  },
  approvers_missing: {
    status: 409,
    message: 'No other super admin has been one for that long, so no one could approve anything',
  },
} as const;
