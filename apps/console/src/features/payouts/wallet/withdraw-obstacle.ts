/** Why a community's own share cannot be paid out now; null when no obstacle is known. */
export function withdrawObstacle(
  withdrawable: { amount: string; address: string | null } | undefined,
): string | null {
  if (!withdrawable) return null;
  if (!/[1-9]/.test(withdrawable.amount)) return 'Nothing to withdraw';
  return withdrawable.address === null ? 'No payable external address' : null;
}
