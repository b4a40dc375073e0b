/** A decimal as we write it: a loss begins with a minus and is still a number. */
const NUMBER = /^-?\d+(\.\d+)?$/;
/** At the start of a text, or where a reader with another separator sees the next cell begin. */
const CELLS = /(?<=^|[,;|\t\r\n])[^,;|\t\r\n]+/g;
/** The signs by which spreadsheets recognise a formula, in full-width forms too; some skip spaces and quotes before it. */
const FORMULA = /^[\s"\u00a0\ufeff\u200b]*[=+\-@＝＋－＠]/;
/** Some take these for the beginning of a cell of their own. */
const LEADING_BREAK = /^[\t\r\n]/;

/**
 * A text that no spreadsheet runs as a formula, whatever it takes for a separator: an apostrophe before each part that
 * begins with one makes it text. Numbers stay numbers.
 */
export function guardFormula(text: string): string {
  if (NUMBER.test(text)) return text;
  const guarded = text.replace(CELLS, (cell) =>
    FORMULA.test(cell) && !NUMBER.test(cell.trim()) ? `'${cell}` : cell,
  );
  return LEADING_BREAK.test(guarded) ? `'${guarded}` : guarded;
}
