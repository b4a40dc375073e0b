/** Refusals that only calls of this feature return. */
export const exportErrors = {
  exports_unfinished: {
    status: 409,
    message: 'Three exports of yours are not finished. Wait for one or cancel it, then export again.',
  },
  exports_kept: {
    status: 409,
    message: 'You keep 20 exports. Delete one that you no longer need, then export again.',
  },
  export_not_ready: {
    status: 409,
    message: 'This export has no file. Wait until it is ready; where it failed, export again.',
  },
  export_expired: { status: 410, message: 'This file was kept for seven days: export again' },
  export_access_changed: {
    status: 403,
    message: 'Your access changed since this file was made: export again',
  },
} as const;
