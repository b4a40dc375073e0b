import type { FastifyRequest } from 'fastify';
import type { RefusedSignIn } from '../../identity/identity.ts';
import type { SecurityLog } from './security-log.ts';

/**
 * Notes the refusals of the identity service, whose calls have no principal. Of a sign-in, the "caller" is the account
 * that the caller tried to enter: `isAboutAccount` tells such rows.
 */
export function createSignInRefusals(securityLog: SecurityLog) {
  return ({ code, call, findAccount }: RefusedSignIn, request: FastifyRequest): void =>
    securityLog.noteAfter(
      { code, call, caller: null, address: request.ip, requestId: request.id },
      async () => {
        const account = await findAccount();
        return account && { kind: 'user', id: account.id, name: account.email };
      },
    );
}
