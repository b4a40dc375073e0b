/** PostgreSQL schema of all tables for signing in. */
export const IDENTITY_SCHEMA = 'identity';

/**
 * Tables without row-level security, each with the reason: none holds a row of a tenant. The application reads and
 * writes them under its own name, never in a caller's scope.
 */
export const IDENTITY_TABLES = [
  'user',
  'session',
  'account',
  'verification',
  'jwks',
  'two_factor',
  'passkey',
  'rate_limit',
  'user_access',
  'user_seen',
  'view_as',
  'waitlist',
  'user_sponsor',
  'service_token',
  'setup_token',
  'invitation',
  'used_totp_code',
  'sign_in_failure',
  'hosted_user',
  'hosted_session',
  'hosted_event',
  'hosted_comparison',
  'hosted_organization',
  'sign_in_service',
] as const;
