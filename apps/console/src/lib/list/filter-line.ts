import { decimalToUnits, unitsToDecimal } from '@copydesk/domain/money';
import { optionsOf, otherEnd } from './filter-faces.ts';
import type { Face, Filters, Sources, ValuesOf } from './filters.ts';
import { isPreset, PRESETS } from './relative-days.ts';

// The filters of a list as one line of text, `status:overdue community:"Blue Harbor" amount>500`. What has no name in it
// is the search.

const slug = (words: string) => words.toLowerCase().replaceAll(' ', '-').replaceAll('_', '-');
const quoted = (words: string) => (/^[^\s":<>]+$/.test(words) ? words : `"${words.replaceAll('"', '')}"`);
/** The smallest step of an amount: above 500 is from 500 and one unit on. */
const beyond = (amount: string, by: 1n | -1n) => unitsToDecimal((decimalToUnits(amount) ?? 0n) + by);
const ONE_UNIT = /\.\d{17}1$/;
const ONE_LESS = /\.\d*9{10,}$/;

interface Described {
  filters: Filters;
  sources: Sources;
  /** The filter that is typed without a name. */
  search?: string;
}

/** The filters in force as a line, in the order of the list's description. */
export function writeLine(values: object, { filters, sources, search }: Described): string {
  const all = values as Record<string, string | undefined>;
  const parts = Object.entries(filters).flatMap(([name, { face }]) => {
    const value = all[name];
    return value && face ? [writePart(face, value, sources)] : [];
  });
  const words = search && all[search];
  return [...parts, ...(words ? [/[:<>"]/.test(words) ? quoted(words) : words] : [])].join(' ');
}

function writePart(face: Face, value: string, sources: Sources): string {
  const key = slug(face.label);
  if (face.kind === 'toggle') return `${key}:${value === 'true' ? 'yes' : 'no'}`;
  if (face.kind === 'word') return `${key}:${quoted(value)}`;
  if (face.kind === 'choice') {
    const options = optionsOf(face, sources);
    const label = options.find((option) => option.value === value)?.label;
    // Of two records with one name, the id says which; a name with quotes cannot be quoted.
    const isOnly = options.filter((option) => option.label === label).length === 1 && !label?.includes('"');
    return `${key}:${quoted(label && isOnly ? label : value)}`;
  }
  if (isPreset(value)) return `${key}:${slug(value)}`;
  if (face.kind === 'amounts' && face.end === 'from' && ONE_UNIT.test(value))
    return `${key}>${beyond(value, -1n)}`;
  if (face.kind === 'amounts' && face.end === 'to' && ONE_LESS.test(value))
    return `${key}<${beyond(value, 1n)}`;
  return `${key}${face.end === 'from' ? '>=' : '<='}${value}`;
}

const PART = /([\p{L}\p{N}-]+)(:|>=|<=|>|<)("[^"]*"|[^\s"]+)|"([^"]*)"|(\S+)/gu;

/** The filters that a line says; those that it does not name are unset. Or why it makes no sense. */
export function readLine<F extends Filters>(
  line: string,
  { filters, sources, search }: Described & { filters: F },
): { values: ValuesOf<F> } | { error: string } {
  const faced = Object.entries(filters).filter(([, { face }]) => face);
  const values: Record<string, string | undefined> = Object.fromEntries(
    faced.map(([name]) => [name, undefined]),
  );
  const words: string[] = [];
  for (const [whole, key, sign = ':', raw = '', quotedWords, bare] of line.matchAll(PART)) {
    if (key === undefined) {
      words.push(quotedWords ?? bare ?? whole);
      continue;
    }
    const value = raw.startsWith('"') ? raw.slice(1, -1) : raw;
    const named = faced.filter(([, { face }]) => face && slug(face.label) === key.toLowerCase());
    if (named.length === 0) {
      const keys = [...new Set(faced.map(([, { face }]) => slug(face?.label ?? '')))];
      return { error: `No filter is called "${key}". There are: ${keys.join(', ')}` };
    }
    const read = readPart(named, { sign, value, whole }, filters, sources);
    if (typeof read === 'string') return { error: read };
    Object.assign(values, read);
  }
  if (search) values[search] = words.join(' ') || undefined;
  else if (words.length > 0) return { error: `"${words[0]}" has no name: write name:value` };
  return { values: values as ValuesOf<F> };
}

interface Part {
  sign: string;
  value: string;
  whole: string;
}

/** What a part of the line sets, or why it makes no sense. */
function readPart(
  named: [string, Filters[string]][],
  { sign, value, whole }: Part,
  filters: Filters,
  sources: Sources,
): Record<string, string | undefined> | string {
  const [first] = named;
  const face = first?.[1].face;
  if (!first || !face) return `"${whole}" makes no sense`;
  const [name, { read }] = first;
  if ('end' in face) return readEnd(named, face, { sign, value, whole }, filters);
  if (sign !== ':') return `"${whole}": write ${slug(face.label)}:value`;
  if (face.kind === 'toggle') {
    const isOn = { yes: 'true', no: 'false' }[value.toLowerCase()];
    return isOn ? { [name]: isOn } : `"${whole}": write yes or no`;
  }
  if (face.kind === 'choice') {
    const wanted = slug(value);
    const options = optionsOf(face, sources);
    const found = options.find((option) => option.value === value || slug(option.label) === wanted);
    if (found) return { [name]: found.value };
  }
  const taken = read(value);
  return taken === undefined
    ? `"${whole}": there is no ${face.label.toLowerCase()} "${value}"`
    : { [name]: taken };
}

function readEnd(
  named: [string, Filters[string]][],
  face: Face & { end: string },
  { sign, value, whole }: Part,
  filters: Filters,
): Record<string, string | undefined> | string {
  const [[name, { read }] = ['', filters[''] as Filters[string]]] = named;
  const other = otherEnd(filters, face) ?? '';
  const [from, to] = face.end === 'from' ? [name, other] : [other, name];
  const preset = Object.keys(PRESETS).find((each) => slug(each) === slug(value));
  if (preset && sign === ':' && face.kind === 'days') return { [from]: preset, [to]: undefined };
  const isValid = !isPreset(value) && (read(value) ?? filters[other]?.read(value)) !== undefined;
  if (!isValid)
    return `"${whole}": ${face.kind === 'days' ? 'write a day as 2026-01-31' : 'write digits, with a point for cents'}`;
  if (sign === ':') return { [from]: value, [to]: value };
  if (sign === '>=') return { [from]: value };
  if (sign === '<=') return { [to]: value };
  if (face.kind === 'days') return `"${whole}": write >= or <=, both days are included`;
  return sign === '>' ? { [from]: beyond(value, 1n) } : { [to]: beyond(value, -1n) };
}
