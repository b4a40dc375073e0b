import { createStore } from '../../../../lib/store.ts';
import type { Session } from '../../identity.ts';
import { createSessionOwner } from '../../session-owner.ts';
import { closeQuestion } from '../recent-auth.ts';
import { createLastInput } from './last-input.ts';
import { fetchToken } from './session-calls.ts';
import { createTokenCache } from './token-cache.ts';

/** The session of this tab. */
export const session = createStore<Session>({ status: 'loading' });

export const owner = createSessionOwner({
  channel: new BroadcastChannel('copydesk.session'),
  onEnded: () => leave(true),
  onReplaced() {
    session.set({ status: 'loading' });
    window.location.reload();
  },
});

export const lastInput = createLastInput();
lastInput.follow(window);

const fetchOwnToken = async () => owner.admit(await fetchToken(lastInput.ageMs()));

export const tokens = createTokenCache(fetchOwnToken);

/** Forgets the session, and shows the sign-in page. */
export function leave(byChoice: boolean): void {
  owner.release();
  closeQuestion(false);
  tokens.clear();
  session.set({ status: 'signed-out', byChoice });
}

/**
 * Before a call that the cookie signs: the cookie belongs to the last sign-in in any tab.
 * @throws ApiError `another_person`
 */
export async function requireOwnSession(): Promise<void> {
  if (session.get().status === 'signed-in') await fetchOwnToken();
}
