import { access, newUser, puppet, type Scenario, sponsor, userOf } from './pieces.ts';

/** People and workers. */
export const PEOPLE: readonly Scenario[] = [
  // People
  { name: 'a super admin without a sponsor', steps: [newUser('alone'), access('alone')] },
  {
    name: 'a super admin sponsored by staff',
    steps: [newUser('alone'), access('alone'), sponsor('alone', userOf('staff'))],
  },
  {
    name: 'a super admin as of a hosted service that is not in use',
    steps: [
      newUser('alone'),
      access('alone'),
      `INSERT INTO identity.hosted_user (hosted_id, user_id) VALUES ('user_x', md5('alone')::uuid)`,
    ],
  },
  {
    name: 'staff made super admin without a sponsor',
    steps: [
      newUser('clerk'),
      `INSERT INTO identity.user_access (user_id, admin, accepted_at) VALUES (md5('clerk')::uuid, true, now())`,
      `UPDATE identity.user_access SET super = true, super_since = now() WHERE user_id = md5('clerk')::uuid`,
    ],
  },
  {
    name: 'a super admin confirmed by nobody',
    steps: [
      ...puppet,
      `UPDATE identity.user_access SET confirmed_at = now() WHERE user_id = md5('puppet')::uuid`,
    ],
  },
  {
    name: 'a super admin confirmed by its sponsor',
    steps: [
      ...puppet,
      `UPDATE identity.user_access SET confirmed_at = now(), confirmed_by_id = ${userOf('super')} WHERE user_id = md5('puppet')::uuid`,
    ],
  },
  {
    name: 'a super admin born confirmed',
    steps: [
      newUser('puppet'),
      access('puppet', ', confirmed_at, confirmed_by_id', `, now(), ${userOf('super-2')}`),
      sponsor('puppet', userOf('super')),
      `SELECT 1 / (SELECT count(*) FROM identity.user_access WHERE user_id = md5('puppet')::uuid AND confirmed_at IS NOT NULL)`,
    ],
  },
  {
    name: 'a super admin of a year at once',
    steps: [
      ...puppet,
      `UPDATE identity.user_access SET super_since = now() - interval '1 year' WHERE user_id = md5('puppet')::uuid`,
      `SELECT 1 / (SELECT count(*) FROM identity.user_access WHERE user_id = md5('puppet')::uuid AND super_since < now() - interval '1 minute')`,
    ],
  },
  {
    name: 'a disabled super admin who comes back confirmed',
    steps: [
      ...puppet,
      `UPDATE identity.user_access SET confirmed_at = now(), confirmed_by_id = ${userOf('super-2')} WHERE user_id = md5('puppet')::uuid`,
      `UPDATE identity.user_access SET disabled_at = now() WHERE user_id = md5('puppet')::uuid`,
      `UPDATE identity.user_access SET disabled_at = NULL WHERE user_id = md5('puppet')::uuid`,
      `SELECT 1 / (SELECT count(*) FROM identity.user_access WHERE user_id = md5('puppet')::uuid AND confirmed_at IS NOT NULL)`,
    ],
  },
  {
    name: 'access moved to another user',
    steps: [
      newUser('alone'),
      `UPDATE identity.user_access SET user_id = md5('alone')::uuid WHERE user_id = ${userOf('super-2')}`,
    ],
  },
  { name: 'a sponsor washed away', steps: [...puppet, `DELETE FROM identity.user_sponsor`] },
  {
    name: 'another sponsor put in place',
    steps: [...puppet, `UPDATE identity.user_sponsor SET sponsor_id = ${userOf('super-2')}`],
  },
  {
    name: 'a set-up after everyone is disabled',
    steps: [
      'UPDATE identity.user_access SET disabled_at = now() WHERE super',
      newUser('alone'),
      access('alone', ', confirmed_at', ', now()'),
    ],
  },
  {
    name: 'a set-up after everyone is invited again',
    steps: ['UPDATE identity.user_access SET accepted_at = NULL WHERE super'],
  },
  // Workers
  { name: 'the role of a worker', steps: ['SET LOCAL ROLE copydesk_worker', 'SELECT 1'] },
  {
    name: 'the mark of bulk loading',
    steps: [`SELECT set_config('copydesk.bulk', 'on', true)`, 'SELECT 1 WHERE app.bulk_loading()'],
  },
  { name: 'triggers off', steps: [`SET LOCAL session_replication_role = 'replica'`, 'SELECT 1'] },
  { name: 'row-level security off', steps: ['ALTER TABLE transfer DISABLE ROW LEVEL SECURITY', 'SELECT 1'] },
  {
    name: 'a job for a worker',
    steps: [`INSERT INTO pgboss.job (name, data) SELECT name, '{}' FROM pgboss.queue LIMIT 1`],
  },
  {
    name: 'a scheduled job for a worker, by the function for vendors',
    steps: [`SELECT app.request_sync('scheduled', 'job', 'begin-invoicing', NULL)`],
  },
  {
    name: 'a trigger of our own on the queue',
    steps: [
      'CREATE TRIGGER t BEFORE INSERT ON pgboss.queue FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
      'SELECT 1',
    ],
  },
  {
    name: 'a function of our own',
    steps: [`CREATE FUNCTION public.f() RETURNS int LANGUAGE sql AS 'SELECT 1'`, 'SELECT 1'],
  },
  { name: 'a schema of our own', steps: ['CREATE SCHEMA ours', 'SELECT 1'] },
  { name: 'a file of the server', steps: [`COPY (SELECT 1) TO '/tmp/copydesk-attack'`] },
  { name: 'a program of the server', steps: [`COPY (SELECT 1) TO PROGRAM 'true'`] },
];
