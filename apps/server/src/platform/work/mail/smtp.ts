import { createTransport } from 'nodemailer';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The same for every attempt of one mail, so that a mailbox can drop a second one. */
  messageId?: string;
}

/** Why the mail server did not take a mail. It has none of the server's words, which may quote an address. */
export class MailError extends Error {
  /** The server's reply, as in `451`, or the network's error. */
  readonly code: string;
  /** Whether another attempt would fail as well. */
  readonly isFinal: boolean;
  constructor(code: string, isFinal: boolean) {
    super(`The mail server did not take a mail: ${code}`);
    this.name = 'MailError';
    this.code = code;
    this.isFinal = isFinal;
  }
}

/** Hands a mail to the mail server. @throws MailError */
export type SendMail = (mail: Mail) => Promise<void>;

/** Steps of a conversation with the mail server. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
/** Limit for the whole conversation. Shorter than the lease of a mail. */
const LONGEST_MS = 60_000;

/** Sends through the configured SMTP server; null when none is set up. */
export function createSmtp(smtpUrl: string | undefined, from: string): SendMail | null {
  if (!smtpUrl) return null;
  const transport = createTransport({ url: smtpUrl, ...TIMEOUTS }, { from });
  return async (mail) => {
    await transport.sendMail({ ...mail, signal: AbortSignal.timeout(LONGEST_MS) }).catch((error) => {
      throw asMailError(error);
    });
  };
}

/** Errors about the mail itself, from the server or our own check, not about the connection. */
const OF_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);
/**
 * Replies of a server that wants a login first, or is out of step: the mail can be sent once that is fixed.
 */
const NOT_OF_THE_MAIL = new Set([503, 530, 534, 535, 538]);

function asMailError({
  code = 'unknown',
  responseCode,
}: {
  code?: string;
  responseCode?: number;
}): MailError {
  const isRefused = responseCode === undefined || (responseCode >= 500 && !NOT_OF_THE_MAIL.has(responseCode));
  return new MailError(String(responseCode ?? code), OF_THE_MAIL.has(code) && isRefused);
}

const CHECK_TIMEOUT_MS = 5_000;
/** The set-up checklist is opened repeatedly; the mail server is asked at most this often. */
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
