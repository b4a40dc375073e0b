import type { CallAnswer } from '@copydesk/contract';

type Knowledge = CallAnswer<'GET /api/orders'>['data'][number]['lines'][number]['chain'];

/**
 * What the chain knows of an address, for the person who decides about it. Contracts are common: Safes, and
 * exchanges.
 */
export function chainWords(chain: Knowledge | undefined): { text: string; isWarning: boolean } {
  if (!chain) return { text: 'Not yet read on the chain', isWarning: false };
  if (chain.is_token) return { text: 'A contract of tokens: what is paid to it is lost', isWarning: true };
  if (chain.is_contract)
    return { text: 'A contract, such as a Safe or that of an exchange', isWarning: false };
  return chain.is_used
    ? { text: 'Used on this chain before', isWarning: false }
    : {
        text: 'No trace on this chain: it sent no transaction, and holds no coin and no USDT',
        isWarning: true,
      };
}
