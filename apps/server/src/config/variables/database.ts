import { availableParallelism } from 'node:os';
import { DURABILITIES } from '@copydesk/domain/payouts';
import { z } from 'zod';
import { splitList } from '../split-list.ts';
import { ALL, API, BOTH, MIGRATION, NONE, type Variables, WORKER } from '../variable.ts';

/** The database. */
export const DATABASE_VARIABLES = {
  DATABASE_URL: {
    schema: z.string().optional(),
    readers: ALL,
    meaning: 'PostgreSQL of the application. Unset: `npm start` brings its own, with the demo world',
  },
  DATABASE_WORKER_URL: {
    schema: z.string().optional(),
    isWithheldFromApi: true,
    readers: WORKER,
    meaning:
      'The same database with the login of workers, a member of `copydesk_worker`; also for what the commands of their machine read',
    unset: '`DATABASE_URL`',
  },
  DATABASE_OPERATOR_URL: {
    schema: z.string().optional(),
    isWithheldFromApi: true,
    isWithheldFromWorker: true,
    readers: NONE,
    meaning:
      'The same database with the login of `bin/copydesk admin`, a member of `copydesk_operator`, which may take the place of a missing super admin. In `operator.env`, and of no program that runs',
    unset: 'The commands read, and approve nothing',
  },
  DATABASE_DIRECT_URL: {
    schema: z.string().optional(),
    readers: ALL,
    meaning: 'The same database past a pooler, for listening and exports',
    unset: '`DATABASE_URL`',
  },
  DATABASE_READ_URL: {
    schema: z.string().default('').transform(splitList),
    readers: API,
    meaning:
      'Replicas of the same database, separated by commas, which answer lists, figures and exports once they have what the person has seen (docs/operations/cluster.md#reads-on-replicas)',
  },
  DATABASE_OWNER_URL: {
    schema: z.string().optional(),
    isWithheldFromApi: true,
    readers: MIGRATION,
    meaning: "Connection of the schema's owner, for migrations and `npm run seed`",
    unset: '`DATABASE_DIRECT_URL`',
  },
  DATABASE_BACKUP_URL: {
    schema: z.string().optional(),
    isWithheldFromApi: true,
    readers: NONE,
    meaning:
      'For `npm run backup`: a login that row-level security does not bind (docs/operations/backup.md)',
  },
  BACKUP_AGE_RECIPIENTS: {
    schema: z
      .string()
      .default('')
      .transform(splitList)
      .pipe(
        z.array(
          z.string().regex(/^age1[0-9a-z]{20,}$/, 'must be recipients of age (age1...), separated by commas'),
        ),
      ),
    readers: NONE,
    meaning:
      'For `npm run backup`: public keys that backups are encrypted to, separated by commas; each of their private halves opens them (docs/operations/backup.md)',
  },
  DATABASE_ADMIN_URL: {
    schema: z.string().optional(),
    isWithheldFromApi: true,
    readers: NONE,
    meaning:
      'For `npm run create-database` and `npm run restore`: a superuser of the cluster, connected to its database `postgres`. For the first, a role with CREATEROLE and CREATEDB is enough (docs/operations/set-up.md)',
  },
  POSTGRES_BIN_DIR: {
    schema: z.string().optional(),
    readers: NONE,
    meaning: 'For both: folder of `pg_dump` and `pg_restore`, which must not be older than the server',
    unset: 'those of the system',
  },
  DATABASE_POOL: {
    schema: z.coerce
      .number()
      .int()
      .min(2)
      .max(200)
      .default(() => Math.max(4, 2 * availableParallelism())),
    readers: BOTH,
    meaning: 'Connections of one process, 2 to 200; sign-in takes up to 5 more',
    unset: '2 for each core, at least 4',
  },
  DATABASE_DURABILITY: {
    schema: z.enum(DURABILITIES).default('synchronous'),
    readers: BOTH,
    meaning:
      'What keeps a payment when the machine of the database is lost. `synchronous`: a standby, without which nothing is signed. `single`: there is one machine. `managed`: the service replicates beneath PostgreSQL (docs/operations/payouts.md)',
  },
  DATABASE_UNNAMED_STATEMENTS: {
    schema: z.enum(['0', '1']).default('0'),
    readers: BOTH,
    meaning: '`1`: prepared statements have no names, for poolers that do not know them by name',
  },
} satisfies Variables;
