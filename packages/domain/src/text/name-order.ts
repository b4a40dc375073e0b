const ORDER = new Intl.Collator('en', { numeric: true });

/** The order in which people read names: whatever case and accents, and numbers by value. That of `app.names` in SQL. */
export const compareNames = (a: string, b: string): number => ORDER.compare(a, b);
