import type { FastifyReply } from 'fastify';
import type { Actor } from '../../../platform/audit/audit.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { signInLink } from '../../../platform/identity/sign-in-link.ts';
import type { MailOutcome } from '../../../platform/work/mail/mailer.ts';
import { sendHostedInvitation } from '../hosted/send-invitation.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { recordShownLink } from './invitations.service.ts';

/**
 * Sends the links of invitations by mail; without mail, or when it fails for good, the answer has the link, to be shown once, and
 * the audit says so: the inviter could accept it. A hosted identity service sends a mail of its own, with a link of its own.
 */
export function createSendLink({ db, identity, mailer, origin, log, now }: IdentityDeps) {
  const send = async (to: string, link: string): Promise<MailOutcome> => {
    if (!mailer) return 'failed';
    const text = `You are invited to Copydesk. Choose a name and a password within 48 hours:\n${link}\n`;
    try {
      return await mailer.send({ kind: 'invitation', to, subject: 'Your invitation to Copydesk', text });
    } catch (error) {
      log.error({ err: error }, 'invitation mail failed; the link is returned instead');
      return 'failed';
    }
  };
  return async (
    email: string,
    { id, token }: { id: string; token: string },
    { actor, reply }: { actor: Actor; reply: FastifyReply },
  ) => {
    identity.forget(id);
    if (identity.kind === 'hosted') {
      await sendHostedInvitation(identity.directory, email, log);
      return { success: true as const, data: { id, e_mailed: true, is_waiting: false, link: null } };
    }
    const link = signInLink(origin, 'accept', token);
    const outcome = await send(email, link);
    const eMailed = outcome !== 'failed';
    if (!eMailed) await db.write(WHOLE_SCOPE, actor, (tx) => recordShownLink(tx, { id, token }, now()));
    reply.header('cache-control', 'no-store');
    return {
      success: true as const,
      data: { id, e_mailed: eMailed, is_waiting: outcome === 'waiting', link: eMailed ? null : link },
    };
  };
}
