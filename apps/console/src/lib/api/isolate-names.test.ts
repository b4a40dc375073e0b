import { expect, test } from 'vitest';
import { parseWithNames } from './isolate-names.ts';

const HEBREW = '\u05e2\u05d3\u05d4';

test('names keep to themselves wherever they stand in an answer', () => {
  const data = {
    name: HEBREW,
    community: { display_name: HEBREW },
    people: [{ telegram_username: `a\u202e${HEBREW}` }],
  };
  expect(parseWithNames(JSON.stringify({ success: true, data }))).toEqual({
    success: true,
    data: {
      name: `\u2068${HEBREW}\u2069`,
      community: { display_name: `\u2068${HEBREW}\u2069` },
      people: [{ telegram_username: `\u2068a${HEBREW}\u2069` }],
    },
  });
});

test('texts that people edit, and names that turn nothing, stay as they are', () => {
  const data = { answer: HEBREW, reason: HEBREW, name: 'Évora', filename: 'x' };
  expect(parseWithNames(JSON.stringify(data))).toEqual(data);
});
