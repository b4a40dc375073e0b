import { randomUUID } from 'node:crypto';
import type { CheckedStep } from '@copydesk/domain/setup';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { askAdmin } from '../../../../../tests/support/run-admin.ts';
import { send } from '../../../../../tests/support/send.ts';
import { AUDIT_KEY, createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { BOX } from '../../../../../tests/support/test-keys.ts';
import { WHOLE_SCOPE } from '../../platform/db/database.ts';
import { beat } from '../../platform/work/heartbeat.store.ts';
import { leftOfSetup } from './attention.views.ts';

let product: TestApp;
let superAdmin: string;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
  superAdmin = await product.signIn('super');
});
afterAll(() => product.close());

const owner = (statement: string) => asOwner(product.ownerUrl, statement);
const read = async () => {
  const answer = await send(product.app, 'GET /api/setup-checklist', {}, superAdmin);
  const steps: { step: string; state: string; text: string }[] = answer.json().data;
  return new Map(steps.map((step) => [step.step, step]));
};
const stateOf = async (step: string) => (await read()).get(step)?.state;

test('each part of the installation is seen as it comes and goes', async () => {
  await owner('DELETE FROM worker_heartbeat');
  expect(await stateOf('worker')).toBe('missing');
  await owner("INSERT INTO worker_heartbeat (worker_id) VALUES ('00000000-0000-4000-8000-000000000001')");
  expect(await stateOf('worker')).toBe('done');
  await owner("UPDATE worker_heartbeat SET seen_at = now() - interval '2 minutes'");
  expect(await stateOf('worker')).toBe('missing');

  await owner("UPDATE platform_recipient SET address = NULL WHERE recipient_type = 'sixk'");
  expect((await read()).get('recipients')).toMatchObject({
    state: 'missing',
    text: expect.stringMatching(/address of Sixk under/),
  });

  await owner(`INSERT INTO chain_cursor (chain_id, token_address, block_number, block_hash, updated_at)
    VALUES (56, '0x55d398326f99059ff775485246999027b3197955', 1, '0x${'0'.repeat(64)}', now() - interval '1 hour')
    ON CONFLICT DO NOTHING`);
  expect(await stateOf('chain')).toBe('wrong');
  await owner('UPDATE chain_cursor SET updated_at = now()');
  expect(await stateOf('chain')).toBe('done');
  await owner("UPDATE chain_cursor SET stopped_because = 'Another chain'");
  expect((await read()).get('chain')).toMatchObject({
    state: 'wrong',
    text: expect.stringMatching(/Another chain/),
  });

  for (const step of ['provider', 'community', 'trader', 'exchange_account', 'second_super_admin'])
    expect(await stateOf(step), step).toBe('done');
  await owner('UPDATE provider SET is_active = false');
  expect([await stateOf('provider'), await stateOf('community')]).toEqual(['missing', 'missing']);
  await owner('UPDATE provider SET is_active = true');
});

test('what is left is one item of Attention for super admins, and goes with the last step', async () => {
  const listed = async (as = superAdmin) =>
    (await send(product.app, 'GET /api/attention', { query: { group: 'system', limit: '200' } }, as))
      .json()
      .data.filter(({ kind }: { kind: string }) => kind === 'setup_left');
  const open = async () => [...(await read()).values()].filter(({ state }) => state !== 'done');
  const [item, ...others] = await listed();
  expect(others).toEqual([]);
  expect(item).toMatchObject({ title: null, count: (await open()).length, turn: 'you' });
  expect(await listed(await product.signIn('staff'))).toEqual([]);
  await owner('UPDATE provider SET is_active = false');
  const [more] = await listed();
  expect(more).toMatchObject({ subject: item.subject, count: (await open()).length });
  // Whoever let it sleep did not see this step.
  expect(more.count).toBeGreaterThan(item.count);
  expect(more.cause).not.toBe(item.cause);
  await owner('UPDATE provider SET is_active = true');

  const itemsOf = (steps: CheckedStep[]) =>
    product.apiDb.read(WHOLE_SCOPE, async (tx) => {
      const { from, subject, count } = await leftOfSetup({ check: async () => steps }).items(tx, '');
      return (await sql`SELECT ${subject} AS subject, ${count} AS count FROM ${from}`.execute(tx.sql)).rows;
    });
  const done: CheckedStep = { step: 'worker', state: 'done', text: 'One worker runs.' };
  expect(await itemsOf([done, { ...done, step: 'gas', state: 'wrong' }])).toEqual([
    { subject: 'setup', count: 1 },
  ]);
  expect(await itemsOf([done])).toEqual([]);
});

