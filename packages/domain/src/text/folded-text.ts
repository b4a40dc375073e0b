/** Letters of other scripts that look like Latin ones, and the Latin ones that they are taken for. */
const LOOK_ALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['авгԁеһіјкӏмнопрԛсѕтухԝьз', 'abrdehijklmhonpqcstyxwb3'],
    ['αβεηικνορτυχωγ', 'abenikvoptuxwy'],
    ['ıɑɡłøđħʜɩʟɴʀʏ', 'iaglodhhilnry'],
  ].flatMap(([from = '', to = '']) => [...from].map((letter, at) => [letter, to[at] ?? letter] as const)),
);

/** Letters without a shape of their own: fillers and everything that has no width. */
const SHAPELESS = /[\p{Cf}\p{M}\u115f\u1160\u3164\uffa0\u2800]/gu;
/** Signs that are read, and by some programs linked, as a full stop. */
const STOPS = /[\u3002\uff61\u06d4\u2024\ufe52]/gu;
/** Bullets between letters, which only serve to hide a full stop. */
const BULLETS = /(?<=[\p{L}\p{N}])[\u2022\u00b7\u2219\u22c5\u30fb\u2027](?=[\p{L}\p{N}])/gu;
/** Letters in boxes, circles and flags that Unicode does not fold. */
const BOXED: readonly [from: number, to: number][] = [
  [0x1f150, 0x1f169],
  [0x1f170, 0x1f189],
  [0x1f1e6, 0x1f1ff],
];

/**
 * A text in plain letters, as a person reads it: full-width, styled and accented letters folded, and without characters
 * that have no width. Letters of other scripts stay.
 */
export function foldText(text: string): string {
  const letters = [...text].map((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    const box = BOXED.find(([from, to]) => code >= from && code <= to);
    return box ? String.fromCharCode(65 + code - box[0]) : letter;
  });
  return letters.join('').normalize('NFKD').replace(SHAPELESS, '').replace(STOPS, '.').replace(BULLETS, '.');
}

/** A folded text with letters of other scripts replaced by the Latin ones that they look like. */
export const latinLookAlike = (folded: string): string =>
  [...folded]
    .map((letter) => {
      const small = LOOK_ALIKES[letter.toLowerCase()];
      if (small === undefined) return letter;
      return letter === letter.toLowerCase() ? small : small.toUpperCase();
    })
    .join('');

/** Single characters with spaces between them, as in "e v i l . c o m", written together. */
export const joinSpelledOut = (text: string): string =>
  text.replace(/(?<![\p{L}\p{N}])[\p{L}\p{N}.:/@](?:[\s_-]+[\p{L}\p{N}.:/@](?![\p{L}\p{N}]))+/gu, (spelled) =>
    spelled.replace(/[\s_-]+/g, ''),
  );
