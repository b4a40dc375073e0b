/** All keys share a prefix: a change of any pool invalidates every one. */
export const poolsKeys = {
  all: ['pools'],
  pool: (id: string) => ['pools', 'pool', id],
} as const;
