import { expect, test } from 'vitest';
import { createKeyring } from '../../platform/secrets/keyring.ts';
import { createOwnerLinks } from './owner-link.ts';

const keyringOf = (indexKey: string) => createKeyring('k'.repeat(32), [], indexKey);
const links = createOwnerLinks(keyringOf('i'.repeat(32)), 'https://console.example.com', 'pool');
const CYCLE = '019a5f6e-1c2d-7e3f-8a4b-5c6d7e8f9a0b';
const OTHER = '019a5f6e-1c2d-7e3f-8a4b-5c6d7e8f9a0c';
const tokenOf = (cycleId: string) => links.urlOf(cycleId).split('#')[1] as string;

test('a link leads back to its cycle, and keeps its token out of the address that is sent', () => {
  expect(links.urlOf(CYCLE)).toMatch(/^https:\/\/console\.example\.com\/pool-owner#[\w-]{43}$/);
  expect(links.read(tokenOf(CYCLE))).toBe(CYCLE);
});

test('a token cannot be forged or changed', () => {
  const token = Buffer.from(tokenOf(CYCLE), 'base64url');
  const other = Buffer.from(tokenOf(OTHER), 'base64url');
  for (let bit = 0; bit < token.length * 8; bit += 1) {
    const forged = Buffer.from(token);
    forged[bit >> 3] = (forged[bit >> 3] as number) ^ (1 << (bit & 7));
    expect(links.read(forged.toString('base64url'))).toBeNull();
  }
  const mixed = Buffer.concat([other.subarray(0, 16), token.subarray(16)]);
  for (const each of [mixed.toString('base64url'), '', 'x', tokenOf(CYCLE).slice(1)])
    expect(links.read(each)).toBeNull();
  const elsewhere = createOwnerLinks(keyringOf('j'.repeat(32)), 'https://console.example.com', 'pool');
  expect(elsewhere.read(tokenOf(CYCLE))).toBeNull();
});

test('a token of one page opens no other', () => {
  const ofCommunities = createOwnerLinks(
    keyringOf('i'.repeat(32)),
    'https://console.example.com',
    'community',
  );
  expect(ofCommunities.urlOf(CYCLE)).toMatch(/^https:\/\/console\.example\.com\/community-owner#[\w-]{43}$/);
  expect(ofCommunities.read(tokenOf(CYCLE))).toBeNull();
  expect(links.read(ofCommunities.urlOf(CYCLE).split('#')[1] as string)).toBeNull();
});
