import type { Random } from '../../apps/simulators/src/world/random.ts';
import { mutated, textOf } from './fuzz-mutations.ts';
import { type Shape, validValue } from './fuzz-shapes.ts';
import { hostileText, RAW_MARK, RAW_NUMBERS } from './fuzz-values.ts';
import type { KnownIds } from './fuzz-world.ts';

/** One operation of the document. */
export interface Operation {
  method: string;
  path: string;
  query: { name: string; shape: Shape }[];
  params: Record<string, Shape>;
  body: Shape | null;
}

export interface FuzzRequest {
  method: string;
  /** Path and query, as sent. */
  target: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

interface Filling {
  random: Random;
  ids: KnownIds;
}

interface Parameter {
  in: string;
  name: string;
  schema: Shape;
}

/** The operations of an OpenAPI document. */
export function operationsOf(document: { paths: Record<string, object> }): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { parameters?: Parameter[]; requestBody?: RequestBody }>).map(
      ([method, { parameters = [], requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        query: parameters
          .filter((one) => one.in === 'query')
          .map(({ name, schema }) => ({ name, shape: schema })),
        params: Object.fromEntries(
          parameters.filter((one) => one.in === 'path').map(({ name, schema }) => [name, schema]),
        ),
        body: Object.values(requestBody?.content ?? {})[0]?.schema ?? null,
      }),
    ),
  );
}

interface RequestBody {
  content: Record<string, { schema: Shape }>;
}

/** A valid request with some of its parts made hostile. */
export function buildRequest(operation: Operation, filling: Filling): FuzzRequest {
  const { random } = filling;
  const headers: Record<string, string> = {};
  let method = operation.method;
  if (random.chance(0.02)) method = random.pick(['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'POST', 'GET']);
  let target = `${pathOf(operation, filling)}${queryOf(operation, filling)}`;
  if (random.chance(0.02)) target += random.pick(['%', '/%E0%A4%A', '%00', '//', '/../..', '?%ff=%fe', '#x']);
  if (random.chance(0.1)) headers['idempotency-key'] = random.pick(['key', ' ', 'ü', 'a'.repeat(300), '{}']);
  if (random.chance(0.05)) headers['if-none-match'] = random.pick(['*', '"x"', 'W/"\\"', ',,,']);
  if (random.chance(0.05)) headers['last-event-id'] = random.pick(['-1', '1e9', '9'.repeat(40), 'x']);
  if (random.chance(0.03)) headers['x-view-as'] = random.pick(['x', random.uuid(), '__proto__', '']);
  if (random.chance(0.03)) headers['x-organization'] = random.pick(['x', random.uuid(), '[]', '']);
  const hasBody = method !== 'GET' && method !== 'HEAD' && !random.chance(0.04);
  const body = hasBody ? bodyOf(operation.body, headers, filling) : null;
  return { method, target, headers, body };
}

function pathOf({ path, params }: Operation, filling: Filling): string {
  const { random } = filling;
  let before = '';
  return path.replace(/\/([^/{}]+)|\{(\w+)\}/g, (whole, segment?: string, name = '') => {
    if (segment !== undefined) {
      before = segment;
      return whole;
    }
    if (random.chance(0.15)) return encode(hostileText(random).slice(0, 250), random);
    const shape = params[name] ?? {};
    const isWord = shape.enum !== undefined || (shape.pattern !== undefined && shape.format !== 'uuid');
    return encode(String(isWord ? validValue(shape, name, filling) : idOf(before, name, filling)), random);
  });
}

/** `{providerId}` after `providers` is an id of a provider, as `{id}` is. */
const idOf = (before: string, _name: string, { random, ids }: Filling) => ids.idFor(before, random);

function queryOf({ query }: Operation, filling: Filling): string {
  const { random } = filling;
  const pairs = query
    .filter(() => random.chance(0.35))
    .flatMap(({ name, shape }) => {
      const value = () => (random.chance(0.35) ? hostileText(random) : validValue(shape, name, filling));
      const pair = () => `${encode(name, random)}=${encode(textOf(value()).slice(0, 4_000), random)}`;
      return random.chance(0.04) ? [pair(), pair()] : [pair()];
    });
  if (random.chance(0.04))
    pairs.push(random.pick(['limit=-1', 'offset=9007199254740993', 'limit[]=1', '__proto__[a]=1', 'x', '=']));
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

function bodyOf(shape: Shape | null, headers: Record<string, string>, filling: Filling): Buffer {
  const { random } = filling;
  headers['content-type'] = random.chance(0.96)
    ? 'application/json'
    : random.pick([
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=utf-16',
        'x',
      ]);
  const valid = shape ? validValue(shape, '', filling) : {};
  const times = random.pick([0, 0, 1, 1, 1, 2, 4]);
  let value = valid;
  for (let round = 0; round < times; round++) value = mutated(value, random);
  let text = JSON.stringify(value) ?? '';
  if (text.includes(RAW_MARK)) text = text.replaceAll(`"${RAW_MARK}"`, random.pick(RAW_NUMBERS));
  if (random.chance(0.02)) text = text.slice(0, random.integer(0, text.length));
  if (random.chance(0.02)) text = text.replace(/^\{"([^"]+)":/, '{"$1":null,"$1":');
  const bytes = Buffer.from(text);
  if (random.chance(0.02) && bytes.length > 2) bytes[random.integer(1, bytes.length - 1)] = 0xff;
  return bytes;
}

/** Percent-encoded, as lone surrogates too: their bytes are no UTF-8. */
function encode(text: string, random: Random): string {
  if (random.chance(0.01)) return random.pick(['%', '%zz', '%ff', '%c0%80']);
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
}