test('super admins need a second factor, and invited ones to accept and be confirmed', async () => {
  expect((await read()).get('super_admin')?.state, 'personas of the demo world need none').toBe('done');
  await owner('DELETE FROM demo_world');
  expect((await read()).get('super_admin')).toMatchObject({
    state: 'missing',
    text: expect.stringMatching(/^\S+@\S+ and \S+@\S+ need an authenticator app or a passkey/),
  });
  await owner(`UPDATE identity."user" SET two_factor_enabled = true`);
  expect(await stateOf('super_admin')).toBe('done');
  await owner(`UPDATE identity."user" SET two_factor_enabled = false WHERE email = (
    SELECT min(email) FROM identity.person WHERE super AND is_active)`);
  expect((await read()).get('super_admin')).toMatchObject({
    state: 'missing',
    text: expect.stringMatching(/^\S+@\S+ needs an authenticator app or a passkey/),
  });
  await owner(`UPDATE identity.user_access SET confirmed_at = NULL WHERE user_id <> (
    SELECT id FROM identity.person WHERE super AND is_active ORDER BY email LIMIT 1)`);
  expect((await read()).get('second_super_admin')).toMatchObject({
    state: 'missing',
    text: expect.stringMatching(/^\S+@\S+ must accept the invitation and be confirmed/),
  });
});

test('keys of pools are set up once every worker opens what the API seals, and backups once they are encrypted', async () => {
  const keysOfWorkers = async (...recipients: string[][]) => {
    await owner('DELETE FROM worker_heartbeat');
    const program = { hasAuditKey: true, runsAs: null, problem: null };
    for (const poolKeysRecipients of recipients)
      await beat(
        product.db,
        randomUUID(),
        { problem: null, noted: null },
        { ...program, poolKeysRecipients },
      );
    return (await read()).get('pool_keys');
  };
  const foreign = `age1${'q'.repeat(58)}`;
  expect(await keysOfWorkers([foreign, BOX.recipient], [BOX.recipient])).toMatchObject({ state: 'done' });
  expect(await keysOfWorkers([BOX.recipient], [])).toMatchObject({
    state: 'wrong',
    text: expect.stringMatching(/no POOL_KEYS_IDENTITY\. Keys of pools are not read/),
  });
  expect(await keysOfWorkers([BOX.recipient], [foreign])).toMatchObject({
    state: 'wrong',
    text: expect.stringContaining(`${BOX.recipient}, is not the public key`),
  });
  // The doctor has the environment of the API, and here none of it.
  const env = { DATABASE_URL: product.ownerUrl, AUDIT_KEY: AUDIT_KEY.toString() };
  await keysOfWorkers([BOX.recipient]);
  expect((await askAdmin(env, 'doctor')).output).toContain('WRONG\tThe API has no POOL_KEYS_RECIPIENT.');
  const remote = 'postgres://copydesk_backup:secret@db.example/copydesk';
  const { output } = await askAdmin(
    { ...env, POOL_KEYS_RECIPIENT: BOX.recipient, DATABASE_BACKUP_URL: remote },
    'doctor',
  );
  expect(output).toContain('WRONG\tDATABASE_BACKUP_URL of another machine without sslmode=verify-full');
  expect(output).toContain('WRONG\tDATABASE_BACKUP_URL: there is no host named db.example');
  expect(output).not.toContain('secret');
  expect(output).toContain('ok\tKeys of pools are sealed to the workers');
  await owner('DELETE FROM worker_heartbeat');

  await owner('DELETE FROM demo_world; DELETE FROM backup_record');
  expect(await stateOf('backups')).toBe('missing');
  const note = (hours: number, isEncrypted: boolean | null) =>
    owner(`INSERT INTO backup_record (kind, taken_at, finished_at, is_encrypted)
      VALUES ('dump', now() - interval '${hours} hours', now(), ${isEncrypted})`);
  await note(40, true);
  expect(await stateOf('backups')).toBe('wrong');
  await note(2, null);
  expect((await read()).get('backups')).toMatchObject({
    state: 'wrong',
    text: expect.stringContaining('not encrypted. Set BACKUP_AGE_RECIPIENTS'),
  });
  await note(1, true);
  expect(await stateOf('backups')).toBe('done');
  // One that failed says nothing.
  await owner("INSERT INTO backup_record (kind, is_encrypted) VALUES ('dump', false)");
  expect(await stateOf('backups')).toBe('done');
});

