const SERVER = 'apps/server/src/';
const IDENTITY = `${SERVER}platform/identity/`;

/** Tables that belong to one way of signing in: with another identity service they are empty. */
const SIGN_IN_TABLES = [
  'user',
  'session',
  'account',
  'verification',
  'jwks',
  'two_factor',
  'passkey',
  'rate_limit',
  'used_totp_code',
  'sign_in_failure',
  'hosted_user',
  'hosted_session',
  'hosted_organization',
];
const NAMED = new RegExp(`\\bidentity\\."?(${SIGN_IN_TABLES.join('|')})\\b`, 'g');

/** The tables of signing in that a file names outside of platform/identity. Features read `identity.person`. */
export function findSignInTables(path: string, source: string): string[] {
  if (!path.startsWith(SERVER) || path.startsWith(IDENTITY) || /\.test\.ts$/.test(path)) return [];
  return [...new Set([...source.matchAll(NAMED)].map(([, table]) => `identity.${table}`))];
}
