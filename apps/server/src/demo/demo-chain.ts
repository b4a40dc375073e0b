import { DEMO_TOKEN_ADDRESS } from '@copydesk/simulators/world';
import { findFreePort } from '../platform/embedded-postgres/free-port.ts';

/**
 * How the demo world reaches its chain: a local one, whatever the environment says. A world without simulators has
 * none.
 */
export async function chainSettings(areSimulated: boolean): Promise<Record<string, string>> {
  if (!areSimulated) return { CHAIN_RPC_URLS: '' };
  const port = await findFreePort();
  return {
    SIMULATORS_PORT_CHAIN: String(port),
    CHAIN_RPC_URLS: `http://127.0.0.1:${port}`,
    CHAIN_ID: '56',
    TOKEN_ADDRESS: DEMO_TOKEN_ADDRESS,
  };
}
