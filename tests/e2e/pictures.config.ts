import { defineConfig } from '@playwright/test';
import base from '../../playwright.config.ts';

/** `npm run pictures` takes the pictures of the README anew. No part of the tests. */
export default defineConfig(base, {
  testDir: '.',
  testMatch: 'pictures.ts',
  globalSetup: './support/demo-world.ts',
  workers: 1,
});
