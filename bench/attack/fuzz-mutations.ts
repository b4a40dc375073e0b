import type { Random } from '../../apps/simulators/src/world/random.ts';
import { hostileValue } from './fuzz-values.ts';

/** The same value with one place, at any depth, replaced, removed, wrapped or joined by a key that is not expected. */
export function mutated(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.12)) return replaced(value, random);
  const entries = Object.entries(value);
  if (entries.length === 0 || random.chance(0.1))
    return Array.isArray(value)
      ? [...value, hostileValue(random)]
      : defined(value, random.pick(['__proto__', 'constructor', 'extra', 'toString']), hostileValue(random));
  const [key, inner] = random.pick(entries);
  if (random.chance(0.08)) return Object.fromEntries(entries.filter(([name]) => name !== key));
  const next = mutated(inner, random);
  return Array.isArray(value)
    ? value.map((item, index) => (String(index) === key ? next : item))
    : defined(value, key, next);
}

/** With a key of its own, `__proto__` too. */
const defined = (value: object, key: string, inner: unknown): object =>
  Object.fromEntries([...Object.entries(value).filter(([name]) => name !== key), [key, inner]]);

function replaced(value: unknown, random: Random): unknown {
  if (random.chance(0.2)) return random.pick([[value], { value }, String(textOf(value)), null]);
  return hostileValue(random);
}

/** A value as it is written into a query. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
