import type { FastifyReply } from 'fastify';
import { signInLink } from '../../../platform/identity/sign-in-link.ts';
import { sendHostedInvitation } from '../hosted/send-invitation.ts';
import type { IdentityDeps } from '../identity-deps.ts';

/**
 * Sends the links of invitations by mail; without mail, or when it fails, the answer has the link, to be shown once. A
 * hosted identity service sends a mail of its own, with a link of its own.
 */
export function createSendLink({ identity, mailer, origin, totals, log }: IdentityDeps) {
  const send = async (email: string, link: string): Promise<boolean> => {
    if (!mailer) return false;
    const text = `You are invited to Copydesk. Choose a name and a password within 48 hours:\n${link}\n`;
    try {
      await mailer({ to: email, subject: 'Your invitation to Copydesk', text });
      return true;
    } catch (error) {
      log.error({ err: error }, 'invitation mail failed; the link is returned instead');
      return false;
    }
  };
  return async (email: string, { id, token }: { id: string; token: string }, reply: FastifyReply) => {
    identity.forget(id);
    totals.touch();
    if (identity.kind === 'hosted') {
      await sendHostedInvitation(identity.directory, email, log);
      return { success: true as const, data: { id, e_mailed: true, link: null } };
    }
    const link = signInLink(origin, 'accept', token);
    const eMailed = await send(email, link);
    reply.header('cache-control', 'no-store');
    return { success: true as const, data: { id, e_mailed: eMailed, link: eMailed ? null : link } };
  };
}
