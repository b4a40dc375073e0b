import type { CDPSession, Page } from '@playwright/test';

/** A device with a fingerprint reader, which the browser has in place of a real one. */
export interface VirtualAuthenticator {
  /** Whether the person is recognised from now on. */
  recognise(isRecognised: boolean): Promise<void>;
  /** How many passkeys the device holds. */
  countPasskeys(): Promise<number>;
}

export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const browser: CDPSession = await page.context().newCDPSession(page);
  await browser.send('WebAuthn.enable');
  const { authenticatorId } = await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async recognise(isUserVerified) {
      await browser.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
    countPasskeys: async () =>
      (await browser.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  };
}
