import { PERSON_DEFAULTS } from '@copydesk/domain/person';
import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { personSettings } from '../../lib/person-settings.ts';
import { showPart } from '../../testing/show-screen.tsx';
import { Address } from './address.tsx';
import { Money } from './money.tsx';
import { Percentage } from './percentage.tsx';
import { When } from './when.tsx';

afterEach(() => personSettings.set(PERSON_DEFAULTS));

const AMOUNT = '1234.567891234567891234';

test('an amount has the form of what it is, and all of it in its tooltip', async () => {
  await showPart(
    <ul>
      {(['usdt', 'bare', 'exact', 'cents', 'usd', 'whole', 'equity', 'equityCents', 'floored'] as const).map(
        (form) => (
          <li key={form}>
            <Money amount={AMOUNT} as={form} />
          </li>
        ),
      )}
    </ul>,
  );
  const rows = page.getByRole('listitem').elements();
  expect(rows.map((row) => [row.textContent, row.firstElementChild?.getAttribute('title')])).toEqual([
    ['1,234.567891 USDT', '1,234.567891 USDT'],
    ['1,234.567891', '1,234.567891 USDT'],
    ['1,234.567891 USDT', '1,234.567891 USDT'],
    ['1,234.56 USDT', '1,234.567891 USDT'],
    ['$1,234.57', '1,234.567891 USDT'],
    ['$1,235', '1,234.567891 USDT'],
    ['$1,235', '$1,234.57'],
    ['$1,234.57', '$1,234.57'],
    ['$1,234', '1,234.567891 USDT'],
  ]);
});

test('a selected amount is copied whole, and a part of it as it is', async () => {
  await showPart(<Money amount={AMOUNT} as="cents" />);
  const text = page.getByText('1,234.56 USDT').element();
  const copied = () => {
    const clipboardData = new DataTransfer();
    text.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
    return clipboardData.getData('text/plain');
  };
  getSelection()?.selectAllChildren(text);
  expect(copied()).toBe('1,234.567891');
  getSelection()?.setBaseAndExtent(text.firstChild as Node, 0, text.firstChild as Node, 5);
  expect(copied()).toBe('');
});

test('gains and losses have a sign; a loss that rounds to nothing has none', async () => {
  await showPart(
    <ul>
      {['12.5', '-3.456', '-0.001', '0'].map((value) => (
        <li key={value}>
          <Percentage isSigned value={value} /> <Money isSigned as="bare" amount={value} />
        </li>
      ))}
      <li>
        <Percentage value={12.5} /> <Percentage fraction="0.335" /> <Percentage value={null} />
      </li>
    </ul>,
  );
  const rows = page.getByRole('listitem').elements();
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    '+12.50% +12.50',
    '-3.46% -3.456',
    '0.00% -0.001',
    '0.00% 0.00',
    '12.5% 33.5% N/A',
  ]);
});

test('a time is in the zone of its reader, and whole when pointed at', async () => {
  personSettings.set({ ...PERSON_DEFAULTS, time_zone: 'Pacific/Kiritimati' });
  await showPart(<When at="2024-11-20T23:30:00Z" />);
  const time = page.getByText('Nov 21, 2024, 13:30').element();
  expect(time.getAttribute('datetime')).toBe('2024-11-20T23:30:00Z');
  expect(time.getAttribute('title')).toMatch(/^Nov 21, 2024, 13:30:00 GMT\+14/);
});

test('an address is shortened, and copied whole', async () => {
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await showPart(<Address address={address} what="payout address" />);
  await expect.element(page.getByText('0x5290…9EE7')).toHaveAttribute('title', address);
  await page.getByRole('button', { name: 'Copy payout address' }).click();
  await expect.element(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(written.mock.calls).toEqual([[address]]);
  written.mockRestore();
});
