import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { readMigrations } from '../../apps/server/src/platform/db/migrate.ts';

const USERS = {
  first: '00000000-0000-4000-8000-000000000001',
  invited: '00000000-0000-4000-8000-000000000002',
  promoted: '00000000-0000-4000-8000-000000000003',
  operators: '00000000-0000-4000-8000-000000000004',
  staff: '00000000-0000-4000-8000-000000000005',
};

test('an upgrade takes from the audit who made whom, and confirms only those that nobody did', async () => {
  const url = new URL(inject('testCluster').ownerUrl);
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  const name = `test_upgrade_${process.pid}`;
  await admin.query(`CREATE DATABASE ${name}`);
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    const migrations = await readMigrations();
    const apply = async (from: string, to: string) => {
      for (const migration of migrations.filter((one) => one.name >= from && one.name < to)) {
        await client.query('BEGIN');
        await client.query("SELECT set_config('copydesk.scope', 'all', true)");
        await client.query(migration.text);
        await client.query('COMMIT');
      }
    };
    await apply('0000', '0040');
    await client.query("SELECT set_config('copydesk.scope', 'all', false)");
    for (const [who, id] of Object.entries(USERS)) {
      await client.query(
        'INSERT INTO identity."user" (id, name, email, email_verified) VALUES ($1, $2, $2, true)',
        [id, who],
      );
      await client.query('INSERT INTO identity.user_access (user_id, admin, super) VALUES ($1, true, $2)', [
        id,
        who !== 'staff',
      ]);
    }
    const flags = (isSuper: boolean) => ({ super: isSuper, admin: true, disabled: false });
    const entries: [string, string, string, string, object | null, object][] = [
      ['system', 'setup', 'user.set_up', USERS.first, null, flags(true)],
      ['user', USERS.first, 'user.invited', USERS.invited, null, flags(true)],
      ['user', USERS.first, 'user.changed', USERS.promoted, flags(false), flags(true)],
      [
        'user',
        USERS.promoted,
        'user.changed',
        USERS.first,
        flags(true),
        { ...flags(true), provider_access: [] },
      ],
      ['system', 'operator', 'user.changed', USERS.operators, flags(false), flags(true)],
      ['user', USERS.first, 'user.changed', USERS.staff, flags(false), flags(false)],
    ];
    for (const [index, [kind, actor, action, target, before, after]] of entries.entries())
      await client.query(
        `INSERT INTO audit_entry (seq, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, before,
           after, previous_hash, hash)
         VALUES ($1, '2026-01-01', $2, $3, 'x', $4, 'user', $5, $6, $7, '', $8)`,
        [index + 1, kind, actor, action, target, before, after, Buffer.from([index])],
      );
    await apply('0040', '0041');
    const { rows } = await client.query(
      `SELECT u.name, a.confirmed_at IS NOT NULL AS confirmed, a.super_since IS NOT NULL AS is_super,
         (SELECT array_agg(s.name || ' ' || p.act ORDER BY p.id) FROM identity.user_sponsor p
          JOIN identity."user" s ON s.id = p.sponsor_id WHERE p.user_id = u.id) AS sponsors
       FROM identity."user" u JOIN identity.user_access a ON a.user_id = u.id ORDER BY u.id`,
    );
    expect(rows).toEqual([
      { name: 'first', confirmed: true, is_super: true, sponsors: null },
      { name: 'invited', confirmed: false, is_super: true, sponsors: ['first invited'] },
      { name: 'promoted', confirmed: false, is_super: true, sponsors: ['first promoted'] },
      { name: 'operators', confirmed: true, is_super: true, sponsors: null },
      { name: 'staff', confirmed: false, is_super: false, sponsors: null },
    ]);
  } finally {
    await client.end();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
}, 60_000);
