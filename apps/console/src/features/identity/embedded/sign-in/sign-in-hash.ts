import { useSyncExternalStore } from 'react';

const SIGN_IN_VIEWS = [
  '',
  'factor-two',
  'setup',
  'accept',
  'forgot',
  'reset',
  'waitlist',
  'pricing',
] as const;
export type SignInView = (typeof SIGN_IN_VIEWS)[number];

/** Reads `#/reset?token=...`. The token is in the fragment, so it reaches no server and no log. */
export function readSignInHash(hash: string): { view: SignInView; token: string | null } {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  return {
    view: SIGN_IN_VIEWS.find((view) => view === path) ?? '',
    token: new URLSearchParams(query).get('token'),
  };
}

export function goToView(view: SignInView): void {
  window.location.hash = `/${view}`;
}

export function useSignInHash() {
  const hash = useSyncExternalStore(
    (listener) => {
      window.addEventListener('hashchange', listener);
      return () => window.removeEventListener('hashchange', listener);
    },
    () => window.location.hash,
  );
  return readSignInHash(hash);
}
