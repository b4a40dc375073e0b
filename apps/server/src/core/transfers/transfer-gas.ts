/** Gas of a token transfer that writes new slots, with a margin. */
export const TRANSFER_GAS = 90_000n;

/** Top-ups are this many times the present fees: those may rise until the coin arrives. */
export const TOPUP_ROOM = 2n;
