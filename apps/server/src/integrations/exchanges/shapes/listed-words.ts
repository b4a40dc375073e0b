/** The words of a list in one text, as in `General, Trade`. */
export const listedWords = (list: string): string[] =>
  list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
