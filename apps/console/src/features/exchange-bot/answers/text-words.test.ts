import { BOT_TEXT_KEYS, BOT_TEXTS, fillTemplate } from '@copydesk/domain';
import { expect, test } from 'vitest';
import { SAMPLE_VALUES, TEXT_GROUPS, valuesWords } from './text-words.ts';

test('every text is in one group, and every value has a sample', () => {
  const keys = TEXT_GROUPS.flatMap(({ texts }) => Object.keys(texts));
  expect([...keys].sort()).toEqual([...BOT_TEXT_KEYS].sort());
  for (const key of BOT_TEXT_KEYS)
    for (const name of BOT_TEXTS[key].placeholders)
      expect(fillTemplate(`{${name}}`, SAMPLE_VALUES)).not.toContain('{');
});

test('values are listed, the required ones apart', () => {
  expect(valuesWords({ placeholders: [], required: [] })).toBe('Without values.');
  expect(valuesWords({ placeholders: ['plan', 'until'], required: ['until'] })).toBe(
    'Values: {plan}, {until}. Required: {until}.',
  );
});
