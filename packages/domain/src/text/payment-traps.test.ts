import { expect, test } from 'vitest';
import { findTextTrap } from './payment-traps.ts';

const ETH = '52908400098527886E0F7030069857D2E4169EE7';
const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';

test.each([
  `0x${ETH}`,
  `Pay to 0x${ETH.toLowerCase()}.`,
  `0 x ${ETH.replace(/(....)/g, '$1 ')}`,
  `0x\n${ETH.replace(/(.{10})/g, '$1\n')}`,
  `0x${ETH.replace(/(..)/g, '$1-')}`,
  `0\u200bx${[...ETH].join('\u200b')}`,
  `0\u2063x${[...ETH].join('\u00ad')}`,
  `０ｘ${[...ETH].map((each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)).join('')}`,
  `0х${ETH.replaceAll('E', 'Е')}`,
  `Ox${ETH}`,
  `Pay 5 0x${ETH}`,
  `50x${ETH}`,
  ETH,
  [...ETH].join(' '),
  '0x5290…9EE7 is 0x52908400',
  `Hash ${'ab12'.repeat(16)}`,
  `hash: ${'AB12 '.repeat(16)}`,
  TRON,
  `Send TRX to ${TRON}, please`,
  TRON.replace(/(.{4})/g, '$1 '),
  `\u{1d413}${TRON.slice(1)}`,
  '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
  'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  'BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ',
  'bc1q ar0s rrr7 xfkv y5l6 43ly dnw9 re59 gtzz wf5m dq',
  '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
])('an address: %s', (text) => {
  expect(findTextTrap(text)).toBe('address');
});

test.each([
  'https://evil.example/pay',
  'hxxps://evil',
  'h**p : evil',
  'ｈｔｔｐｓ：／／evil',
  'h t t p s : / / evil',
  'https\u200b:\u200b//evil',
  'нttр://evil',
  'www evil com',
  'evil.com',
  'EVIL.COM',
  'evil.co.uk/pay?x=1',
  'evil。com',
  'evil．com',
  'evil․com',
  'evil•com',
  'ev\u200bil\u200b.\u200bcom',
  'evil . com',
  'evil. com',
  'evil,com',
  'evil [.] com',
  'evil(dot)com',
  'evil dot com',
  'evil d0t net',
  'evil dotcom',
  'malo punto com',
  'zlo kropka com',
  'зло точка ru',
  'зло точка рф',
  'e v i l . c o m',
  'e-v-i-l-.-c-o-m',
  'еvіl.соm',
  'еvіl . соm',
  'зло . сом',
  'пример.рф',
  'münchen.example',
  'xn--e1afmkfd.xn--p1ai',
  '例子.中国',
  'vitalik.eth',
  'pay.vitalik . eth',
  '🇪🇻🇮🇱.🇨🇴🇲',
  '𝐞𝐯𝐢𝐥.𝐜𝐨𝐦',
  'ⓔⓥⓘⓛ.ⓒⓞⓜ',
  't.me/evil',
  't . me / evil',
  't me/evil',
  'telegram.me/evil',
  'tg://resolve?domain=evil',
  'Write to @evil_support',
  'write to ＠evil_support',
  'write to @ evil_support',
  'mail ada@example.com',
  'bitcoin:somewhere',
  '185.12.33.7',
])('a link: %s', (text) => {
  expect(findTextTrap(text)).toBe('link');
});

test.each([
  'One month',
  '1 month: 49.00 USDT, 3 months: 120.50 USDT, 12 months: 1,000 USDT',
  'Version v1.2 and 1.2.3, e.g. 3.5x leverage, i.e. 350 %',
  'Open 24/7 from 10:30 a.m. to 6 p.m. (UTC+2), 10.30am at weekends.',
  'How do I pay? Choose a plan. It shows the address on BNB Smart Chain (BEP-20).',
  'You get 25% off, 10x faster. Me too! No. 5 of U.S. traders & co.',
  'Contact us by the button "Questions". To start, press it. In time.',
  'Bybit, OKX, KuCoin; BTC/USDT; A/B; C++; #1; "VIP"; 50 % off!',
  'Amounts are gross. Net amounts follow. Open the app. App Store is not needed.',
  'The quick brown fox jumps over the lazy dog 12 times in 2026, then 34 more TIMES IN A ROW and 5 more',
  '10 20 30 40 50 60 70 80 90 100 200 300 400 500 600 700 800 900 1000 2000 3000 4000 5000 6000',
  '100x 200000000000000000 and 0x',
  'Un mes: 49,00 USDT. En este punto me gustaría añadir algo. P. ej. el punto de partida, p.ej. EE.UU.',
  '¿Cómo pago? Elija un plan. El precio es de 3,5 % al mes.',
  'Miesiąc: 49,00 USDT, m.in. dostęp do kanału. Np. o 10:30. Itd. kropka.',
  'Jak zapłacić? Wybierz plan. Cena: 1 000,50 zł, tj. 3,5x mniej.',
  'Как оплатить? Выберите тариф. Цена 49,00 USDT, т.е. 3,5 % в месяц, в т.ч. НДС и т.д.',
  'Месяц. Он начинается в 10:30. Точка зрения: это точка входа, а не выхода. В 2026 г. и т. п.',
  'كيف أدفع؟ اختر خطة. السعر ٤٩٫٠٠ USDT، أي ٣٫٥٪ شهريًا. هذه نقطة مهمة.',
  'الدفع متاح من الساعة 10:30 وحتى 18:00، بخصم 25%.',
  'chic@s, amig@s',
  '',
])('a rightful text: %s', (text) => {
  expect(findTextTrap(text)).toBeNull();
});

test('a long hostile text is read to its end', () => {
  const text = `${'a. '.repeat(1_000)}${'0 x '.repeat(1_000)}${'@ '.repeat(1_000)}${'T1 '.repeat(1_000)}`;
  expect(findTextTrap(text)).toBe('address');
});
