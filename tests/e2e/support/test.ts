import type { Persona } from '@copydesk/contract/people';
import { test as base, type Page } from '@playwright/test';
import { type Api, createApi } from './api.ts';
import { endLag, letApiLag } from './lag.ts';
import { sessionOf } from './sessions.ts';

export { expect } from '@playwright/test';

/** What the browser itself reports of an answer that a test asked for. */
export const FAILED_REQUEST = /^Failed to load resource/;

interface Options {
  /** Who is signed in when the test begins. */
  persona: Persona | null;
  /** Lines in the console that the test provokes. */
  expectedComplaint: RegExp | null;
}

interface Fixtures {
  /** Whatever the page complained about; must be empty at the end, but for what was expected. */
  complaints: string[];
  /** The API as the persona sees it; as the super admin sees it when no one is signed in. */
  api: Api;
}

export const test = base.extend<Options & Fixtures>({
  // Guests have windows of their own.
  browser: [
    async ({ browser }, use) => {
      const open = browser.newContext.bind(browser);
      browser.newContext = async (options) => {
        const context = await open(options);
        await letApiLag(context);
        return context;
      };
      await use(browser);
      browser.newContext = open;
    },
    { scope: 'worker' },
  ],
  persona: ['super', { option: true }],
  expectedComplaint: [null, { option: true }],
  context: async ({ context, persona, baseURL }, use) => {
    // Cookies, not `storageState`: a different one for every persona would take a context of its own each time.
    if (persona) await context.addCookies((await sessionOf(baseURL ?? '', persona)).cookies);
    await letApiLag(context);
    await use(context);
    // The next test has the same window.
    await context.clearPermissions();
    await endLag(context);
  },
  api: async ({ persona, baseURL }, use) => use(await createApi(baseURL ?? '', persona ?? 'super')),
  complaints: [
    async ({ page, expectedComplaint }, use) => {
      const complaints: string[] = [];
      collectComplaints(page, complaints);
      await use(complaints);
      const unexpected = complaints.filter((text) => !expectedComplaint?.test(text));
      base.expect(unexpected, 'errors in the console of the browser').toEqual([]);
    },
    { auto: true },
  ],
});

/** Errors, warnings, and what the content security policy refused, which Chromium reports as an error. */
function collectComplaints(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(`${error}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
}