test('the doctor of the command line says the same, and ends with 1 while something is open', async () => {
  const env = {
    DATABASE_URL: product.ownerUrl,
    AUDIT_KEY: AUDIT_KEY.toString(),
    PUBLIC_URL: 'https://console.example.com',
    SMTP_URL: 'smtp://127.0.0.1:9',
  };
  const { code, output } = await askAdmin(env, 'doctor');
  const lines = output.trim().split('\n');
  const steps = [...(await read()).values()];
  expect(lines).toHaveLength(steps.length + 4);
  expect(lines[0]).toBe(
    'ok\tEvery address of the database connects, and nothing in its roles is in the way.',
  );
  expect(lines.at(-3)).toMatch(/compile cache/);
  expect(lines.at(-2)).toBe('ok\tThe database is on this machine, or its certificate is verified.');
  expect(lines.at(-1)).toBe('ok\tOne machine keeps what is committed, and its backups.');
  expect(output).toContain('ok\tThe console is at https://console.example.com.');
  expect(output).toMatch(/WRONG\tThe mail server of SMTP_URL does not accept our mail: .*ECONNREFUSED/);
  const shared = steps.filter(({ step }) => step !== 'public_address' && step !== 'mail');
  for (const { text } of shared) expect(output).toContain(`\t${text}`);
  expect(code).toBe(1);
});

test('each limit of payouts that the API or the worker does not have is named', async () => {
  await owner('DELETE FROM demo_world');
  expect((await read()).get('limits')).toMatchObject({
    state: 'missing',
    text: expect.stringMatching(/APPROVAL_ABOVE_USDT.*PAYOUT_MAX_PER_TRANSACTION.*PAYOUT_MAX_PER_DAY/),
  });
  await owner(`INSERT INTO platform_setting (name, value, version, changed_at, changed_by)
    VALUES ('approval_above_usdt', '"2000"', 1, now(), 'x'), ('payout_max_per_transaction', '1000', 1, now(), 'x'),
      ('payout_max_per_day', '1000', 1, now(), 'x')
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
  await product.app.inject({
    method: 'GET',
    url: '/api/platform-settings',
    headers: { authorization: superAdmin },
  });
  await expect.poll(() => stateOf('limits'), { timeout: 10_000 }).toBe('done');
  // A worker that lacks one, whatever the settings say.
  await owner(`INSERT INTO platform_setting_default (name, value, noted_at) VALUES
    ('approval_above_usdt', '"2000"', now()), ('payout_max_per_transaction', '1000', now()),
    ('payout_max_per_day', 'null', now()) ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
  const { state, text } = (await read()).get('limits') ?? { state: '', text: '' };
  expect([state, text.includes('PAYOUT_MAX_PER_DAY'), text.includes('APPROVAL')]).toEqual([
    'missing',
    true,
    false,
  ]);
  await owner('DELETE FROM platform_setting_default; DELETE FROM platform_setting');
});
