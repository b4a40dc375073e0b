/** Marks that only turn the direction of text (Unicode, `Bidi_Control`). */
const DIRECTION = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
/** Spaces, and marks without a width. */
const INVISIBLE = `[\\s\\u00ad\\u180e\\u200b-\\u200d\\u2060-\\u2065\\ufeff${DIRECTION}]`;
const AROUND = new RegExp(`^${INVISIBLE}+|${INVISIBLE}+$`, 'gu');
const DIRECTION_MARKS = new RegExp(`[${DIRECTION}]`, 'gu');
const INVISIBLE_RUNS = new RegExp(`${INVISIBLE}+`, 'gu');
/** The scripts that are written from right to left, from Hebrew to their forms for old programs, and the later planes. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE. */
const [ISOLATE, ISOLATE_END] = ['\u2068', '\u2069'];

/**
 * A text as it was meant when it was pasted: without the spaces, zero-width characters and direction marks around it,
 * which mail programs and chats add. Runs before any length is checked.
 */
export function cleanPasted(text: string): string {
  return text.replace(AROUND, '');
}

/**
 * One line as it is stored: clean, and without direction marks inside, by which a name can turn the sentence around it.
 * Joiners stay: scripts and emoji need them.
 */
export function cleanLine(text: string): string {
  return cleanPasted(text.replace(DIRECTION_MARKS, ''));
}

/** Several lines as they are stored: each clean, at most one empty line between two, and none around. */
export function cleanText(text: string): string {
  const lines = text.split(/\r\n?|\n|\u2028|\u2029/).map((line) => cleanLine(line.replaceAll('\t', ' ')));
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');
}

/**
 * A search text as it is compared: no spaces around, one between words, nothing invisible, and no decoration:
 * neither the "@" of a Telegram name, nor the spaces within an address or hash that was copied in groups.
 */
export function searchedText(typed: string): string {
  const text = cleanPasted(typed.replace(INVISIBLE_RUNS, (run) => (/\s/.test(run) ? ' ' : '')));
  const joined = text.replaceAll(' ', '');
  if (/^0x[0-9a-f]+$/i.test(joined)) return joined;
  return text.replace(/^@ ?(?=.)/, '');
}

/**
 * A name isolated from the direction of the sentence around it. Names that cannot turn anything are
 * unchanged.
 */
export function isolatedName(name: string): string {
  const plain = name.replace(DIRECTION_MARKS, '');
  return RIGHT_TO_LEFT.test(plain) ? `${ISOLATE}${plain}${ISOLATE_END}` : plain;
}
