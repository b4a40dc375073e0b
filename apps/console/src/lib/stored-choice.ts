/** Local storage, which browsers may refuse: a choice is then simply not remembered. */
export function readChoice(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param value null forgets the choice */
export function rememberChoice(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Nothing to do: the choice lasts as long as the page.
  }
}
