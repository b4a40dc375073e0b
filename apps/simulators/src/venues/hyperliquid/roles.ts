import type { WorldAccount, WorldAccounts } from '../../world/index.ts';

/** Agents act for a main account and all its subaccounts, so a subaccount's agent is that of its main account. */
const ownerOf = ({ traits }: WorldAccount) => traits.mainUid;

/** The role of an address: https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint */
export function getUserRole(accounts: WorldAccounts, address: string) {
  const found = accounts.findByAddress(address);
  if (!found) return { role: 'missing' };
  const { account, role } = found;
  if (role === 'agent')
    return account.traits.isRevoked
      ? { role: 'missing' }
      : { role: 'agent', data: { user: ownerOf(account) } };
  return role === 'main' || account.accountType === 'master'
    ? { role: 'user' }
    : { role: 'subAccount', data: { master: ownerOf(account) } };
}

/** The named agents of a main account. An agent without a name is not listed. */
export function listExtraAgents(accounts: WorldAccounts, address: string, now: number) {
  const found = accounts.findByAddress(address);
  if (!found || found.role === 'agent' || ownerOf(found.account) !== address) return [];
  const { traits } = found.account;
  const credentials = accounts.credentialsOf(found.account);
  if (traits.isRevoked || !traits.isAgentNamed || credentials.exchange !== 'hyperliquid') return [];
  const { agentAddress } = credentials;
  return [{ name: 'copy trading', address: agentAddress.toLowerCase(), validUntil: now + 90 * 86_400_000 }];
}
