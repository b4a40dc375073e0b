import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';

let product: TestApp;
let token: string;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
  token = await product.signIn('super');
});
afterAll(() => product.close());

const PASSWORD = 'a-long-enough-password';
let addresses = 0;
const anAddress = () => `10.2.0.${++addresses}`;
/** From an address of its own, which the library holds to few requests. */
const auth = (path: string, payload: object, remoteAddress = anAddress()) =>
  product.app.inject({
    method: 'POST',
    remoteAddress,
    url: `/api/auth${path}`,
    headers: { origin: 'http://localhost:3000' },
    payload,
  });

test.each([
  ['zz&co@example.com', ' ZZ&co@Example.com'],
  ['zz@xn--e1afmkfd.xn--p1ai', 'zz@пример.рф'],
  ['ada@example.com', '\u200bAda@example.com '],
])('%s is invited, accepts, and signs in however it is typed', async (email, typed) => {
  const invited = await send(product.app, 'POST /api/users/invitations', { body: { email: typed } }, token);
  expect(invited.statusCode, invited.body).toBe(201);
  const again = await send(product.app, 'POST /api/users/invitations', { body: { email } }, token);
  expect(again.json().data.id).toBe(invited.json().data.id);
  const invitation = String(again.json().data.link).split('token=')[1];
  const body = { token: invitation, name: 'Ada', password: PASSWORD };
  const accepted = await send(product.app, 'POST /api/invitations/accept', { body });
  expect(accepted.json(), accepted.body).toMatchObject({ success: true, data: { email } });

  for (const as of [email, typed]) {
    const signedIn = await auth('/sign-in/email', { email: as, password: PASSWORD });
    expect(signedIn.statusCode, signedIn.body).toBe(200);
    expect(signedIn.json().user.email).toBe(email);
    expect((await auth('/request-password-reset', { email: as })).statusCode).toBe(200);
  }
  expect((await auth('/sign-in/email', { email, password: 'another-long-password' })).statusCode).toBe(401);
  expect((await auth('/sign-in/email', { email: 'no address', password: PASSWORD })).statusCode).toBe(400);
});

test('a stand-in counts against the same account as its address', async () => {
  const standIn = (address: string) => `u-${Buffer.from(address).toString('hex')}@stand-in.invalid`;
  const triesOf = async (typed: (n: number) => string) => {
    const from = anAddress();
    for (let n = 0; n < 20; n++) {
      const { statusCode } = await auth('/sign-in/email', { email: typed(n), password: PASSWORD }, from);
      if (statusCode === 429) return n;
    }
    return null;
  };
  const plain = await triesOf(() => 'one&@example.com');
  expect(plain).toBeGreaterThan(1);
  expect(await triesOf((n) => (n % 2 ? 'other&@example.com' : standIn('other&@example.com')))).toBe(plain);
});
