import type { ExchangeCredentials } from '@copydesk/domain/trading';
import { Address, Secp256k1 } from 'ox';
import { z } from 'zod';
import { GatewayError } from '../gateway.ts';
import { plainNumber, readShape } from '../shapes/read-shape.ts';
import type { AccountIdentity, Session } from '../venue.ts';
import { HYPERLIQUID } from './hyperliquid-endpoints.ts';

const address = z.string().transform((text) => text.toLowerCase());
const roleAnswer = z.discriminatedUnion('role', [
  z.object({ role: z.literal('missing') }),
  z.object({ role: z.literal('user') }),
  z.object({ role: z.literal('vault') }),
  z.object({ role: z.literal('agent'), data: z.object({ user: address }) }),
  z.object({ role: z.literal('subAccount'), data: z.object({ master: address }) }),
]);
const agentsAnswer = z.array(z.object({ address, validUntil: plainNumber.nullish() }));

export type HyperliquidRole = z.infer<typeof roleAnswer>;
type HyperliquidCredentials = Extract<ExchangeCredentials, { exchange: 'hyperliquid' }>;

function hyperliquidCredentials(session: Session): HyperliquidCredentials {
  if (session.credentials.exchange !== 'hyperliquid') throw new GatewayError('unsupported');
  return session.credentials;
}

const ADDRESS = /^0x[0-9a-f]{40}$/;

/**
 * The address of the account to read; an invalid one is refused before any request.
 * @throws GatewayError `invalid_credentials`
 */
export function masterAddress(session: Session): string {
  const master = hyperliquidCredentials(session).masterAddress.trim().toLowerCase();
  if (!ADDRESS.test(master)) throw new GatewayError('invalid_credentials');
  return master;
}

/** The address of a private key, in lower case; null for an invalid key. The key is not passed on. */
export function addressOfKey(privateKey: string): string | null {
  const hex = privateKey.trim().replace(/^0x/i, '');
  if (!/^[0-9a-fA-F]{64}$/.test(hex)) return null;
  try {
    return Address.fromPublicKey(Secp256k1.getPublicKey({ privateKey: `0x${hex}` })).toLowerCase();
  } catch {
    return null; // zero, or beyond the order of the curve
  }
}

export const readRole = (answer: unknown): HyperliquidRole => readShape(roleAnswer, answer);

const askRole = async (session: Session, user: string): Promise<HyperliquidRole> =>
  readRole(await session.call(HYPERLIQUID.role, { type: 'userRole', user }));

/**
 * The role of the account's address. The venue answers with an empty account for any address. This refuses an unknown
 * address, and that of an agent, which people mistake for their account's.
 * @throws GatewayError `invalid_credentials`
 */
export async function readMasterRole(session: Session): Promise<HyperliquidRole> {
  const role = await askRole(session, masterAddress(session));
  if (role.role === 'missing' || role.role === 'agent') throw new GatewayError('invalid_credentials');
  return role;
}

/** Whether an agent may act for a user at this time. @param answer of extraAgents */
export const isListedAgent = (answer: unknown, agent: string, nowMs: number): boolean =>
  readShape(agentsAnswer, answer).some(
    (listed) => listed.address === agent && (listed.validUntil ?? Number.POSITIVE_INFINITY) > nowMs,
  );

/** @param users the account and, for a subaccount, its master: the first one's list names its agents */
async function isAgentOf(session: Session, users: string[], agent: string): Promise<boolean> {
  const listed = await session.call(HYPERLIQUID.agents, { type: 'extraAgents', user: users[0] });
  if (isListedAgent(listed, agent, session.now())) return true;
  // An agent without a name may be missing from the list.
  const role = await askRole(session, agent);
  return role.role === 'agent' && users.includes(role.data.user);
}

/**
 * Checks that the key is the agent's, that the address is an account and not the agent itself, and that the agent may
 * act for it. A subaccount's agents are those of its master.
 * @throws GatewayError `invalid_credentials` when one of these fails
 */
export async function identifyHyperliquid(session: Session): Promise<AccountIdentity> {
  const { agentAddress, agentPrivateKey } = hyperliquidCredentials(session);
  const agent = agentAddress.trim().toLowerCase();
  if (addressOfKey(agentPrivateKey) !== agent) throw new GatewayError('invalid_credentials');
  const accUid = masterAddress(session);
  const role = await readMasterRole(session);
  const users = role.role === 'subAccount' ? [role.data.master, accUid] : [accUid];
  if (!(await isAgentOf(session, users, agent))) throw new GatewayError('invalid_credentials');
  return { accUid, accountType: accountTypeOf(role), mayWithdraw: null };
}

/** A vault is neither. */
export function accountTypeOf({ role }: HyperliquidRole): AccountIdentity['accountType'] {
  if (role === 'user') return 'master';
  return role === 'subAccount' ? 'subaccount' : null;
}
