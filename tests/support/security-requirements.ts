/**
 * What we checked ourselves against: items of OWASP ASVS 5.0.0, levels 1 and 2 and some of level 3, that matter for what the product does, in
 * our own words. Items about what it does not have (uploads, XML, WebRTC, security questions) are left out.
 */
export interface Requirement {
  /** As ASVS numbers it. */
  id: string;
  asks: string;
  /** What meets it. With `notMet`: what there is so far. */
  where: string;
  /** Files of the repository that do it. */
  files: string[];
  /** Files that prove it. */
  tests?: string[];
  /** Why it is not met. */
  notMet?: string;
}

const SERVER = 'apps/server/src';
const IDENTITY = `${SERVER}/features/people`;
const EMBEDDED = `${SERVER}/platform/identity/embedded`;

export const SECURITY_AREAS: Record<string, readonly Requirement[]> = {
  'Encoding and validation': [
    {
      id: '1.2.4',
      asks: 'Values reach the database as parameters',
      where: 'Every statement is tagged SQL with bound values',
      files: [`${SERVER}/platform/db/bound-kysely.ts`],
      tests: ['tests/api/hostile-requests.test.ts'],
    },
    {
      id: '2.2.1',
      asks: 'Input is checked against what is allowed',
      where: 'A schema for each parameter, query and body; unknown keys are refused',
      files: [`${SERVER}/platform/http/mount-contract.ts`, 'packages/contract/src/fields.ts'],
      tests: ['tests/api/fuzz.test.ts', 'tests/api/values-before-schemas.test.ts'],
    },
    {
      id: '2.2.2',
      asks: 'The checks are made where a caller cannot skip them',
      where: 'On the server; the console only repeats them',
      files: [`${SERVER}/platform/http/mount-contract.ts`],
      tests: ['tests/api/hostile-requests.test.ts'],
    },
    {
      id: '2.3.1',
      asks: 'Steps of a process happen in their order',
      where: 'Tables of transitions for payouts and cycles, with a version',
      files: ['packages/domain/src/payouts/payout-states.ts', 'packages/domain/src/pools/harvest/harvest.ts'],
    },
    {
      id: '2.3.3',
      asks: 'A business act happens as a whole or not at all',
      where: 'One transaction with its journals, audit and answer',
      files: [`${SERVER}/platform/http/idempotency/idempotency.ts`, `${SERVER}/platform/db/database.ts`],
      tests: [`${SERVER}/platform/http/idempotency/idempotency.test.ts`],
    },
    {
      id: '2.3.4',
      asks: 'What exists once is not given twice',
      where: 'Locks in one order, and reservations in the ledger',
      files: [`${SERVER}/core/ledger/reservations.service.ts`],
      tests: [`${SERVER}/features/payouts/distributions/concurrent-distributions.long.test.ts`],
    },
    {
      id: '2.4.1',
      asks: 'Calls by machine are limited',
      where: 'A rate for each caller, narrower ones for single calls',
      files: [`${SERVER}/platform/http/gate.ts`],
      tests: [`${SERVER}/platform/http/server/http.test.ts`],
    },
  ],
  'The browser, and the API': [
    {
      id: '3.3.1',
      asks: 'Cookies travel over TLS alone, and their names say so',
      where: 'Secure and `__Secure-` wherever PUBLIC_URL is https',
      files: [`${EMBEDDED}/auth-instance.ts`],
      tests: [`${IDENTITY}/sign-in/sign-in.test.ts`],
    },
    {
      id: '3.3.2',
      asks: 'Cookies do not come along with requests of other sites',
      where: 'SameSite=Strict',
      files: [`${EMBEDDED}/auth-instance.ts`],
      tests: [`${IDENTITY}/sign-in/sign-in.test.ts`, `${IDENTITY}/set-up/demo.test.ts`],
    },
    {
      id: '3.3.3',
      asks: 'The name of a cookie binds it to its host',
      where: 'No domain is set, so browsers bind it; a name of its own for each installation',
      files: [`${EMBEDDED}/auth-instance.ts`],
      notMet: 'the library names cookies `__Secure-`, and not `__Host-`',
    },
    {
      id: '3.3.4',
      asks: 'Scripts cannot read the session',
      where: 'HttpOnly; the cookie only renews the token that calls carry',
      files: [`${EMBEDDED}/auth-instance.ts`],
      tests: [`${IDENTITY}/set-up/demo.test.ts`],
    },
    {
      id: '3.4.2',
      asks: 'Other origins may not read answers',
      where: 'No CORS header at all',
      files: [`${SERVER}/platform/http/server/security-headers.ts`],
      tests: [`${SERVER}/platform/http/server/http.test.ts`],
    },
    {
      id: '3.4.3',
      asks: 'A policy names what a page may load and run',
      where: 'CSP with a nonce for styles and no inline scripts',
      files: [`${SERVER}/platform/http/server/security-headers.ts`],
      tests: [`${SERVER}/platform/http/server/http.test.ts`],
    },
    {
      id: '3.5.1',
      asks: 'Another site cannot make a person act',
      where: 'Calls are authorised by a header, never by a cookie',
      files: [`${SERVER}/platform/http/gate.ts`],
      tests: ['tests/api/matrix.test.ts'],
    },
    {
      id: '4.1.1',
      asks: 'Every answer names its type',
      where: 'Checked for every answer of a fuzzed run',
      files: ['bench/attack/fuzz-check.ts'],
      tests: ['tests/api/fuzz.test.ts'],
    },
    {
      id: '4.1.3',
      asks: 'A caller cannot set what a proxy says',
      where: 'Only as many proxies are believed as TRUSTED_PROXIES says',
      files: [`${SERVER}/platform/identity/client-address.ts`],
      tests: [`${IDENTITY}/set-up/demo.test.ts`],
    },
    {
      id: '4.2.1',
      asks: 'Where a request ends is read in one way',
      where: "Node's strict parser; a request with two lengths is refused",
      files: [`${SERVER}/platform/http/server/server.ts`],
      tests: ['tests/api/hostile-requests.test.ts'],
    },
    {
      id: '5.4.2',
      asks: 'Names of files that are sent cannot break their header',
      where: 'Exports have names of ours, with a date and nothing that a person wrote',
      files: [`${SERVER}/platform/http/csv.ts`],
      tests: [`${SERVER}/platform/http/csv.unit.test.ts`],
    },
    {
      id: '1.2.10',
      asks: 'Exports start no formula in a spreadsheet (level 3)',
      where: 'Texts that begin like one are marked as text',
      files: [`${SERVER}/platform/http/csv.ts`],
      tests: [`${SERVER}/platform/http/csv.unit.test.ts`],
    },
    {
      id: '14.3.2',
      asks: 'Browsers keep no answers',
      where: '`no-store` on every answer that does not say otherwise',
      files: [`${SERVER}/platform/http/server/security-headers.ts`],
      tests: [`${SERVER}/platform/http/server/http.test.ts`],
    },
  ],
  Authentication: [
    {
      id: '6.2.1',
      asks: 'Passwords have at least 8 characters',
      where: 'Twelve, and none that is guessed first or made of the own name',
      files: ['packages/domain/src/access/password-policy.ts', `${EMBEDDED}/passwords/password-policy.ts`],
      tests: [`${IDENTITY}/sign-in/sign-in.test.ts`],
    },
    {
      id: '6.2.4',
      asks: 'Passwords that are tried first are refused',
      where: 'A new one is compared with lists of common passwords and words',
      files: [`${EMBEDDED}/passwords/password-policy.ts`],
      tests: [`${IDENTITY}/sign-in/sign-in.test.ts`],
    },
    {
      id: '6.2.12',
      asks: 'Passwords known from breaches are refused',
      where: 'A list of those that are guessed first',
      files: ['packages/domain/src/access/password-policy.ts'],
      notMet: 'the product asks no outside service about passwords, and its list is of common ones only',
    },
    {
      id: '6.3.1',
      asks: 'Guessing is slowed',
      where: 'Attempts are counted before they are judged, by account and by address',
      files: [`${EMBEDDED}/sign-in-throttle.ts`],
      tests: [`${IDENTITY}/sign-in/sign-in.test.ts`],
    },
    {
      id: '6.3.2',
      asks: 'No default accounts',
      where:
        'The first account claims a token that only the server shows; personas exist in a demo world only',
      files: [`${IDENTITY}/set-up/setup.service.ts`],
      tests: [`${IDENTITY}/set-up/setup.test.ts`],
    },
    {
      id: '6.3.3',
      asks: 'A second factor for everyone',
      where: 'Super admins need one for acts on money and secrets',
      files: [`${SERVER}/platform/http/gate.ts`],
      tests: [`${IDENTITY}/sign-in/second-factor-required.test.ts`],
      notMet: 'staff may work without one where an act moves no money and shows no secret',
    },
    {
      id: '6.4.1',
      asks: 'Links that let in are random, short-lived and used once',
      where: 'Stored as hashes; 48 hours for an invitation, one for a reset',
      files: [`${IDENTITY}/invitations/one-time-tokens.store.ts`],
      tests: [`${IDENTITY}/invitations/invitations.test.ts`],
    },
    {
      id: '6.4.3',
      asks: 'A reset does not go around the second factor',
      where: 'A new password alone opens no account that has one',
      files: [`${EMBEDDED}/passwords/password-hooks.ts`],
      tests: [`${IDENTITY}/sign-in/second-factor.test.ts`],
    },
    {
      id: '6.5.1',
      asks: 'A code works once',
      where: 'Used codes are stored for as long as they are valid',
      files: [`${EMBEDDED}/second-factor/second-factor.ts`],
      tests: [`${IDENTITY}/sign-in/second-factor.test.ts`],
    },
  ],
  Sessions: [
    {
      id: '7.3.1',
      asks: 'A session ends without activity',
      where: 'Two hours after the last key, click or touch',
      files: ['packages/domain/src/access/session-limits.ts'],
      tests: [`${IDENTITY}/sign-in/session-limits.test.ts`],
    },
    {
      id: '7.3.2',
      asks: 'A session has a longest life',
      where: 'SESSION_HOURS after it began',
      files: [`${EMBEDDED}/sessions/session-hooks.ts`],
      tests: [`${IDENTITY}/sign-in/session-limits.test.ts`],
    },
    {
      id: '7.4.1',
      asks: 'Signing out ends it on the server',
      where: 'The row goes, and every process forgets it',
      files: [`${EMBEDDED}/sessions/session-hooks.ts`],
      tests: [`${EMBEDDED}/sessions/sign-out.test.ts`],
    },
    {
      id: '7.4.2',
      asks: 'Disabling an account ends its sessions',
      where: 'In the same transaction, with its tokens and links',
      files: [`${IDENTITY}/users/users.service.ts`],
      tests: [`${IDENTITY}/users/users.test.ts`],
    },
    {
      id: '7.4.5',
      asks: 'Administrators can end sessions',
      where: 'Of one person, in the console and by the command',
      files: [`${IDENTITY}/users/users.service.ts`, `${IDENTITY}/users/operator.service.ts`],
      tests: [`${IDENTITY}/users/operator.test.ts`],
    },
    {
      id: '7.5.1',
      asks: 'Changes of how one signs in need a fresh proof; here also acts on money and secrets (7.5.3, level 3)',
      where: 'A password and a code, or a passkey, within ten minutes',
      files: ['packages/domain/src/access/recent-authentication.ts'],
      tests: [`${SERVER}/platform/http/recent-authentication.test.ts`],
    },
    {
      id: '7.5.2',
      asks: 'People see and end their own sessions',
      where: 'In the profile',
      files: [`${IDENTITY}/profile/own-sessions.routes.ts`],
      tests: [`${IDENTITY}/profile/own-sessions.test.ts`],
    },
    {
      id: '9.1.1',
      asks: 'A token is believed once its signature is verified',
      where: 'Before anything of it is read',
      files: [`${EMBEDDED}/sessions/verify-token.ts`],
      tests: [`${IDENTITY}/sign-in/access-tokens.test.ts`],
    },
    {
      id: '9.1.2',
      asks: 'Only listed algorithms are taken',
      where: 'EdDSA alone',
      files: [`${EMBEDDED}/sessions/verify-token.ts`],
      tests: [`${IDENTITY}/sign-in/access-tokens.test.ts`],
    },
    {
      id: '9.1.3',
      asks: 'A token does not choose the key that verifies it',
      where: 'Keys come from our database',
      files: [`${EMBEDDED}/sessions/verify-token.ts`],
      tests: [`${IDENTITY}/sign-in/access-tokens.test.ts`],
    },
    {
      id: '9.2.1',
      asks: 'A token is taken within its time only',
      where: 'It needs an end, which is compared with our clock',
      files: [`${EMBEDDED}/sessions/verify-token.ts`],
      tests: [`${IDENTITY}/sign-in/access-tokens.test.ts`],
    },
    {
      id: '9.2.3',
      asks: 'A token for another service is refused',
      where: 'By issuer and audience',
      files: [`${EMBEDDED}/sessions/verify-token.ts`],
      tests: [`${IDENTITY}/sign-in/access-tokens.test.ts`],
    },
  ],
  'Access control': [
    {
      id: '8.1.1',
      asks: 'Who may do what is written down',
      where: 'docs/access.md, generated from the contract',
      files: ['docs/access.md', 'tests/support/describe-calls.ts'],
      tests: ['tests/api/generated.test.ts'],
    },
    {
      id: '8.2.1',
      asks: 'Every function is checked',
      where: 'The entry of a call names its permission, or the server does not compile',
      files: [`${SERVER}/platform/http/gate.ts`],
      tests: ['tests/api/matrix.test.ts'],
    },
    {
      id: '8.2.2',
      asks: 'Rows of others cannot be reached by their id',
      where: 'A scope in each statement, and row-level security besides',
      files: [`${SERVER}/platform/db/scope-filter.ts`],
      tests: [
        'tests/api/matrix.test.ts',
        'tests/api/row-security.test.ts',
        'tests/api/foreign-writes.test.ts',
      ],
    },
    {
      id: '8.3.1',
      asks: 'The rules hold where a caller cannot change them',
      where: 'On the server; those about money and people in the database too',
      files: ['apps/server/migrations/2003_identity.sql', 'apps/server/migrations/2015_orders.sql'],
      tests: ['tests/api/attack-by-sql.long.test.ts'],
    },
    {
      id: '8.4.1',
      asks: 'Tenants are kept apart',
      where: 'By provider, in statement and policy',
      files: ['apps/server/access.txt'],
      tests: ['tests/api/row-security.test.ts'],
    },
    {
      id: '2.3.5',
      asks: 'Acts of high value take two people (level 3)',
      where: 'Orders above the limit, loosened settings, released addresses, decisions about pools',
      files: ['packages/domain/src/access/four-eyes.ts'],
      tests: ['apps/server/src/features/payouts/four-eyes.test.ts', 'tests/api/attack-by-four-eyes.test.ts'],
    },
  ],
  Cryptography: [
    {
      id: '11.2.1',
      asks: 'Only known implementations',
      where: 'Node, and audited libraries for signatures and passkeys',
      files: [`${SERVER}/platform/secrets/sealed-secret.ts`],
      tests: [`${SERVER}/platform/secrets/sealed-secret.unit.test.ts`],
    },
    {
      id: '11.3.2',
      asks: 'Approved ciphers and modes',
      where: 'AES-256-GCM under a data key of its own for each secret',
      files: [`${SERVER}/platform/secrets/sealed-secret.ts`],
      tests: [`${SERVER}/platform/secrets/sealed-secret.unit.test.ts`],
    },
    {
      id: '11.4.2',
      asks: 'Passwords are stretched',
      where: 'scrypt, with a salt of each',
      files: [`${EMBEDDED}/passwords/password-hashes.ts`],
      tests: [`${EMBEDDED}/passwords/password-hashes.unit.test.ts`],
    },
    {
      id: '11.1.1',
      asks: 'How keys are made, kept, shared and replaced is written down',
      where: '`keys` makes them; the documents say which program has which, and what its loss means',
      files: ['docs/operations/set-up.md', 'docs/operations/running.md', 'docs/operations/backup.md'],
    },
    {
      id: '11.2.2',
      asks: 'Algorithms and keys can be replaced',
      where:
        '`rotate-key` seals everything again, backups take other recipients, passwords are stored again at sign-in',
      files: [`${SERVER}/platform/secrets/rotate-master-key.ts`, `${EMBEDDED}/passwords/password-hashes.ts`],
      notMet:
        'AUDIT_KEY and CREDENTIALS_INDEX_KEY cannot be replaced: the chain and the index are made with them',
    },
    {
      id: '11.3.3',
      asks: 'What is encrypted cannot be changed unnoticed',
      where: 'AES-GCM for secrets, ChaCha20-Poly1305 of age for backups: a changed part is refused',
      files: [`${SERVER}/platform/secrets/sealed-secret.ts`, `${SERVER}/platform/backup/age.ts`],
      tests: [`${SERVER}/bin/backup-restore.long.test.ts`],
    },
    {
      id: '14.2.4',
      asks: 'Sensitive data is protected as the documents say, wherever it is',
      where: 'Backups are encrypted to keys that the server does not have, or `check` reports it',
      files: [`${SERVER}/platform/backup/take-backup.ts`, 'docs/operations/backup.md'],
      tests: [`${SERVER}/bin/backup-restore.long.test.ts`],
      notMet:
        'rows other than secrets are not encrypted by the application: the disk of the database is to be',
    },
    {
      id: '13.3.1',
      asks: 'Secrets are in a vault, and keys in hardware',
      where: 'Environment files that only root and one program read',
      files: ['docs/operations/set-up.md'],
      notMet:
        'the seed is a variable of the worker; its signer is meant to become a process or an HSM of its own',
    },
  ],
  Configuration: [
    {
      id: '13.2.2',
      asks: 'Programs have the least rights',
      where: 'A user, a folder and a login each; the API has no right of a worker',
      files: ['docs/money-tables.md', `${SERVER}/platform/db/installation/application-role.ts`],
      tests: ['tests/api/api-login.test.ts', 'tests/start/programs-apart.long.test.ts'],
    },
    {
      id: '13.4.2',
      asks: 'No debugging in production',
      where: 'Answers have no internal details, and logs a level',
      files: [`${SERVER}/platform/http/server/error-answer.ts`],
      tests: [`${SERVER}/platform/http/server/http.test.ts`],
    },
    {
      id: '12.3.1',
      asks: 'Every connection is encrypted, those to the database and to monitoring too',
      where:
        'With containers the database takes TLS 1.3 alone and programs verify its name; elsewhere the doctor names addresses of other machines that do not',
      files: [
        'deploy/container/pg_hba.conf',
        'deploy/container/make-certificates.sh',
        `${SERVER}/platform/db/connection/database-url.ts`,
      ],
      tests: [
        `${SERVER}/platform/db/connection/database-tls.test.ts`,
        `${SERVER}/config/container-isolation.unit.test.ts`,
      ],
      notMet:
        'proxy and Prometheus reach the programs in the clear, within networks of the machine, and with units the database is reached over loopback in the clear',
    },
    {
      id: '15.2.1',
      asks: 'Parts with known weaknesses are replaced within a time that is set',
      where: 'One lock file, and a bill of materials for whatever watches for reports',
      files: ['package-lock.json', 'SECURITY.md'],
      notMet: 'no times are set (15.1.1), and nothing in the repository watches for reports',
    },
    {
      id: '15.1.2',
      asks: 'All parts of others are listed',
      where: '`npm run sbom`, in CycloneDX, from the lock file',
      files: ['scripts/lock/sbom.ts'],
      tests: ['scripts/lock/sbom.test.ts'],
    },
    {
      id: '15.2.3',
      asks: 'A production has only what it needs, and nothing of tests',
      where:
        'No program of it can load simulators or the demo world, and neither its API nor its console has the sign-in of personas',
      files: ['deploy/container/Dockerfile', `${SERVER}/wiring/require-demo-world.ts`],
      tests: [
        `${SERVER}/bin/production-imports.unit.test.ts`,
        `${SERVER}/bin/wrong-settings.test.ts`,
        'tests/start/production-console.long.test.ts',
      ],
    },
    {
      id: '15.3.2',
      asks: 'Calls to others follow no redirect',
      where: 'Refused by the transports of exchanges and bots',
      files: [
        `${SERVER}/integrations/exchanges/transport/venue-fetch.ts`,
        `${SERVER}/integrations/trading-bot/post-json.ts`,
      ],
      tests: [`${SERVER}/integrations/exchanges/transport/transport.unit.test.ts`],
    },
  ],
  'Logging and errors': [
    {
      id: '16.2.5',
      asks: 'Logs have no secrets',
      where: 'Fields of a request are named one by one',
      files: [`${SERVER}/platform/http/server/bare-answers.ts`],
      tests: [`${SERVER}/platform/observe/log.unit.test.ts`],
    },
    {
      id: '16.3.1',
      asks: 'Signing in is recorded, refused or not',
      where: 'In the audit, and refusals in the security log',
      files: [`${SERVER}/platform/audit/security-log/sign-in-refusals.ts`],
      tests: [`${SERVER}/features/audit/security-log/security-log.test.ts`],
    },
    {
      id: '16.3.2',
      asks: 'Refused access is recorded',
      where: 'The security log, by caller and hour',
      files: [`${SERVER}/platform/audit/security-log/security-log.ts`],
      tests: [`${SERVER}/platform/audit/security-log/security-log.test.ts`],
    },
    {
      id: '16.4.2',
      asks: 'Records cannot be changed',
      where: 'A chain of keyed hashes; entries of workers under a key that the API does not have',
      files: [`${SERVER}/platform/audit/verify.ts`],
      tests: [`${SERVER}/platform/audit/keyed-entries.test.ts`],
    },
    {
      id: '16.4.3',
      asks: 'Records go to another system',
      where: "The worker notes the audit's head beside the database",
      files: [`${SERVER}/platform/audit/head-file.ts`],
      tests: [`${SERVER}/platform/audit/watch-head.test.ts`],
      notMet: 'logs are written to standard output; where they go is up to the installation',
    },
    {
      id: '16.5.1',
      asks: 'Errors tell nothing about the inside',
      where: 'One envelope with a code',
      files: [`${SERVER}/platform/http/server/error-answer.ts`],
      tests: ['tests/api/fuzz.test.ts'],
    },
    {
      id: '16.5.3',
      asks: 'What fails is refused',
      where:
        'A transfer whose fact cannot be read is not signed; an exchange that fails is an error on its card',
      files: [`${SERVER}/features/transfers/engine/signing/set-aside.ts`],
      tests: [`${SERVER}/features/transfers/engine/signing/backed-transfers.test.ts`],
    },
  ],
};
