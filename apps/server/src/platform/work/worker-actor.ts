/** The actor that the worker writes under. */
export const WORKER_ACTOR = { kind: 'system', id: 'worker', name: 'worker' } as const;
