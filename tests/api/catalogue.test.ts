import { type Call, contract, type Entry } from '@copydesk/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../support/send.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { CATALOGUE } from './catalogue.ts';
import type { Aim, Case } from './matrix/case.ts';
import { CASES } from './matrix/cases.ts';
import { readWorld } from './matrix/read-world.ts';

let product: TestApp;
let superAdmin: string;
let aim: Aim;

beforeAll(async () => {
  product = await createTestApp({ scale: 0.1 });
  superAdmin = await product.signIn('super');
  aim = (await readWorld(product, superAdmin)).aims.own;
});
afterAll(() => product.close());

/** Reads first: changes may take away what they read. */
const calls = (Object.entries(CATALOGUE) as [Call, NonNullable<(typeof CATALOGUE)[Call]>][]).sort(
  ([one], [other]) => Number(other.startsWith('GET')) - Number(one.startsWith('GET')),
);

test.each(calls)('%s is a call with what the consoles send', async (call, listed) => {
  const entry: Entry = contract[call];
  const { input, allowed = [entry.status ?? 200] } = CASES[call] as Case<Call>;
  const parts = input(aim) as { params?: Record<string, string>; query?: object; body?: object };
  for (const query of [listed.query ?? {}, ...(listed.values ?? [])]) {
    const answer = await send(
      product.app,
      call,
      { ...parts, query: { ...parts.query, ...query } },
      superAdmin,
    );
    const about = `${call} ${JSON.stringify(query)}: ${answer.body.slice(0, 300)}`;
    expect(allowed, about).toContain(answer.statusCode);
    expect(answer.json(), about).toMatchObject({ success: answer.statusCode < 300 });
  }
});

test.each(calls.filter(([, { body }]) => body))(
  '%s knows the fields of its body',
  async (call, { body = [] }) => {
    const { input } = CASES[call] as Case<Call>;
    const parts = input(aim) as { params?: Record<string, string>; body?: object };
    // Values of the wrong type are refused for that, and fields that no one knows for being unknown.
    const wrong = Object.fromEntries([...body, 'no_such_field'].map((field) => [field, { not: 'a value' }]));
    const answer = await send(product.app, call, { ...parts, body: wrong }, superAdmin);
    expect(answer.statusCode, answer.body).toBe(400);
    const problems: { path: string; message: string }[] = answer.json().details;
    for (const field of body)
      expect(problems.find(({ path }) => path === field)?.message, field).toMatch(/^Expected /);
    expect(problems).toContainEqual({ path: 'no_such_field', message: 'Invalid input' });
  },
);
