import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('.', import.meta.url));
const sources = globSync('**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !/\.test\.tsx?$|^testing\//.test(path))
  .map((path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') }));

/**
 * A format that is called as a child of JSX or as the cell of a table, where its component belongs. Texts, such as titles
 * and sentences of dialogs, are strings, and have the format itself.
 */
const child = (formats: string) =>
  new RegExp(`(?<![$=])\\{(?:${formats})\\(|\\bcell: [^>]*=> (?:${formats})\\(`);

/** What no source of the console contains, and what stands there instead. */
const REFUSED: readonly { what: string; pattern: RegExp; within?: RegExp }[] = [
  {
    // `left-1/2` with a translation centres, in both directions of writing.
    what: 'a physical direction (start and end, ms and me follow the direction of writing)',
    pattern:
      /(?<=["'` :!])-?(?:m[lr]|p[lr]|left|right|border-[lr]|rounded-[lr]|rounded-[tb][lr])-(?!1\/2)[\w[.]+(?=["'` !])|(?<=["'` :])(?:text-(?:left|right)|border-[lr])(?=["'` !])/,
  },
  {
    what: 'toLocale...String (lib/format, whose time zone and locale are known)',
    pattern: /\.toLocale\w*String\(/,
  },
  {
    what: 'a format of its own (lib/format, which follows its reader)',
    pattern:
      /new Intl\.(?:Number|DateTime|RelativeTime)Format\(|\bformat\w+[^}]*\} from '@copydesk\/domain\/(?:money|trading)'/,
    within: /^(?!lib\/format\/)/,
  },
  {
    what: 'a time of its own (When, which is whole when pointed at)',
    pattern: new RegExp(`<time\\b|${child('readTime|momentWords|relativeTime').source}`),
    within: /^(?!ui\/figures\/when\.tsx)/,
  },
  {
    // The first list is the one that everybody waits for: its sums have no decimals to show elsewhere.
    what: 'an amount of its own (Money, which is whole when pointed at and copied)',
    pattern: child('usdt|formatUsdt|exactUsdt|askedUsdt|formatUsd|formatWholeUsd|flooredUsd|flooredTo2'),
    within: /^(?!ui\/figures\/money\.tsx|features\/traders\/[^/]*\.tsx)/,
  },
  {
    what: 'facts of its own (Facts with Fact, or StackedFact)',
    pattern: /<d[lt]\b/,
    // A figure with its label, and the cells of a row as a card.
    within:
      /^(?!ui\/figures\/fact|ui\/figures\/figure-card|ui\/layout\/title-figure|ui\/table\/plain-table\/card-list)/,
  },
  {
    what: 'a percentage of its own (Percentage)',
    pattern: child('percentWords|shownPercentage|formatSignedPercent'),
    within: /^(?!ui\/figures\/percentage\.tsx)/,
  },
  {
    what: 'a colour of its own (app.css has them, for both themes)',
    pattern: /["'`[]#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})["'`\]]/i,
  },
];

// Brand colours, the same in both themes.
const EXEMPT = ['ui/layout/wordmark.tsx'];

test.each(REFUSED)('no source has $what', ({ pattern, within = /^/ }) => {
  expect(sources.length).toBeGreaterThan(300);
  const found = sources
    .filter(({ path }) => within.test(path) && !EXEMPT.includes(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
    );
  expect(found).toEqual([]);
});

/** What features are about. `ui` gets these words as props: a part that has its own belongs to the feature. */
const NOUNS =
  /invoice|payout|payable|trader|communit|(?<!Toast\.)provider|pool|bot(?!h|tom)|deposit|distribut|harvest|wallet|recipient|exchange|coupon|sale|subscription|telegram|sweep|(?<!data)transfer|commission|(?<!no)referr|payment|(?<!re)member|approv|session|staff/i;
const SHARED: Readonly<Record<string, string>> = {
  'ui/feedback/awaiting-approval.tsx': 'acts of every feature wait for another person in the same words',
  'ui/form/waiting-list.tsx': 'the same, as a list',
  'ui/feedback/session-table.tsx': 'the own sessions of the profile, and those of a person',
};

test('no file of ui has a word of a feature', () => {
  const found = sources
    .filter(({ path }) => path.startsWith('ui/'))
    .flatMap(({ path, text }) =>
      [path, ...text.split('\n')]
        .filter((line) => NOUNS.test(line))
        .map((line) => ({ path, line: line.trim() })),
    );
  expect(found.filter(({ path }) => !(path in SHARED))).toEqual([]);
  // An exception that is needed no longer.
  expect(Object.keys(SHARED).filter((path) => !found.some((each) => each.path === path))).toEqual([]);
});

/** What leads somewhere, or is pressed: inside, a name and a number need no link of their own. */
const PRESSED = new Set(['a', 'button', 'option', 'Badge', 'Button', 'Count', 'Link', 'MenuItem', 'Name']);
const COUNT = /^formatCount\((?!.*(?:cycle_number|minimum_balance)\))/;
/** Names of what has a page: traders, communities, providers and people. */
const NAME =
  /^(?:listName|displayName|memberName|buyerName)\(|(?:^|[._])(?:community|provider|actor)(?:\.data)?(?:\?\.|\.|_)name$|highest\.name$/;
// Every row of the first list opens its trader, and links would be loaded before it.
const ROWS_OPEN = ['features/traders/trader-columns.tsx'];

interface Part {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}
const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && 'type' in value;
const partsOf = (part: Part) => Object.values(part).flat().filter(isPart);

/** The values that an expression in JSX can show. */
function shownBy(part: Part): Part[] {
  const { operator, expression, consequent, alternate, left, right } = part as Part & Record<string, Part>;
  if (part.type === 'ParenthesizedExpression') return shownBy(expression as Part);
  if (part.type === 'ConditionalExpression')
    return [consequent, alternate].flatMap((one) => shownBy(one as Part));
  if (part.type !== 'LogicalExpression') return [part];
  return (String(operator) === '&&' ? [right] : [left, right]).flatMap((one) => shownBy(one as Part));
}

/** What is shown alone: as a child of JSX, and as the cell of a table. */
function shownIn(part: Part, text: string): Part[] {
  if (part.type === 'Property') {
    const { key, value } = part as Part & Record<string, Part>;
    const cell = key?.name === 'cell' && value?.type === 'ArrowFunctionExpression' ? value.body : null;
    return [...(isPart(cell) ? shownBy(cell) : []), ...partsOf(part).flatMap((one) => shownIn(one, text))];
  }
  if (part.type !== 'JSXElement' && part.type !== 'JSXFragment')
    return partsOf(part).flatMap((one) => shownIn(one, text));
  const element = /^<([\w.]*)/.exec(text.slice(part.start, part.end))?.[1] ?? '';
  if (PRESSED.has(element)) return [];
  const children = partsOf({ ...part, openingElement: null }).filter(
    ({ type }) => type === 'JSXExpressionContainer',
  );
  return [
    ...children.flatMap((child) => shownBy(child.expression as Part)),
    ...partsOf(part).flatMap((one) => shownIn(one, text)),
  ];
}

// A number or a name inside of a string, such as a sentence, a note or a title, is not found, and neither is one that
// came through a variable of another name. Ordinals, such as that of a cycle, and amounts count nothing.
test('no count and no name is bare: each is a link, or says why not (Count, Name)', () => {
  const found = sources
    .filter(({ path }) => /^(?:features|routes)\b.*\.tsx$/.test(path) && !ROWS_OPEN.includes(path))
    .flatMap(({ path, text }) =>
      shownIn(parseSync(path, text).program as unknown as Part, text).flatMap(({ start, end }) => {
        const shown = text.slice(start, end);
        return COUNT.test(shown) || NAME.test(shown)
          ? [`${path}:${text.slice(0, start).split('\n').length} ${shown}`]
          : [];
      }),
    );
  expect(found).toEqual([]);
});
