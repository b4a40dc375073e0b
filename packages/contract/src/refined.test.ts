import { expect, test } from 'vitest';
import { z } from 'zod';
import { contract, webhookContract } from './index.ts';
import { refined } from './refined.ts';

test('a rule sees valid values only, at any depth', () => {
  const seen: unknown[] = [];
  const schema = z.strictObject({
    tiers: refined(z.array(z.strictObject({ min: z.string().regex(/^\d+$/).max(3) })).max(2), (tiers) => {
      seen.push(tiers);
      return tiers.length < 2;
    }),
  });
  const invalid = [
    [{ min: '1e9' }],
    [{ min: '12345' }],
    [{ min: {} }],
    'x',
    [{ min: '1' }, { min: '2' }, { min: '3' }],
  ];
  for (const tiers of invalid) expect(schema.safeParse({ tiers }).success).toBe(false);
  expect(seen).toEqual([]);
  expect(schema.safeParse({ tiers: [{ min: '1' }] }).success).toBe(true);
  expect(schema.safeParse({ tiers: [{ min: '1' }, { min: '2' }] }).error?.issues).toMatchObject([
    { path: ['tiers'], message: 'Invalid input' },
  ]);
});

test('every rule of the contract is one of these', () => {
  const unguarded = Object.entries({ ...contract, ...webhookContract }).flatMap(([key, entry]) =>
    (['params', 'query', 'body', 'event'] as const)
      .map((part) => (entry as Record<string, unknown>)[part])
      .filter((schema) => schema instanceof z.ZodType)
      .filter((schema) => rulesOf(schema).some(({ when }) => when === undefined))
      .map(() => key),
  );
  expect(unguarded).toEqual([]);
});

interface Definition {
  check?: string;
  checks?: { _zod: { def: Definition } }[];
  when?: unknown;
}

/** The definitions of all rules within a schema: functions of ours, other than transformations. */
function rulesOf(schema: unknown, known = new Set<unknown>()): Definition[] {
  if (typeof schema !== 'object' || schema === null || known.has(schema)) return [];
  known.add(schema);
  const definition = (schema as { _zod?: { def: Definition } })._zod?.def;
  if (!definition) return Object.values(schema).flatMap((inner) => rulesOf(inner, known));
  const own = (definition.checks ?? [])
    .map((check) => check._zod.def)
    .filter(({ check }) => check === 'custom');
  return [...own, ...Object.values(definition).flatMap((inner) => rulesOf(inner, known))];
}
