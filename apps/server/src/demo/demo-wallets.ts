import { DEMO_WALLET_SEED } from '@copydesk/simulators/world';
import { accountKeyOf } from '../integrations/chain/account-key.ts';
import { createDepositAddresses } from '../integrations/chain/deposit-addresses.ts';

/** The account of the deposit addresses in the demo world. */
export const DEMO_ACCOUNT_KEY = accountKeyOf(DEMO_WALLET_SEED);

/**
 * Deriving one takes half a millisecond: beyond this number, the traders of a benchmark get made-up addresses without
 * an owner.
 */
const DERIVED = 2_000;

/** The deposit address of a trader by number, which is also its index; null beyond the first ones. */
export function createDemoAddresses(): (index: number) => string | null {
  const addresses = createDepositAddresses(DEMO_ACCOUNT_KEY);
  const derived = new Map<number, string>();
  return (index) => {
    if (index > DERIVED) return null;
    const address = derived.get(index) ?? addresses.at(index);
    derived.set(index, address);
    return address;
  };
}
