import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../support/send.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { type Owner, ownerOf } from '../support/world/rows.ts';
import { addBareTrader } from '../support/world/traders.ts';

// While versions are replaced one process at a time, a database has rules that this version does not know.

let product: TestApp;
let owner: Owner;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
  owner = ownerOf(product.ownerUrl);
});
afterAll(async () => {
  await product?.close();
});

test.each([
  ['a trigger', '23000', 422, 'refused_by_rules'],
  ['a unique constraint', '23505', 422, 'refused_by_rules'],
  ['an excluding constraint', '23P01', 422, 'refused_by_rules'],
  ['a reference', '23503', 422, 'refused_by_rules'],
  ['a failure that is no rule', 'XX000', 500, 'internal_error'],
])('%s that no check knows (%s): %i %s, and our log has its words', async (_, state, status, code) => {
  const id = await addBareTrader(owner);
  await owner(`CREATE OR REPLACE FUNCTION newer_rule() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'a rule of tomorrow' USING ERRCODE = '${state}'; END $$`);
  await owner(`CREATE OR REPLACE TRIGGER newer_rule BEFORE UPDATE OF language ON trader FOR EACH ROW
    EXECUTE FUNCTION newer_rule()`);
  product.logged.length = 0;
  const call = { params: { id }, body: { language: 'pl' } } as const;
  const answer = await send(product.app, 'PATCH /api/traders/{id}', call, await product.signIn('super'));
  expect([answer.statusCode, answer.json().error]).toEqual([status, code]);
  expect(answer.body).not.toContain('tomorrow');
  const logged = product.logged.map((line) => JSON.parse(line)).filter(({ code: of }) => of === code);
  expect(logged).toMatchObject([{ level: 50, err: { message: 'a rule of tomorrow' } }]);
});
