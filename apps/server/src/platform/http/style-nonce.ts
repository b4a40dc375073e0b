import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** A nonce for the styles that scripts of this one page insert, which its policy allows from then on. */
export function allowOwnStyles(reply: FastifyReply): string {
  const nonce = randomBytes(16).toString('base64');
  const policy = String(reply.getHeader('content-security-policy') ?? '');
  reply.header(
    'content-security-policy',
    policy.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`),
  );
  return nonce;
}
