/** Spaces, and marks without a width or that only turn the direction of text (Unicode, `Bidi_Control`). */
const INVISIBLE = '[\\s\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]';
const AROUND = new RegExp(`^${INVISIBLE}+|${INVISIBLE}+$`, 'gu');

/**
 * A text as it was meant when it was pasted: without the spaces, zero-width characters and direction marks around it,
 * which mail programs and chats add. Runs before any length is checked.
 */
export function cleanPasted(text: string): string {
  return text.replace(AROUND, '');
}
