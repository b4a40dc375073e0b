import { setTimeout as sleep } from 'node:timers/promises';
import { makeDataDir, type Product, removeDataDir, startProduct } from './product.ts';

/** The world as `npm start` brings it up, for tests that walk through it as the README invites to. */
export async function startDemoWalk(env: Record<string, string>) {
  const dataDir = makeDataDir();
  const product: Product = await startProduct({ COPYDESK_DATA_DIR: dataDir, ...env });
  await product.prints(/Copydesk is running/);
  return {
    dataDir,
    product,

    /** A call as the super admin of the demo. */
    async ask<T>(method: string, path: string, body?: object): Promise<T> {
      const signedIn = await fetch(`${product.url}/api/demo/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ persona: 'super' }),
      });
      const { token } = (await signedIn.json()) as { token: string };
      const response = await fetch(`${product.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        body: body ? JSON.stringify(body) : null,
      });
      return (await response.json()) as T;
    },

    /** @throws with what the product printed, when it does not become so in time */
    async until(what: string, isSo: () => Promise<boolean>, patienceMs = 180_000): Promise<void> {
      for (const end = Date.now() + patienceMs; !(await isSo()); await sleep(1_000))
        if (Date.now() > end)
          throw new Error(`${what}: not within ${patienceMs / 1000} s\n${product.output()}`);
    },

    async end(): Promise<void> {
      product.kill('SIGTERM');
      await product.ended;
      await removeDataDir(dataDir);
    },
  };
}
