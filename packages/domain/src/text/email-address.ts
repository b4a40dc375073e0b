import { cleanPasted } from './pasted-text.ts';

/** Characters of a local part without quotes (RFC 5321, section 4.1.2, and RFC 5322, `atext`). */
const ATEXT = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** The last label is not a number, so an IP address is not a mail domain. */
const LAST_LABEL = '[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])';

/** An address with its domain in ASCII, as mail servers know it. */
export const EMAIL_PATTERN = new RegExp(
  `^(?=.{1,64}@)${ATEXT}(?:\\.${ATEXT})*@(?:${LABEL}\\.)+${LAST_LABEL}$`,
);

const NOT_ASCII = /[^ -~]/;
/** What would end the name of the host in a URL, or be decoded in it. */
const NO_HOST = /[\s/?#@:\\%[\]]/;

/**
 * An e-mail address in the one form in which it is stored and compared: lower case, without what pasting added, and the
 * domain in ASCII, so `ada@bücher.example` and `ada@xn--bcher-kva.example` are one person. Text that is no address is
 * returned as far as it goes: `EMAIL_PATTERN` refuses it.
 */
export function emailInAscii(typed: string): string {
  const text = cleanPasted(typed).toLowerCase();
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1);
  if (at < 0 || !NOT_ASCII.test(domain) || NO_HOST.test(domain)) return text;
  const url = URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`) : null;
  return url ? `${text.slice(0, at)}@${url.hostname}` : text;
}
