/** The smaller of two amounts of base units. */
// Stryker disable next-line EqualityOperator: of equal amounts either is the smaller.
export const leastOf = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The larger of two amounts of base units. */
// Stryker disable next-line EqualityOperator: of equal amounts either is the larger.
export const mostOf = (a: bigint, b: bigint): bigint => (a > b ? a : b);
