import { compareNames } from '@copydesk/domain/text';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../support/owner.ts';
import { send } from '../support/send.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

// Lists of names are in the order that people read, whatever the order of the database is.
let product: TestApp;
let token: string;
beforeAll(async () => {
  product = await createTestApp();
  token = await product.signIn('super');
  for (const [table, column] of [
    ['community', 'name'],
    ['provider', 'display_name'],
  ] as const)
    await asOwner(
      product.ownerUrl,
      `UPDATE ${table} t SET ${column} = n.name
       FROM unnest($1::text[]) WITH ORDINALITY n (name, place),
         (SELECT id, row_number() OVER (ORDER BY id) AS place FROM ${table}) r
       WHERE r.id = t.id AND r.place = n.place`,
      [['Évora', 'Zulu', 'evening', 'ähre', 'Anker', 'Team 10', 'Team 9']],
    );
});
afterAll(() => product.close());

test.each([
  ['GET /api/communities', ({ name }: Named) => name],
  ['GET /api/providers', ({ display_name }: Named) => display_name],
] as const)('%s', async (call, nameOf) => {
  const names = (await send(product.app, call, {}, token)).json<{ data: Named[] }>().data.map(nameOf);
  expect(names.length).toBeGreaterThan(3);
  expect(names).toEqual(names.toSorted(compareNames));
  expect(names.indexOf('Évora')).toBeLessThan(names.indexOf('Zulu'));
});

interface Named {
  name: string;
  display_name: string;
}
