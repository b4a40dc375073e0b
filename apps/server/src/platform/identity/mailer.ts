import { createTransport } from 'nodemailer';

export interface Mail {
  to: string;
  subject: string;
  text: string;
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
