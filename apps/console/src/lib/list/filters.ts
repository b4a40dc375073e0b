import { oneOf, text, uuid } from '../url/search-params.ts';
import { isPreset, type Preset } from './relative-days.ts';

/** Reads one parameter of a URL; undefined when it makes no sense. */
export type Reader<T> = (value: unknown) => T | undefined;

/** A choice of a filter. */
export interface Option<T extends string = string> {
  value: T;
  label: string;
  note?: string | undefined;
}

/** Choices that are known once the directory is loaded, by name: `communities`. */
export type Sources = Readonly<Record<string, readonly Option[]>>;

/** How a person sees a filter: its control, its chip, and its name in a line of text. */
export type Face =
  | { kind: 'choice'; label: string; options: readonly Option[] | keyof Sources }
  | { kind: 'toggle'; label: string }
  /** One end of a range. The other end has the same label. */
  | { kind: 'days' | 'amounts'; label: string; end: 'from' | 'to' }
  /** Set by links; it has a chip and no control. */
  | { kind: 'word'; label: string; write?(value: string): string };

/** A filter, described once: how to read it from the URL, its name in the API, and its face. */
export interface Filter<T extends string = string, Wire extends string = string> {
  read: Reader<T>;
  wire: Wire;
  /** Undefined: it has a place of its own, like the search. */
  face?: Face;
}

export type Filters = Record<string, Filter>;
type Value<R extends Reader<string>> = Exclude<ReturnType<R>, undefined>;
/** The values of filters, each of which may be missing. */
export type ValuesOf<F extends Filters> = { [K in keyof F]?: Value<F[K]['read']> };

/** A filter without a face. */
export const filter = <T extends string, const Wire extends string>(
  read: Reader<T>,
  wire: Wire,
): Filter<T, Wire> => ({ read, wire });

const LONGEST_TEXT = 200;
export const line = (value: unknown) => text(value, LONGEST_TEXT);

/** What is typed into the box of the list. */
export const search = <const Wire extends string>(wire: Wire) => filter(line, wire);

export const choice = <const T extends string, const Wire extends string>(
  label: string,
  wire: Wire,
  options: readonly Option<T>[],
): Filter<T, Wire> => ({
  read: among(options.map(({ value }) => value)),
  wire,
  face: { kind: 'choice', label, options },
});

/** A choice among records, by their ids. */
export const recordOf = <const Wire extends string>(
  label: string,
  wire: Wire,
  options: keyof Sources,
): Filter<string, Wire> => ({ read: uuid, wire, face: { kind: 'choice', label, options } });

/** A choice that takes any other text as well: ids of another service, kinds that an earlier version had. */
export const openChoice = <const Wire extends string>(
  label: string,
  wire: Wire,
  options: readonly Option[] | keyof Sources,
): Filter<string, Wire> => ({ read: line, wire, face: { kind: 'choice', label, options } });

/** On or not asked; links may ask for the opposite. */
export const toggle = <const Wire extends string>(
  label: string,
  wire: Wire,
): Filter<'true' | 'false', Wire> => ({
  read: among(['true', 'false']),
  wire,
  face: { kind: 'toggle', label },
});

/** The first day, or days that move with today; UTC. */
export const since = <const Wire extends string>(label: string, wire: Wire): Filter<string, Wire> => ({
  read: dayOrPreset,
  wire,
  face: { kind: 'days', label, end: 'from' },
});

/** The last day, UTC. */
export const until = <const Wire extends string>(label: string, wire: Wire): Filter<string, Wire> => ({
  read: day,
  wire,
  face: { kind: 'days', label, end: 'to' },
});

/** The least and the most of an amount in USDT, as decimal strings. */
export const least = <const Wire extends string>(label: string, wire: Wire): Filter<string, Wire> => ({
  read: amount,
  wire,
  face: { kind: 'amounts', label, end: 'from' },
});
export const most = <const Wire extends string>(label: string, wire: Wire): Filter<string, Wire> => ({
  read: amount,
  wire,
  face: { kind: 'amounts', label, end: 'to' },
});

/** Set by links only. */
export const linked = <const Wire extends string>(
  label: string,
  wire: Wire,
  { read = line, write }: { read?: Reader<string>; write?(value: string): string } = {},
): Filter<string, Wire> => ({ read, wire, face: { kind: 'word', label, ...(write && { write }) } });

const matching = (value: unknown, pattern: RegExp) =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;

export const pageNumber = (value: unknown) => matching(value, /^[1-9]\d{0,5}$/);

/** A day that exists, as the URL and the API write it. */
function day(value: unknown): string | undefined {
  const written = matching(value, /^20\d\d-\d\d-\d\d$/);
  return written && new Date(`${written}T00:00Z`).getUTCDate() === Number(written.slice(8))
    ? written
    : undefined;
}

const dayOrPreset = (value: unknown): string | Preset | undefined => (isPreset(value) ? value : day(value));

/** An amount of USDT as the API takes it. */
export const amount = (value: unknown) => matching(value, /^\d{1,20}(\.\d{1,18})?$/);

/** A reader that takes one of the values allowed. */
export const among =
  <const T extends string>(allowed: readonly T[]): Reader<T> =>
  (value) =>
    oneOf(allowed, value);
