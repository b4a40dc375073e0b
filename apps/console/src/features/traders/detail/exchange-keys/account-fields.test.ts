import type { TraderExchange } from '@copydesk/contract/exchanges';
import { EXCHANGES } from '@copydesk/domain/catalogue';
import { expect, test } from 'vitest';
import { accountFields } from './account-fields.ts';

const stored = {
  acc_uid: '1',
  provider_id: 'p',
  provider_name: 'P',
  equity: null,
  equity_read_at: null,
  api_key: '•••',
  secret_key: '••••',
};
const labels = (account: TraderExchange) => accountFields(account).map(({ label }) => label);

test.each(EXCHANGES.filter((name) => name !== 'hyperliquid'))(
  '%s has keys, and a passphrase if stored',
  (exchange) => {
    expect(labels({ ...stored, exchange })).toEqual(['API Key', 'Secret Key']);
    const hasPassphrase = exchange === 'okx' || exchange === 'kucoin';
    expect(labels({ ...stored, exchange, passphrase: '•' })).toEqual(
      hasPassphrase ? ['API Key', 'Secret Key', 'Passphrase'] : ['API Key', 'Secret Key'],
    );
  },
);

test('hyperliquid has an agent and a master', () => {
  const account = {
    ...stored,
    exchange: 'hyperliquid',
    agent_private_key: '•••',
    agent_address: '0xa',
    master_address: '0xb',
  } as const;
  expect(labels(account)).toEqual(['Agent Private Key', 'Agent Address', 'Master Address']);
  expect(accountFields(account).map(({ kind }) => kind)).toEqual(['secret', 'address', 'address']);
});
