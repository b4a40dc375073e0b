import { foldText, joinSpelledOut, latinLookAlike } from './folded-text.ts';

/** What a text for traders must not contain. */
export type TextTrap = 'address' | 'link';

/** Top-level names that no text in our five languages has after a full stop and a space. */
const CLEAR_NAMES = 'com|org|xyz|eth|io|ru|onion';
/** The same, where a word for the dot or a space before it leaves no doubt. */
const NAMES = `${CLEAR_NAMES}|net|me|app|info|biz|pro|link|site|online|shop|finance|money|cash|pay|top|club|dev|ai|cc|tv|ws|to|gg|vip|bnb|sol|ton|crypto|wallet|nft|рф|укр|бел`;
/** "dot" in our languages. */
const DOT_WORDS = 'd[o0]t|punto|kropka|точка|نقطة';

const LINKS: readonly RegExp[] = [
  // A scheme, also as it is disguised: hxxp, h**p.
  /(?<![\p{L}\p{N}])h(?:tt|xx|\*\*)[pr]s?(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}])(?:ftp|tg|tonsite|mailto|bitcoin|ethereum|tron|wc|ipfs)\s*:\s*\/*[\p{L}\p{N}]/iu,
  /(?<![\p{L}\p{N}])www\d?(?![\p{L}\p{N}])/iu,
  // A name at Telegram, which it shows as a link.
  /(?<![\p{L}\p{N}])@\s*[a-z][a-z0-9_]{3,}/iu,
  /(?<![\p{L}\p{N}])t\s*[.,]?\s*me\s*\//iu,
  // Any domain, IDN included: letters follow a full stop without a space. Abbreviations have one letter there.
  /[\p{L}\p{N}]\.\p{L}[\p{L}\p{N}-]*[\p{L}\p{N}](?!\.\p{L}\.)/u,
  new RegExp(`[\\p{L}\\p{N}]\\s+\\.\\s*(?:${NAMES})(?![\\p{L}\\p{N}])`, 'iu'),
  new RegExp(`[\\p{L}\\p{N}][.,]\\s*(?:${CLEAR_NAMES})(?![\\p{L}\\p{N}])`, 'iu'),
  new RegExp(`[\\p{L}\\p{N}]\\s*[([{<]\\s*(?:\\.|${DOT_WORDS})\\s*[)\\]}>]\\s*[\\p{L}\\p{N}]`, 'iu'),
  new RegExp(`[\\p{L}\\p{N}]\\s*(?:${DOT_WORDS})\\s*(?:${CLEAR_NAMES}|net|рф)(?![\\p{L}\\p{N}])`, 'iu'),
  /(?<!\d)(?<!\d[.,])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/u,
];

/** Abbreviations of our languages that have the shape of a domain. */
const ABBREVIATIONS =
  /(?<!\p{L})(?:m\.in|p\.ej|e\.g|i\.e|a\.k\.a|q\.e\.d|т\.ч|ee\.uu|p\.m|a\.m)\.?(?!\p{L})/giu;

const BASE58 = /(?<![A-Za-z0-9])(?:T[1-9A-HJ-NP-Za-km-z]{33}|[13][1-9A-HJ-NP-Za-km-z]{25,34})(?![A-Za-z0-9])/;
/** Longer than any word or number: an address or a hash of some chain. */
const LONG_MIXTURE = /(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{26,}/;
/** Spelled in groups, it has to have a mixture that prose and price lists have not. */
const SPELLED_HEX = /(?<!\d)0[^a-z0-9]*x(?:[^a-z0-9]*[0-9a-f]){16,}/i;
const SPELLED_TRON = /T[1-9A-HJ-NP-Za-km-z]{33}/g;

function hasAddress(text: string): boolean {
  if (BASE58.test(text) || LONG_MIXTURE.test(text)) return true;
  if (/(?<![\d\p{L}])[0o]x[0-9a-f]{4,}/iu.test(text)) return true;
  const together = text.replace(/[^A-Za-z0-9]/g, '');
  const small = together.toLowerCase();
  if (SPELLED_HEX.test(text) || /ox[0-9a-f]{30,}/.test(small)) return true;
  if (/(?:bc1|tb1|ltc1|addr1)[02-9ac-hj-np-z]{25,}/.test(small) && /\d.*\d.*\d.*\d.*\d/.test(small))
    return true;
  if ((small.match(/[0-9a-f]{40,}/g) ?? []).some((run) => count(run, /[a-f]/g) >= 6)) return true;
  return (together.match(SPELLED_TRON) ?? []).some(
    (run) => count(run, /\d/g) >= 3 && count(run, /[A-Z]/g) >= 8 && count(run, /[a-z]/g) >= 5,
  );
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/**
 * What in a text could send a trader's money or attention elsewhere: an address or a hash of any chain, a link, a
 * domain or a name at Telegram, in whatever spelling. Null: nothing. A word right after a full stop counts as a domain,
 * because any ending may be one.
 */
export function findTextTrap(text: string): TextTrap | null {
  const folded = foldText(text);
  const forms = [folded, latinLookAlike(folded)].flatMap((form) => [form, joinSpelledOut(form)]);
  if (forms.some(hasAddress)) return 'address';
  const isLink = (form: string) => {
    const plain = form.replace(ABBREVIATIONS, ' ');
    return LINKS.some((link) => link.test(plain));
  };
  return forms.some(isLink) ? 'link' : null;
}
