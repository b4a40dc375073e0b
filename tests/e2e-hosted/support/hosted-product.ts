import { randomBytes } from 'node:crypto';
import { type RunningClerk, startClerk } from '@copydesk/simulators/clerk';
import { hostedVariables, SECRET_KEY, WEBHOOK_SECRET } from '../../support/identity/hosted-variables.ts';
import { makeDataDir, removeDataDir, startProduct } from '../../support/product.ts';
import type { Bundle } from './bundles.ts';
import { type Front, startFront } from './front.ts';

/** Where people without the admin flag are sent; the tests answer for it. */
export const EXTERNAL_URL = 'https://members.example/';

export interface HostedProduct {
  url: string;
  front: Front;
  clerk: RunningClerk;
  /** Creates a person who can sign in. */
  person(
    metadata: object,
    given?: { code?: string; firstName?: string; isProven?: boolean },
  ): { email: string; password: string; id: string };
  stop(): Promise<void>;
}

/** The product of `npm start` in its demo world, behind a proxy, beside a simulated Clerk. */
export async function startHostedProduct(bundles: Record<Bundle, string>): Promise<HostedProduct> {
  const front = await startFront(bundles);
  const clerk = await startClerk({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET });
  const dataDir = makeDataDir();
  const product = await startProduct({
    ...hostedVariables(clerk),
    COPYDESK_DATA_DIR: dataDir,
    CLERK_PROXY_URL: '/__clerk',
    PUBLIC_URL: front.url,
    EXTERNAL_URL,
    READING_EVERY_MS: String(24 * 3_600_000),
    npm_lifecycle_event: 'start',
  });
  const stop = async () => {
    await Promise.all([front.close(), clerk.close()]);
    product.kill('SIGTERM');
    await product.ended;
    await removeDataDir(dataDir);
  };
  front.pass({ product: product.url, clerk: clerk.url });
  clerk.webhooks.sendTo(`${product.url}/api/webhooks/clerk`);
  try {
    await product.prints(/Copydesk is running/, 120_000);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: front.url,
    front,
    clerk,
    person(metadata, given = {}) {
      const password = randomBytes(9).toString('hex');
      const email = `${randomBytes(5).toString('hex')}@people.example`;
      const { id } = clerk.instance.addUser({ email, password, metadata: { ...metadata }, ...given });
      return { email, password, id };
    },
    stop,
  };
}
