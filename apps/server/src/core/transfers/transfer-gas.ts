/** Gas of a token transfer that writes new slots, with a margin. */
export const TRANSFER_GAS = 90_000n;
