// Every state that a protocol can reach, in every order of its steps, and what is wrong with any of them.

/** One thing that can happen, and the state after it. */
export type Step<State> = [name: string, after: State];

interface Found<State> {
  state: State;
  depth: number;
  /** The state before it on a shortest path, and the step from there; null: the first. */
  via: { before: string; step: string } | null;
  next: { step: string; name: string }[];
}

export interface Search<State> {
  found: Map<string, Found<State>>;
  /** Whether every state was visited; otherwise those within the depth. */
  isWhole: boolean;
}

interface Protocol<State> {
  first: State;
  stepsOf(state: State): Step<State>[];
  /** The same for states that differ in nothing that matters. */
  nameOf(state: State): string;
  /** Steps from the first state; by default as many as there are. */
  maxDepth?: number;
}

/** Visits states breadth first, so that the path to each is a shortest one. */
export function explore<State>({
  first,
  stepsOf,
  nameOf,
  maxDepth = Number.POSITIVE_INFINITY,
}: Protocol<State>): Search<State> {
  const found = new Map<string, Found<State>>([
    [nameOf(first), { state: first, depth: 0, via: null, next: [] }],
  ]);
  let isWhole = true;
  // A map is walked in the order of insertion, including what is added meanwhile.
  for (const [before, one] of found) {
    if (one.depth >= maxDepth) {
      isWhole = false;
      continue;
    }
    for (const [step, state] of stepsOf(one.state)) {
      const name = nameOf(state);
      one.next.push({ step, name });
      if (!found.has(name)) found.set(name, { state, depth: one.depth + 1, via: { before, step }, next: [] });
    }
  }
  return { found, isWhole };
}

/** The steps to a state. */
function pathTo<State>({ found }: Search<State>, name: string): string[] {
  const via = found.get(name)?.via;
  return via ? [...pathTo({ found, isWhole: true }, via.before), via.step] : [];
}

/** A rule that is broken, and a shortest path to where it is. */
export interface Breach {
  what: string;
  path: string[];
}

/** The nearest state in which a rule is broken; null: there is none. @param whatIsWrong null: nothing */
export function nearestBreach<State>(
  search: Search<State>,
  whatIsWrong: (state: State) => string | null,
): Breach | null {
  for (const [name, { state }] of search.found) {
    const what = whatIsWrong(state);
    if (what !== null) return { what, path: pathTo(search, name) };
  }
  return null;
}

/** The nearest step that breaks a rule; null: there is none. */
export function nearestWrongStep<State>(
  search: Search<State>,
  whatIsWrong: (before: State, step: string, after: State) => string | null,
): Breach | null {
  for (const [name, { state, next }] of search.found)
    for (const { step, name: after } of next) {
      const what = whatIsWrong(state, step, (search.found.get(after) as Found<State>).state);
      if (what !== null) return { what, path: [...pathTo(search, name), step] };
    }
  return null;
}

/**
 * The nearest state from which no end can be reached; null: from each there is a way. States at the edge of a search that
 * is not whole count as ends: their ways are not known.
 */
export function nearestDeadEnd<State>(
  search: Search<State>,
  isEnd: (state: State) => boolean,
): Breach | null {
  const before = new Map<string, string[]>();
  const reached: string[] = [];
  for (const [name, { state, next }] of search.found) {
    for (const { name: after } of next) before.set(after, [...(before.get(after) ?? []), name]);
    if (isEnd(state) || (!search.isWhole && next.length === 0)) reached.push(name);
  }
  const hasWay = new Set(reached);
  for (let name = reached.pop(); name !== undefined; name = reached.pop())
    for (const earlier of before.get(name) ?? [])
      if (!hasWay.has(earlier)) {
        hasWay.add(earlier);
        reached.push(earlier);
      }
  for (const name of search.found.keys())
    if (!hasWay.has(name)) return { what: 'no way out', path: pathTo(search, name) };
  return null;
}
