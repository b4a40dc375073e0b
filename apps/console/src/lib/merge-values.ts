type Values = Readonly<Record<string, unknown>>;

interface Merged<V> {
  values: V;
  /** Fields that both changed, and not to the same. */
  conflicts: readonly (keyof V & string)[];
}

/**
 * What a form shows after another person has changed its record: a field that was not touched takes their
 * value, one that was keeps what was typed. In a list, the additions and removals of both apply.
 * @param base as the form opened
 * @param mine as the form is now
 * @param theirs as the record is now
 */
export function mergeValues<V extends object>(base: V, mine: V, theirs: V): Merged<V> {
  const conflicts: (keyof V & string)[] = [];
  const all = { base: base as Values, mine: mine as Values, theirs: theirs as Values };
  const entries = Object.keys(theirs).map((name) => {
    const [was, own, now] = [all.base[name], all.mine[name], all.theirs[name]];
    if (isSame(own, was)) return [name, now];
    if (isSame(now, was) || isSame(own, now)) return [name, own];
    if (isList(was) && isList(own) && isList(now)) return [name, mergeLists(was, own, now)];
    conflicts.push(name as keyof V & string);
    return [name, own];
  });
  return { values: Object.fromEntries(entries) as V, conflicts };
}

const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** In their order, then what was added here. */
function mergeLists(base: string[], mine: string[], theirs: string[]): string[] {
  const removed = new Set(base.filter((item) => !mine.includes(item)));
  const added = mine.filter((item) => !base.includes(item) && !theirs.includes(item));
  return [...theirs.filter((item) => !removed.has(item)), ...added];
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
