import { findTextTrap } from '@copydesk/domain/text';

/** Direction marks and control characters, which names do not need. */
const CONTROLS = /[\p{Cc}\u200e\u200f\u061c\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu;
const NAME_LENGTH = 64;

/** Escapes text for the HTML of the Bot API, which supports only these four entities. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Isolates text left to right: an address or amount within Arabic would otherwise break at its ends. */
export const leftToRight = (text: string) => `\u2066${text}\u2069`;

/** Isolates text in its own direction. */
export const ownDirection = (text: string) => `\u2068${text}\u2069`;

/** Text that a tap copies. Direction marks stay outside: pasted into a wallet they would make an address invalid. */
export const copyable = (text: string) => `<code>${escapeHtml(text)}</code>`;

/** Text without direction marks and control characters, on one line and cut where it is too long; it may become empty. */
export const textOnOneLine = (text: string, longest: number): string =>
  [...text.replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim()].slice(0, longest).join('').trim();

/** A name on one line, in its own direction; null when it is empty after cleaning, or has an address or a link in it. */
export function nameInText(name: string | null): string | null {
  const plain = textOnOneLine(name ?? '', Number.POSITIVE_INFINITY);
  return plain === '' || findTextTrap(plain) !== null
    ? null
    : ownDirection(textOnOneLine(plain, NAME_LENGTH));
}
