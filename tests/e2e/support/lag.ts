import type { BrowserContext, Route } from '@playwright/test';

/** Up to so long each request to the API is underway, and each answer: see CONTRIBUTING.md. */
const LAG_MS = Number(process.env.E2E_LAG_MS ?? 0);
const API = '**/api/**';

const wait = () => new Promise((resolve) => setTimeout(resolve, Math.random() * LAG_MS));

async function answerLate(route: Route): Promise<void> {
  const request = route.request();
  const isStream = (request.headers().accept ?? '').includes('text/event-stream');
  try {
    await wait();
    // Of a stream and of a whole page, only the request is late.
    if (isStream || request.isNavigationRequest()) return await route.continue();
    const response = await route.fetch({ maxRedirects: 0, timeout: 0 });
    await wait();
    await route.fulfill({ response });
  } catch {
    // Its page is gone, or has another address by now; a server that does not answer is told of.
    await route.abort().catch(() => {});
  }
}

/** Makes the API of all pages of a window late, when asked to. What a test routes itself, is not. */
export async function letApiLag(context: BrowserContext): Promise<void> {
  if (LAG_MS > 0) await context.route(API, answerLate);
}

/** A test after it has the same window. */
export async function endLag(context: BrowserContext): Promise<void> {
  if (LAG_MS > 0) await context.unroute(API, answerLate);
}
