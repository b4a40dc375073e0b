/** In case an event was missed while something is under way. */
const LOOK_EVERY_MS = 10_000;

/** Whether something that workers do for a person has yet to end. */
export const isUnfinished = ({ state }: { state: string }) => state === 'waiting' || state === 'running';

/** How long a list of it is current. */
export const lookAgainMs = (rows: readonly { state: string }[] | undefined) =>
  rows?.some(isUnfinished) ? LOOK_EVERY_MS : false;
