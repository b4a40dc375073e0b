import type { Random } from '../../apps/simulators/src/world/random.ts';
import type { KnownIds } from './fuzz-world.ts';

/** As much of a JSON schema as the document of the API uses. */
export interface Shape {
  type?: string;
  enum?: unknown[];
  anyOf?: Shape[];
  oneOf?: Shape[];
  allOf?: Shape[];
  properties?: Record<string, Shape>;
  required?: string[];
  additionalProperties?: Shape | boolean;
  propertyNames?: Shape;
  items?: Shape;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  pattern?: string;
  format?: string;
  $ref?: string;
}

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
/** One of them matches nearly every pattern of the document. */
const WORDS = [
  '1',
  '12.5',
  '0.5',
  '50',
  '2026-03-04',
  '2026-03-04T05:06:07Z',
  '2026-03-04T05:06:07.123456Z',
  ADDRESS,
  ADDRESS.toLowerCase(),
  '1000009:demo-token-of-a-fuzzed-bot',
  'SUMMER-26',
  'Ada',
  'a_b-c',
  'evt_1',
  '-1002233445566',
  '123456789',
  'something of a sentence, with 100 % of its marks',
];

interface Filling {
  random: Random;
  ids: KnownIds;
}

/** A value that this schema takes, as far as the document says it. @param name of the field, which says whose id it is */
export function validValue(shape: Shape, name: string, filling: Filling): unknown {
  const { random, ids } = filling;
  const options = shape.anyOf ?? shape.oneOf;
  if (options) return validValue(random.pick(options), name, filling);
  if (shape.enum) return random.pick(shape.enum);
  switch (shape.type) {
    case 'object':
      return validObject(shape, filling);
    case 'array': {
      const most = Math.min(shape.maxItems ?? 3, (shape.minItems ?? 0) + 3);
      const length = random.integer(shape.minItems ?? 0, most);
      return Array.from({ length }, () => validValue(shape.items ?? {}, name, filling));
    }
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'integer':
    case 'number':
      return validNumber(shape, random);
    case 'string':
      return shape.format === 'uuid' ? ids.idFor(name, random) : validText(shape, filling);
    default:
      return random.pick(WORDS);
  }
}

function validObject(shape: Shape, filling: Filling): Record<string, unknown> {
  const { random } = filling;
  const value: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(shape.properties ?? {}))
    if (shape.required?.includes(key) || random.chance(0.5)) value[key] = validValue(inner, key, filling);
  if (shape.propertyNames && typeof shape.additionalProperties === 'object')
    for (let count = random.integer(0, 2); count > 0; count--) {
      const key = String(validValue(shape.propertyNames, 'provider_id', filling));
      value[key] = validValue(shape.additionalProperties, key, filling);
    }
  return value;
}

function validNumber({ minimum = 0, maximum = 1_000, multipleOf, type }: Shape, random: Random): number {
  const least = Math.max(minimum, -1_000);
  const value = least + random.next() * (Math.min(maximum, least + 100) - least);
  if (multipleOf) return Math.round(value / multipleOf) * multipleOf;
  return type === 'integer' ? Math.round(value) : value;
}

function validText({ pattern, format, minLength = 0, maxLength }: Shape, { random }: Filling): string {
  if (format === 'email') return `fuzz-${random.hex(6)}@example.com`;
  if (format === 'date-time') return '2026-03-04T05:06:07Z';
  if (format === 'ipv4') return '203.0.113.9';
  if (format === 'ipv6') return '2001:db8::9';
  const fitting = pattern ? WORDS.filter((word) => new RegExp(pattern).test(word)) : WORDS;
  const word = fitting.length > 0 ? random.pick(fitting) : random.pick(WORDS);
  return word.padEnd(minLength, '0').slice(0, maxLength);
}
