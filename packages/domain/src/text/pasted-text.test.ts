import { describe, expect, test } from 'vitest';
import { EMAIL_PATTERN, emailInAscii } from './email-address.ts';
import { cleanLine, cleanPasted, isolatedName, searchedText } from './pasted-text.ts';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

test.each([
  ` ${ADDRESS}`,
  `\u200b${ADDRESS}`,
  `\u2066${ADDRESS}\u2069`,
  `\u00a0\ufeff${ADDRESS}\u200d\r\n`,
  `\u202a \u200e${ADDRESS}\u202c`,
])('what pasting adds around an address is gone: %j', (pasted) => {
  expect(cleanPasted(pasted)).toBe(ADDRESS);
});

test('what is inside stays', () => {
  expect(cleanPasted('👩\u200d💻 Ada\u200bBerg')).toBe('👩\u200d💻 Ada\u200bBerg');
  expect(cleanPasted('\u200b \u2066')).toBe('');
});

describe('an e-mail address', () => {
  test.each([
    [' Ada.Berg@Mail.Example ', 'ada.berg@mail.example'],
    ['zz&co@example.com', 'zz&co@example.com'],
    ['zz@испытание.рф', 'zz@xn--80akhbyknj4f.xn--p1ai'],
    ['zz@xn--e1afmkfd.xn--p1ai', 'zz@xn--e1afmkfd.xn--p1ai'],
    ['\u200bada@BÜCHER.example\u2069', 'ada@xn--bcher-kva.example'],
    ["!#$%&'*+-/=?^_`{|}~@example.com", "!#$%&'*+-/=?^_`{|}~@example.com"],
  ])('%j is %s', (typed, stored) => {
    expect(emailInAscii(typed)).toBe(stored);
    expect(EMAIL_PATTERN.test(stored)).toBe(true);
  });

  test.each([
    'ada',
    '@example.com',
    'ada@',
    'ada@localhost',
    'ada@1.2.3.4',
    'ada@１.２.３.４',
    '.ada@example.com',
    'a..b@example.com',
    'a b@example.com',
    'ada@exa mple.com',
    'ada@ü/x.example',
    'ada@-x.example',
    'ada@x-.example',
    'ada@example.com.',
    `${'a'.repeat(65)}@example.com`,
    'a@b@example.com',
    'ädа@example.com',
  ])('%j is none', (typed) => {
    expect(EMAIL_PATTERN.test(emailInAscii(typed))).toBe(false);
  });
});

test('a stored line has no direction marks, and keeps joiners', () => {
  expect(cleanLine('Ada\u202ezz')).toBe('Adazz');
  expect(cleanLine(' \u2067\u05d0\u05d3\u05d4\u2069 ')).toBe('\u05d0\u05d3\u05d4');
  expect(cleanLine('👩\u200d💻 \u0645\u06cc\u200c\u0631\u0648\u062f')).toBe(
    '👩\u200d💻 \u0645\u06cc\u200c\u0631\u0648\u062f',
  );
});

test.each([
  ['@ada', 'ada'],
  ['@ ada', 'ada'],
  ['@', '@'],
  ['ada@mail.example', 'ada@mail.example'],
  ['  KAIT-\u200b100083\u00a0', 'KAIT-100083'],
  ['Ada   Berg', 'Ada Berg'],
  ['0x5290 8400\u00a09852', '0x529084009852'],
  ['\u2066@ada\u2069', 'ada'],
  ['\u200b \u2066', ''],
])('somebody who types %j looks for %j', (typed, searched) => {
  expect(searchedText(typed)).toBe(searched);
});

test.each([
  ['Ada', 'Ada'],
  ['Évora 1', 'Évora 1'],
  ['Ada\u202ezz', 'Adazz'],
  ['\u05d0\u05d3\u05d4', '\u2068\u05d0\u05d3\u05d4\u2069'],
  ['\u2069\u0627\u202e', '\u2068\u0627\u2069'],
  ['A \u{1e900}', '\u2068A \u{1e900}\u2069'],
])('in a sentence the name %j is %j', (name, isolated) => {
  expect(isolatedName(name)).toBe(isolated);
});
