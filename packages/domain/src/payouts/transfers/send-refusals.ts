import { leastOf, mostOf } from '../../money/order-units.ts';

/** Why a server of the chain does not take a signed transaction. */
export const REFUSALS = [
  'fee_too_low',
  'replacement_too_low',
  'nonce_used',
  'nonce_ahead',
  'no_coin',
  'pool_full',
  'rate_limited',
  'cost_capped',
  'not_served',
  'not_valid',
  'unknown',
] as const;
export type SendRefusal = (typeof REFUSALS)[number];

interface RefusalRule {
  refusal: SendRefusal | 'known';
  /** The words of servers: geth and its BNB fork, Erigon, Nethermind, Besu, Reth, and providers in front of them. */
  words: RegExp;
}

/** The first rule that matches counts: a replacement that is underpriced says "underpriced" as well. */
const RULES: readonly RefusalRule[] = [
  {
    refusal: 'known',
    words: /already ?known|already imported|known transaction|already exists|already in (the )?(tx)?pool/i,
  },
  {
    refusal: 'replacement_too_low',
    words: /replacement (transaction|fee)|ReplacementNotAllowed|could not replace existing/i,
  },
  {
    refusal: 'nonce_used',
    words: /nonce too low|OldNonce|nonce below|nonce (has )?already|invalid nonce.*expected/i,
  },
  { refusal: 'nonce_ahead', words: /nonce too high|nonce ?gap|gapped.nonce|nonce too distant/i },
  {
    refusal: 'no_coin',
    words: /insufficient ?funds|insufficient balance|enough funds|upfront cost exceeds|balance too low/i,
  },
  {
    refusal: 'cost_capped',
    words: /exceeds the configured cap|exceeds block gas limit|gas limit (is )?too high|fee cap higher/i,
  },
  {
    refusal: 'fee_too_low',
    words:
      /underpriced|tip cap|tip needed|fee ?too ?low|gas price (is )?(too low|below)|below (the )?(configured )?minimum|less than block base fee|max(imum)? ?(priority ?)?fee ?per ?gas (is )?too low/i,
  },
  {
    refusal: 'pool_full',
    words:
      /pool (is )?full|pool limit|account limit|too many (pending|transactions)|in-flight transaction limit/i,
  },
  {
    refusal: 'rate_limited',
    words: /too many requests|\b429\b|rate.?limit|request (count|limit)|quota|compute units|limit exceeded/i,
  },
  {
    refusal: 'not_served',
    words:
      /method .*(not (found|available|supported|allowed)|does not exist)|not synced|syncing|no peers|unauthorized|forbidden|api key|\b40[13]\b/i,
  },
  {
    refusal: 'not_valid',
    words:
      /invalid (sender|chain|signature|transaction)|chain ?id|replay-protected|type not supported|intrinsic gas|blacklist|rlp/i,
  },
];

/**
 * The meaning of a server's refusal of a signed transaction.
 * @param sentence the server's words
 * @returns `known`: it has the transaction already, which is no refusal
 */
export function classifyRefusal(sentence: string): SendRefusal | 'known' {
  return RULES.find(({ words }) => words.test(sentence))?.refusal ?? 'unknown';
}

/** Refusals that are about the server and not about one transaction: every wallet meets them. */
const OF_SERVER: ReadonlySet<SendRefusal> = new Set([
  'fee_too_low',
  'pool_full',
  'rate_limited',
  'cost_capped',
  'not_served',
  'not_valid',
  'unknown',
]);

/** Whether a refusal would meet every transaction alike. */
export const isOfServer = (refusal: SendRefusal): boolean => OF_SERVER.has(refusal);

/**
 * The lowest tip that a server takes, as far as its refusal says so.
 * @param tip refused, wei per unit of gas
 * @param limit wei per unit of gas that is never exceeded: a server that names more is not believed
 * @returns the minimum that the sentence names, otherwise twice the refused tip; at most the limit
 */
export function tipFloorAfter(sentence: string, tip: bigint, limit: bigint): bigint {
  const digits =
    /(?:minimum needed|tip needed|minimum(?: gas price)?(?: is| required)?|at least)[:\s]+(\d{1,30})\b(?!\.\d|\s*gwei)/i.exec(
      sentence,
    )?.[1];
  const named = digits === undefined ? 0n : BigInt(digits);
  return named > tip && named <= limit ? named : leastOf(mostOf(tip * 2n, 1n), limit);
}

/** Longest pause between two attempts to send bytes that no server takes. */
const PAUSE_MOST_MS = 60_000;

/**
 * Pause before bytes that every server refused are sent again, in ms. It doubles with each refusal: a refusal is rarely
 * temporary, and a turn takes seconds.
 * @param firstMs pause after the first refusal
 */
export const pauseAfterRefusals = (refusals: number, firstMs: number): number =>
  Math.min(firstMs * 2 ** Math.min(Math.max(refusals - 1, 0), 20), PAUSE_MOST_MS);
