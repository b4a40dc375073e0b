import { z } from 'zod';
import { secretList } from '../secret-list.ts';
import { API, BOTH, type Variables, WORKER } from '../variable.ts';

/** Secrets of the installation. */
export const SECRETS_VARIABLES = {
  COPYDESK_DATA_DIR: {
    schema: z.string().optional(),
    readers: BOTH,
    meaning: 'Folder for secrets and, in the demo world, the database',
    unset: '`.data` with `npm start`',
  },
  BETTER_AUTH_SECRET: {
    schema: z.string().min(32).optional(),
    readers: API,
    meaning: 'Secret behind sessions and second factors, 32 characters or more',
    unset: 'a file in the data folder',
  },
  AUDIT_KEY: {
    schema: z.string().min(32).optional(),
    readers: BOTH,
    meaning: 'Key of the audit chain, 32 characters or more',
    unset: 'a file in the data folder',
  },
  CREDENTIALS_KEY: {
    schema: z.string().min(32).optional(),
    readers: BOTH,
    meaning: 'Master key of the stored secrets of exchange accounts, 32 characters or more',
    unset: 'a file in the data folder',
  },
  CREDENTIALS_OTHER_KEYS: {
    schema: secretList(32),
    readers: BOTH,
    meaning: 'Keys that stored secrets may still be wrapped with, or soon will be, separated by commas',
  },
  CREDENTIALS_INDEX_KEY: {
    schema: z.string().min(32).optional(),
    readers: BOTH,
    meaning: 'Key of the hashes that find a key connected twice. It must never change',
    unset: 'a file in the data folder',
  },
  POOL_KEYS_RECIPIENT: {
    schema: z
      .string()
      .regex(/^age1[0-9a-z]{58}$/)
      .optional(),
    readers: BOTH,
    meaning:
      'Public key (`age1...`) that keys of pools are sealed to, of the first `POOL_KEYS_IDENTITY`. Without it no pool can be connected',
    unset: 'with `npm start` a file in the data folder',
  },
  REVEAL_SUPER_ONLY: {
    schema: z.enum(['0', '1']).default('0'),
    readers: API,
    meaning:
      "`1`: only super admins may reveal the secrets of exchange accounts; a provider's `reveal_super_only` does it for one",
  },
} satisfies Variables;

/** Secrets of workers alone. They are read apart from the rest: `readWorkerAuditKey` in config.ts. */
export const WORKER_SECRETS_VARIABLES = {
  AUDIT_WORKER_KEY: {
    schema: z.string().optional(),
    isWithheldFromApi: true,
    readers: WORKER,
    meaning:
      "Key of the own hashes of workers' audit entries, 32 characters or more, the same for all workers. Unset: those are under `AUDIT_KEY`, as an API could write them",
    unset: '`AUDIT_KEY`; with `npm start` a file in the data folder',
  },
  POOL_KEYS_IDENTITY: {
    schema: z.string().optional(),
    isWithheldFromApi: true,
    readers: WORKER,
    meaning:
      'Secret keys (`AGE-SECRET-KEY-1...`) that open the keys of pools, separated by commas, the same for all workers. They seal to the first, and open with any',
    unset: 'with `npm start` a file in the data folder',
  },
} satisfies Variables;
