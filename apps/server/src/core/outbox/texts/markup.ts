/** Marks that turn the direction of a text, and what controls a terminal: names have no use for them. */
const CONTROLS = /[\p{Cc}\u200e\u200f\u061c\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu;
const NAME_LENGTH = 64;

/** For texts in the HTML of the Bot API, which knows these four names and no others. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Left to right whatever is around it: an address or amount within Arabic would come apart at its ends. */
export const leftToRight = (text: string) => `\u2066${text}\u2069`;

/** In its own direction, whatever is around it. */
export const ownDirection = (text: string) => `\u2068${text}\u2069`;

/** What a tap copies. Marks of direction stay outside: in a wallet's field they would make an address invalid. */
export const copyable = (text: string) => `<code>${escapeHtml(text)}</code>`;

/** A name on one line, in its own direction; null when nothing is left of it. */
export function nameInText(name: string | null): string | null {
  const plain = [...(name ?? '').replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim()];
  return plain.length === 0 ? null : ownDirection(plain.slice(0, NAME_LENGTH).join('').trim());
}
