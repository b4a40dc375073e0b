/** How the sale of a bot is shared, by the community's percentage. */
export const splitWords = (communityPercentage: string): string =>
  `Community ${communityPercentage}%, platform ${Math.round(10_000 - Number(communityPercentage) * 100) / 100}%`;
