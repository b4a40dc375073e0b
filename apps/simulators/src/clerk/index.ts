export { claimsOf } from './session-token.ts';
export { signAsClerk } from './sign-webhook.ts';
export { type RunningClerk, startClerk } from './start-clerk.ts';
export { createTokenSigner } from './token-signer.ts';
