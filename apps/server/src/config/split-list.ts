/** The entries of a variable that lists several, separated by commas. Spaces around them and empty ones do not count. */
export const splitList = (text: string): string[] => text.split(',').flatMap((entry) => entry.trim() || []);
