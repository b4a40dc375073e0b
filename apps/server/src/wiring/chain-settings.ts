import type { Config } from '../config.ts';
import type { LiveSettings } from '../core/settings/live-settings.ts';
import type { PayoutSettings } from '../features/payouts/plan-deps.ts';

/** The chain and token of payouts and pool transfers, and the rules for them. */
export function payoutSettings({ chain }: Pick<Config, 'chain'>, { rules }: LiveSettings): PayoutSettings {
  const { chainId, tokenAddress } = chain;
  return { chainId, tokenAddress, rules };
}

/** Of USDT on BNB Smart Chain; the token's own decimals must match. */
export const TOKEN_DECIMALS = 18;
