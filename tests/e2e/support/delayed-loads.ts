/** Page loads and acts of the test with delays: few in `npm test`, as many as wanted for a long run. */
export const DELAYED_LOADS = Number(process.env.E2E_DELAYED_LOADS ?? 5);
export const DELAY_SEED = Number(process.env.E2E_DELAY_SEED ?? 1);
