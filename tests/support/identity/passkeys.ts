import { authCall, call, tokenOf } from './callers.ts';
import { createAuthenticator, type Lies, type SoftwareAuthenticator } from './software-authenticator.ts';
import type { World } from './world.ts';

type App = Pick<World, 'app'>;
let addresses = 0;
/** Of a network of its own, so that attempts do not count together. */
export const newAddress = () => `10.88.${Math.floor(++addresses / 250)}.${addresses % 250}`;

const joined = (...cookies: string[]) => cookies.filter(Boolean).join('; ');

/** Asks to add a passkey and answers with this authenticator. */
export async function register(
  world: App,
  { cookie }: { cookie: string },
  { authenticator = createAuthenticator(), name = 'Laptop', lies }: Registration = {},
) {
  const address = newAddress();
  const options = await authCall(world, '/passkey/generate-register-options', { cookie, address });
  if (options.status !== 200) return { ...options, authenticator, options };
  const answer = await authCall(world, '/passkey/verify-registration', {
    cookie: joined(cookie, options.cookies),
    address,
    body: { response: authenticator.register(options.body, lies), name },
  });
  return { ...answer, authenticator, options };
}
interface Registration {
  authenticator?: SoftwareAuthenticator;
  name?: string;
  lies?: Lies;
}

/** Signs in with a passkey, like the button of the sign-in page. */
export async function signInWithPasskey(
  world: App,
  authenticator: SoftwareAuthenticator,
  { lies, address = newAddress() }: { lies?: Lies; address?: string } = {},
) {
  const options = await authCall(world, '/passkey/generate-authenticate-options', { address });
  const answer = await authCall(world, '/passkey/verify-authentication', {
    cookie: options.cookies,
    address,
    body: { response: authenticator.sign(options.body, lies) },
  });
  const authorization =
    answer.status === 200 ? `Bearer ${await tokenOf(world, answer.cookies)}` : 'Bearer none';
  return { ...answer, options, cookie: answer.cookies, authorization };
}

/** Answers a challenge of a session with an authenticator. */
export async function proveByPasskey(
  world: App,
  authorization: string,
  authenticator: SoftwareAuthenticator,
  { lies, challenge, address = newAddress() }: { lies?: Lies; challenge?: string; address?: string } = {},
) {
  const asked = challenge ?? (await challengeOf(world, authorization)).body.data.challenge;
  return answerChallenge(world, authorization, authenticator.sign({ challenge: asked }, lies), address);
}

export const challengeOf = (world: App, authorization: string) =>
  call(world, ['POST', '/api/reauthenticate/passkey'], { authorization, address: newAddress() });

export function answerChallenge(
  world: App,
  authorization: string,
  { id, response }: ReturnType<SoftwareAuthenticator['sign']>,
  address = newAddress(),
) {
  const passkey = {
    id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
  };
  return call(world, ['POST', '/api/reauthenticate'], { authorization, body: { passkey }, address });
}
