import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetOrganization, workIn } from '../organization.ts';
import { viewAs } from '../view-as.ts';
import { sendAsChosen } from './chosen-send.ts';

const stored = new Map<string, string>();
const assign = vi.fn();
const send = vi.fn(async (_url: unknown, _init?: { headers?: HeadersInit }) => new Response('{}'));
beforeEach(() => {
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal('window', { location: { assign } });
  vi.stubGlobal('fetch', send);
});
afterEach(() => {
  stored.clear();
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

const sent = async (url = '/api/traders') => {
  await sendAsChosen(url, { headers: { accept: 'any' } });
  return Object.fromEntries(new Headers(send.mock.lastCall?.[1]?.headers));
};

test('requests carry the chosen provider until it is forgotten', async () => {
  expect(await sent()).toEqual({ accept: 'any' });
  workIn('p1', '/invoices');
  expect(assign).toHaveBeenCalledWith('/invoices');
  expect(await sent()).toEqual({ accept: 'any', 'x-organization': 'p1' });
  forgetOrganization();
  expect(await sent()).toEqual({ accept: 'any' });
});

test('a view begins and ends in all providers, and is ended in the name of the viewer', async () => {
  workIn('p1', '/');
  viewAs('her', '/');
  expect(await sent()).toEqual({ accept: 'any', 'x-view-as': 'her' });
  workIn('p2', '/');
  expect(await sent()).toEqual({ accept: 'any', 'x-view-as': 'her', 'x-organization': 'p2' });
  expect(await sent('/api/view-as')).toEqual({ accept: 'any' });
  viewAs(null, '/people');
  expect(await sent()).toEqual({ accept: 'any' });
});

test('a provider that is out of reach is left, after no other refusal', async () => {
  const refuse = (error: string) =>
    send.mockResolvedValueOnce(new Response(JSON.stringify({ error }), { status: 403 }));
  workIn('p1', '/invoices');
  refuse('role_required');
  expect(await sent()).toHaveProperty('x-organization');
  refuse('organization_ended');
  const answer = await sendAsChosen('/api/traders');
  expect(assign).toHaveBeenLastCalledWith('/');
  expect(await answer.json()).toEqual({ error: 'organization_ended' });
  expect(await sent()).toEqual({ accept: 'any' });
});
