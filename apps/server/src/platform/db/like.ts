/** A text for a LIKE pattern, in lower case, with wildcards escaped. */
export const escaped = (part: string): string => part.toLowerCase().replace(/[\\%_]/g, '\\$&');

/** A LIKE pattern for a lower-case substring. */
export const containing = (part: string): string => `%${escaped(part)}%`;
