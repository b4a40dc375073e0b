import { createTransport } from 'nodemailer';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The same for every attempt of one mail, so that a mailbox can drop a second one. */
  messageId?: string;
}

/** Sends a mail, or throws. */
export type Mailer = (mail: Mail) => Promise<void>;

/** Sends through the configured SMTP server; null when none is set up. */
export function createMailer(smtpUrl: string | undefined, from: string): Mailer | null {
  if (!smtpUrl) return null;
  const transport = createTransport(smtpUrl, { from });
  return async (mail) => {
    await transport.sendMail(mail);
  };
}

const CHECK_TIMEOUT_MS = 5_000;
/** People look at the checklist again and again while they set up; the mail server is asked this often. */
const CHECK_EVERY_MS = 10_000;

/**
 * Asks the mail server whether it takes mail from us: connection, TLS and login. No mail is sent.
 * @returns null when none is set; `problem`: null, or the server's or network's words
 */
export function createMailCheck(
  smtpUrl: string | undefined,
): () => Promise<{ problem: string | null } | null> {
  if (!smtpUrl) return async () => null;
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: CHECK_TIMEOUT_MS,
    greetingTimeout: CHECK_TIMEOUT_MS,
    socketTimeout: CHECK_TIMEOUT_MS,
  });
  let last: { at: number; answer: Promise<{ problem: string | null }> } | null = null;
  return () => {
    if (last === null || Date.now() - last.at > CHECK_EVERY_MS)
      last = {
        at: Date.now(),
        answer: transport.verify().then(
          () => ({ problem: null }),
          (error: Error) => ({ problem: error.message.replace(/\.$/, '') }),
        ),
      };
    return last.answer;
  };
}
