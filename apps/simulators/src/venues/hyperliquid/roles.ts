import type { WorldAccount, WorldAccounts } from '../../world/index.ts';

/** What an address is: https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint */
export function getUserRole(accounts: WorldAccounts, address: string) {
  const found = accounts.findByAddress(address);
  if (!found) return { role: 'missing' };
  const { account, role } = found;
  if (role === 'agent')
    return account.traits.isRevoked
      ? { role: 'missing' }
      : { role: 'agent', data: { user: account.masterAddress } };
  return account.accountType === 'master'
    ? { role: 'user' }
    : { role: 'subAccount', data: { master: account.traits.mainUid } };
}

/** The named agents of an address. An agent without a name is in no list. */
export function listExtraAgents(accounts: WorldAccounts, account: WorldAccount | null, now: number) {
  if (!account || account.traits.isRevoked || !account.traits.isAgentNamed) return [];
  const credentials = accounts.credentialsOf(account);
  if (credentials.exchange !== 'hyperliquid') return [];
  const { agentAddress } = credentials;
  return [{ name: 'copy trading', address: agentAddress.toLowerCase(), validUntil: now + 90 * 86_400_000 }];
}
