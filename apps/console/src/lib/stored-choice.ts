/** Local storage, which browsers may refuse: the choice is then not remembered. */
export function readChoice(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param value null removes the choice */
export function rememberChoice(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Ignored: the choice lasts as long as the page.
  }
}
