/** In whose name the worker writes. */
export const WORKER_ACTOR = { kind: 'system', id: 'worker', name: 'worker' } as const;
