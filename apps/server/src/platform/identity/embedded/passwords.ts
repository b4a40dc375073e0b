import { createHmac } from 'node:crypto';
import { CLIENT_ADDRESS_HEADER } from '../client-address.ts';
import type { Passwords } from '../identity.ts';
import type { Auth } from './auth-instance.ts';
import { findPasswordProblem, PASSWORD_PROBLEMS } from './password-policy.ts';

/** Passwords in the library's own form. */
export function createPasswords(auth: Auth, secret: string): Passwords {
  return {
    async hash(password) {
      return (await auth.$context).password.hash(password);
    },
    findProblem: async (password, own) => {
      const problem = await findPasswordProblem(password, own);
      return problem && PASSWORD_PROBLEMS[problem];
    },
    async signIn({ email, password }, clientAddress) {
      const { headers } = await auth.api.signInEmail({
        body: { email, password },
        headers: new Headers({ [CLIENT_ADDRESS_HEADER]: clientAddress }),
        returnHeaders: true,
      });
      const cookies = headers.getSetCookie();
      const cookie = cookies.map((line) => line.split(';')[0]).join('; ');
      const { token } = await auth.api.getToken({ headers: new Headers({ cookie }) });
      return { token, cookies };
    },
    derive: (purpose) => createHmac('sha256', secret).update(purpose).digest('base64url'),
  };
}
