/** Bars of a range of few days stay bars, and do not become blocks. */
export const WIDEST_BAR_PX = 24;
