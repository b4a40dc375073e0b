import { expect, test } from 'vitest';
import { hiddenNews } from './hidden-news.tsx';

const first = { all: 100, shown: 10 };

test.each([
  ['nothing happened', { all: 100, shown: 10 }, 0],
  ['rows were added that do not match', { all: 112, shown: 10 }, 12],
  ['some of those added match', { all: 112, shown: 15 }, 7],
  ['all of those added match', { all: 105, shown: 15 }, 0],
  ['a row no longer matches', { all: 100, shown: 9 }, 0],
  ['a row matches now', { all: 100, shown: 11 }, 0],
  ['rows were removed', { all: 90, shown: 10 }, 0],
])('%s', (_, now, hidden) => {
  expect(hiddenNews(first, now)).toBe(hidden);
});
