import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { chosenOrganization } from '../../lib/organization.ts';
import { toasts } from '../../ui/feedback/toast-store.ts';
import { createTokenCache } from './embedded/sessions/token-cache.ts';
import { createSessionOwner, type SessionOwnerOptions } from './session-owner.ts';

const tokenOf = (sub: string) => `h.${btoa(JSON.stringify({ sub, iat: 0, exp: 300 }))}.s`;

const stored = new Map<string, string>();
beforeEach(() => {
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  toasts.set([]);
});
afterEach(() => {
  stored.clear();
  vi.unstubAllGlobals();
});

const channels: SessionOwnerOptions['channel'][] = [];
beforeEach(() => void channels.splice(0));

/** A tab; what one announces reaches the others. */
function openTab() {
  const tab = { events: [] as string[] };
  const channel: SessionOwnerOptions['channel'] = {
    onmessage: null,
    postMessage: (data) => {
      for (const other of channels) if (other !== channel) other.onmessage?.({ data } as MessageEvent);
    },
  };
  channels.push(channel);
  const owner = createSessionOwner({
    channel,
    onEnded: () => tab.events.push('ended'),
    onReplaced: () => tab.events.push('replaced'),
  });
  return { ...tab, owner };
}

const choose = () => {
  stored.set('copydesk.view-as', 'someone');
  stored.set('copydesk.organization', 'p1');
};
const chosen = () => [stored.get('copydesk.view-as') ?? null, chosenOrganization()];

test('a token of another person is refused, and the tab starts over', async () => {
  const { owner, events } = openTab();
  let cookieOf = 'ann';
  const tokens = createTokenCache(async () => owner.admit(tokenOf(cookieOf)));
  expect(await tokens.get()).toBe(tokenOf('ann'));
  choose();
  cookieOf = 'bob';
  await expect(tokens.get({ force: true })).rejects.toMatchObject({ code: 'another_person' });
  expect(events).toEqual(['replaced']);
  expect(chosen()).toEqual([null, null]);
});

test('a sign-in or sign-out in one tab reaches every tab of the person before', () => {
  const [first, second] = [openTab(), openTab()];
  first.owner.admit(tokenOf('ann'));
  second.owner.admit(tokenOf('ann'));
  expect([first.events, second.events]).toEqual([[], []]);
  choose();
  second.owner.end();
  expect(first.events).toEqual(['ended']);
  expect(chosen()).toEqual([null, null]);
  second.owner.admit(tokenOf('bob'));
  expect(first.events).toEqual(['ended']);

  const third = openTab();
  third.owner.admit(tokenOf('bob'));
  second.owner.release();
  second.owner.admit(tokenOf('cleo'));
  expect(third.events).toEqual(['replaced']);
});

test('a tab that slept meanwhile works for the new person without the choices of the one before', () => {
  openTab().owner.admit(tokenOf('ann'));
  choose();
  openTab().owner.admit(tokenOf('ann'));
  expect(chosen()).toEqual(['someone', 'p1']);
  openTab().owner.admit(tokenOf('bob'));
  expect(chosen()).toEqual([null, null]);
  expect(toasts.get()).toMatchObject([{ title: 'Another person signed in' }]);
});
