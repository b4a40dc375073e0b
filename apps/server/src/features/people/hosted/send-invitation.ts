import { type HostedDirectory, HostedError } from '../../../platform/identity/hosted/hosted-directory.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { Refusal } from '../../../platform/refusal.ts';

/** As long as our own invitations are open. */
const EXPIRES_IN_DAYS = 2;

/**
 * Has the identity service invite a person, who is stored already. When it cannot, the invitation can be renewed.
 * @throws Refusal `unavailable`
 */
export async function sendHostedInvitation(
  directory: Pick<HostedDirectory, 'invite'>,
  email: string,
  log: Logger,
): Promise<void> {
  try {
    await directory.invite({ email, expiresInDays: EXPIRES_IN_DAYS });
  } catch (error) {
    if (!(error instanceof HostedError)) throw error;
    log.error({ err: error }, 'the identity service did not send an invitation');
    throw new Refusal('identity_unavailable');
  }
}
