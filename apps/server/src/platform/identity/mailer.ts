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
