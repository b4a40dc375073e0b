/**
 * better-auth names tables and columns in camelCase; our database uses snake_case. These map its field names to ours.
 */
const created = { createdAt: 'created_at', updatedAt: 'updated_at' };

export const USER_COLUMNS = { emailVerified: 'email_verified', ...created };

/** Our columns: when the person behind a session last authenticated, and when it ends at the latest. */
export const SESSION_FACTORS = {
  authenticatedAt: { type: 'date', input: false, returned: false, fieldName: 'authenticated_at' },
  secondFactorAt: {
    type: 'date',
    input: false,
    returned: false,
    required: false,
    fieldName: 'second_factor_at',
  },
  endsAt: { type: 'date', input: false, returned: false, required: false, fieldName: 'ends_at' },
} as const;

export const SESSION_COLUMNS = {
  expiresAt: 'expires_at',
  ipAddress: 'ip_address',
  userAgent: 'user_agent',
  userId: 'user_id',
  ...created,
};

export const ACCOUNT_COLUMNS = {
  accountId: 'account_id',
  providerId: 'provider_id',
  userId: 'user_id',
  accessToken: 'access_token',
  refreshToken: 'refresh_token',
  idToken: 'id_token',
  accessTokenExpiresAt: 'access_token_expires_at',
  refreshTokenExpiresAt: 'refresh_token_expires_at',
  ...created,
};

export const VERIFICATION_COLUMNS = { expiresAt: 'expires_at', ...created };

export const RATE_LIMIT_TABLE = { modelName: 'rate_limit', fields: { lastRequest: 'last_request' } };

export const JWKS_SCHEMA = {
  jwks: {
    fields: {
      publicKey: 'public_key',
      privateKey: 'private_key',
      createdAt: 'created_at',
      expiresAt: 'expires_at',
    },
  },
};

export const PASSKEY_SCHEMA = {
  passkey: {
    fields: {
      userId: 'user_id',
      credentialID: 'credential_id',
      publicKey: 'public_key',
      deviceType: 'device_type',
      backedUp: 'backed_up',
      createdAt: 'created_at',
    },
  },
};

export const TWO_FACTOR_SCHEMA = {
  user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
  twoFactor: {
    modelName: 'two_factor',
    fields: {
      backupCodes: 'backup_codes',
      userId: 'user_id',
      failedVerificationCount: 'failed_verification_count',
      lockedUntil: 'locked_until',
    },
  },
};
