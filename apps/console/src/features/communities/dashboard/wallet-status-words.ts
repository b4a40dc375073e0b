import type { AdminCommunity } from '../communities-queries.ts';

export type WalletStatus = 'frozen' | 'not_set_up' | 'no_external' | 'set_up';

/** The most urgent state of a community's wallets: ours, which pays, and its own, which receives its share. */
export function walletStatus(
  {
    internal,
    external,
  }: Pick<AdminCommunity['wallets'], 'internal'> & { external: { address: string | null } },
  isFrozen: boolean,
): WalletStatus {
  if (isFrozen) return 'frozen';
  if (internal.address === null) return 'not_set_up';
  return external.address === null ? 'no_external' : 'set_up';
}
