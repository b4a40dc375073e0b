import { describe, expect, test } from 'vitest';
import { EMAIL_PATTERN, emailInAscii } from './email-address.ts';
import { cleanPasted } from './pasted-text.ts';

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
