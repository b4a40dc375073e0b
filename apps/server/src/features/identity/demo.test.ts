import { PERSONAS } from '@copydesk/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type World } from '../../../../../tests/support/identity/world.ts';
import { ensureDemoPersonas } from './demo-personas.ts';

const ask = (world: World, over: { remoteAddress?: string; headers?: Record<string, string> } = {}) =>
  world.app.inject({ method: 'POST', url: '/api/demo/sign-in', payload: { persona: 'super' }, ...over });

describe('in the demo world', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  test('every persona signs in with one call', async () => {
    for (const persona of PERSONAS) {
      const response = await world.app.inject({
        method: 'POST',
        url: '/api/demo/sign-in',
        payload: { persona },
      });
      expect(response.statusCode).toBe(200);
      expect(response.cookies[0]).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
      const result = await world.identity.authenticate(`Bearer ${response.json().token}`);
      expect(result).toMatchObject({ ok: true, principal: { email: `${persona}@demo.example` } });
    }
  });

  test('making the personas again changes nothing, also when two processes do it', async () => {
    await Promise.all([ensureDemoPersonas(world), ensureDemoPersonas(world)]);
    const { rows } = await world.pool.query('SELECT count(*)::int AS users FROM identity."user"');
    expect(rows).toEqual([{ users: PERSONAS.length }]);
  });

  test.each([
    [{ remoteAddress: '192.0.2.1' }],
    [{ remoteAddress: '::ffff:192.0.2.1' }],
    [{ headers: { host: 'console.example.com' } }],
    [{ headers: { host: '127.0.0.1.evil.test:3000' } }],
    [{ headers: { 'x-forwarded-for': '127.0.0.1' } }],
    [{ headers: { forwarded: 'for=127.0.0.1' } }],
  ])('not from elsewhere: %o', async (over) => {
    const response = await ask(world, over);
    expect([response.statusCode, response.json().error]).toEqual([403, 'demo_only_on_loopback']);
    expect(response.headers['set-cookie']).toBeUndefined();
  });

  test.each([['[::1]:3000'], ['localhost'], ['127.0.0.1:8080']])('from this machine as %s', async (host) => {
    expect((await ask(world, { headers: { host } })).statusCode).toBe(200);
  });
});

test('outside the demo world it is not found, personas or not', async () => {
  const world = await createWorld({ isDemo: false });
  expect((await ask(world)).statusCode).toBe(404);
  await world.close();
});
