/** Of USDT on BNB Smart Chain; the token's own decimals must match. */
export const TOKEN_DECIMALS = 18;
