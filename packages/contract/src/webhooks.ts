import { webhooks } from './entry.ts';

/** The calls of vendors. The server does not compile without a handler and a verifier for each. */
export const webhookContract = webhooks({});
