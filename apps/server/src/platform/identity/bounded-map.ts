/** A map that drops its oldest entries beyond a size, so that no caller can make it grow. */
export interface BoundedMap<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
  deleteWhere(matches: (value: V) => boolean): void;
}

export function createBoundedMap<V>(maxEntries: number): BoundedMap<V> {
  const entries = new Map<string, V>();
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size <= maxEntries) return;
      const oldest = entries.keys().next();
      if (!oldest.done) entries.delete(oldest.value);
    },
    delete: (key) => void entries.delete(key),
    deleteWhere(matches) {
      for (const [key, value] of entries) if (matches(value)) entries.delete(key);
    },
  };
}
