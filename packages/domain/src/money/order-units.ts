/** The smaller of two amounts of base units. */
export const leastOf = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The larger of two amounts of base units. */
export const mostOf = (a: bigint, b: bigint): bigint => (a > b ? a : b);
