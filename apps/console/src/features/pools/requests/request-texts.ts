/** What follows an order that is above the limit of one person, or needs two whatever its amount. */
export const WAITS_FOR_OTHER = 'It waits for another super admin.';
