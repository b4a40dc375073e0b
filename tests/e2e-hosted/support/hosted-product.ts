import { randomBytes } from 'node:crypto';
import { type RunningClerk, startClerk } from '@copydesk/simulators/clerk';
import { type DemoWorld, startDemoWorld } from '../../e2e/support/demo-world.ts';
import { PROXY_PATH } from '../../e2e/support/hosted-sign-in.ts';
import { hostedVariables, SECRET_KEY, WEBHOOK_SECRET } from '../../support/identity/hosted-variables.ts';
import { makeDataDir } from '../../support/product.ts';
import type { Bundle } from './bundles.ts';
import { type Front, startFront } from './front.ts';

export interface HostedProduct extends DemoWorld {
  front: Front;
  clerk: RunningClerk;
  /** The variables of its processes, for `npm run admin`. */
  env: Record<string, string>;
  /** Creates a person who can sign in. */
  person(
    metadata: object,
    given?: { code?: string; firstName?: string; isProven?: boolean },
  ): { email: string; password: string; id: string };
}

/** The product of `npm start` in its demo world, behind a proxy, beside a simulated Clerk. */
export async function startHostedProduct(
  bundles: Record<Bundle, string>,
  settings: Record<string, string> = {},
): Promise<HostedProduct> {
  const front = await startFront(bundles);
  const clerk = await startClerk({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET });
  const env = {
    ...hostedVariables(clerk),
    COPYDESK_DATA_DIR: makeDataDir(),
    CLERK_PROXY_URL: PROXY_PATH,
    PUBLIC_URL: front.url,
    ...settings,
  };
  const closeOthers = () => Promise.all([front.close(), clerk.close()]);
  const world = await startDemoWorld(env).catch(async (error: Error) => {
    await closeOthers();
    throw error;
  });
  front.pass({ product: world.url, clerk: clerk.url });
  clerk.webhooks.sendTo(`${world.url}/api/webhooks/clerk`);
  return {
    ...world,
    url: front.url,
    front,
    clerk,
    env,
    person(metadata, given = {}) {
      const password = randomBytes(9).toString('hex');
      const email = `${randomBytes(5).toString('hex')}@people.example`;
      const { id } = clerk.instance.addUser({ email, password, metadata: { ...metadata }, ...given });
      return { email, password, id };
    },
    async stop() {
      await closeOthers();
      await world.stop();
    },
  };
}
