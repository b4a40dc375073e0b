import { createStore } from './store.ts';

export type LiveStatus = 'connecting' | 'live' | 'offline';

/** `live` only while something was heard on the event stream within the last 20 s. */
export const liveStatus = createStore<LiveStatus>('connecting');

/** When something was last heard on the event stream, in ms by this machine's clock; 0 before the first. */
export const lastHeardAt = createStore(0);
