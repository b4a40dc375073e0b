/** What may be paid within a day because programs asked, without an operator. Base units of USDT. */
export interface TokenLimits {
  perMemberDay: bigint;
  perPoolDay: bigint;
}

interface Asked {
  requestId: string;
  memberId: string;
  units: bigint;
}

/**
 * The requests of programs that need no operator, in the order in which they are given.
 * @param paid base units of the last 24 hours, paid the same way
 */
export function withinTokenLimits(
  asked: readonly Asked[],
  limits: TokenLimits,
  paid: { ofMember: ReadonlyMap<string, bigint>; ofPool: bigint },
): Set<string> {
  const ofMember = new Map(paid.ofMember);
  let { ofPool } = paid;
  const within = new Set<string>();
  for (const { requestId, memberId, units } of asked) {
    const member = (ofMember.get(memberId) ?? 0n) + units;
    if (member > limits.perMemberDay || ofPool + units > limits.perPoolDay) continue;
    ofMember.set(memberId, member);
    ofPool += units;
    within.add(requestId);
  }
  return within;
}
