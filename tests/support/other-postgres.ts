/** What `npm test -- postgres-15` runs the tests on, or null: `scripts/other-postgres.mjs` sets these. */
export const OTHER = process.env.TEST_POSTGRES_PACKAGE
  ? {
      name: process.env.TEST_POSTGRES_NAME ?? 'other',
      packageDir: process.env.TEST_POSTGRES_PACKAGE,
      icuLocale: process.env.TEST_POSTGRES_LOCALE ?? 'sv-SE',
    }
  : null;

/** Settings that an operator may have for a role or a database, and that statements of ours must not depend on. */
export const UNUSUAL_SETTINGS: readonly string[] = OTHER
  ? [
      "statement_timeout = '5s'",
      "lock_timeout = '1s'",
      "idle_in_transaction_session_timeout = '10s'",
      "timezone = 'Asia/Kathmandu'",
      "datestyle = 'German, DMY'",
      "intervalstyle = 'sql_standard'",
      "bytea_output = 'escape'",
      'extra_float_digits = 0',
    ]
  : [];
