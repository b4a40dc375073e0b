import type { Persona } from '@copydesk/contract/people';
import type { FastifyInstance } from 'fastify';
import { asOwner } from '../owner.ts';
import { signInAs, tokenOf } from './callers.ts';

/** Signs a persona in, with an authentication that is too old for any sensitive call. */
export async function staleAuthorization(
  product: { app: FastifyInstance; ownerUrl: string },
  persona: Persona,
): Promise<string> {
  const { cookie, sessionId } = await signInAs(product, persona);
  await asOwner(
    product.ownerUrl,
    "UPDATE identity.session SET authenticated_at = now() - interval '11 minutes' WHERE id = $1",
    [sessionId],
  );
  return `Bearer ${await tokenOf(product, cookie)}`;
}
