import { expect } from '@playwright/test';

/** Acts at the simulated Bybit of a product, as the market or the owner of an account. */
export async function actAtBybit(url: string, act: Record<string, string>): Promise<void> {
  const answer = await fetch(`${url}/__pools`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(act),
  });
  expect(answer.status, await answer.text()).toBe(200);
}
