import { openDemoToken } from '@copydesk/simulators/chain';
import { DEMO_TOKEN_OWNER } from '@copydesk/simulators/world';
import { expect } from '@playwright/test';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

/**
 * The chain of a product, as an outsider sees it.
 * @param url of the product that this worker looks at when absent
 */
export async function openChain(
  url = process.env.E2E_CHAIN_URLS?.split(' ')[Number(process.env.TEST_PARALLEL_INDEX)],
) {
  if (!url) throw new Error('E2E_CHAIN_URLS names no chain for this worker');
  const token = await openDemoToken(url, DEMO_TOKEN_OWNER);
  return {
    /** What addresses hold, in base units: each is asked for once. In lower case. */
    async balancesOf(addresses: readonly string[]): Promise<Map<string, bigint>> {
      const unique = [...new Set(addresses.map((address) => address.toLowerCase()))];
      const units = await Promise.all(unique.map((address) => token.balanceOf(address as Address)));
      return new Map(unique.map((address, index) => [address, units[index] ?? 0n]));
    },
    /** Pays from a wallet that has just what it pays. */
    async pay(to: string, units: bigint): Promise<string> {
      const payer = privateKeyToAccount(generatePrivateKey());
      // The demo world's own traders are given what they pay by the same account, which may sign for them just then.
      await expect(() => token.mint(payer.address, units)).toPass();
      return token.transfer(payer, to as Address, units);
    },
  };
}
