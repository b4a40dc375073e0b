import { createStore } from '../store.ts';

export type LiveStatus = 'connecting' | 'live' | 'offline';

/** `live` only if the event stream sent something within the last 20 s. */
export const liveStatus = createStore<LiveStatus>('connecting');

/** When the event stream last sent something, in ms by this machine's clock; 0 before the first. */
export const lastHeardAt = createStore(0);
