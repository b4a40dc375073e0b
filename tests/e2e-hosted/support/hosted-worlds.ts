import type { Persona } from '@copydesk/contract/people';
import type { FullConfig } from '@playwright/test';
import { startDemoWorlds } from '../../e2e/support/demo-world.ts';
import { emailOf, PERSONA_CODE, PERSONA_PASSWORD } from '../../e2e/support/hosted-sign-in.ts';
import { runAdmin } from '../../support/run-admin.ts';
import { prepareBundles } from './bundles.ts';
import { type HostedProduct, startHostedProduct } from './hosted-product.ts';

/** For each worker a product with a demo world, whose personas sign in at the hosted service. */
export default async ({ workers }: FullConfig): Promise<() => Promise<void>> => {
  const bundles = prepareBundles();
  if (!bundles) throw new Error('The scripts of the hosted service could not be fetched.');
  return startDemoWorlds(workers, async () => {
    // The personas of the demo world are not new.
    const product = await startHostedProduct(bundles, { APPROVER_MIN_HOURS: '0' });
    await createPersonas(product).catch(async (error: Error) => {
      await product.stop();
      throw error;
    });
    return product;
  });
};

/** With the metadata of an administrator there; an operator here confirms the super admins. */
async function createPersonas({ env, clerk, url }: HostedProduct): Promise<void> {
  const create = async (persona: Persona, name: string, metadata: Record<string, unknown>) => {
    const [firstName = '', ...rest] = name.split(' ');
    const { id } = clerk.instance.addUser({
      email: emailOf(persona),
      password: PERSONA_PASSWORD,
      code: PERSONA_CODE,
      firstName,
      lastName: rest.join(' '),
      metadata,
    });
    const session = clerk.instance.openSession(id, { secondFactor: true });
    const headers = { authorization: `Bearer ${clerk.token(session.id, url)}` };
    const read = async <T>(path: string) => (await (await fetch(`${url}${path}`, { headers })).json()) as T;
    const { success } = await read<{ success: boolean }>('/api/me');
    if (!success) throw new Error(`${persona} is not let in`);
    return read;
  };
  const asSuper = await create('super', 'Super admin', { super: true });
  await create('super-2', 'Second super admin', { super: true });
  const { data } = await asSuper<{ data: { id: string; name: string }[] }>('/api/providers');
  const providers = data
    .toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
    .map(({ id }) => id);
  const staff = (count: number) => ({ admin: true, providerAccess: providers.slice(0, count) });
  await create('staff', 'Staff of one provider', staff(1));
  await create('staff-multi', 'Staff of three providers', staff(3));
  await create('no-access', 'Admin with no provider access', staff(0));
  await create('not-admin', 'Signed-in without the admin flag', {});
  for (const persona of ['super', 'super-2'] as const)
    await operate(env, 'confirm', '--email', emailOf(persona));
}

async function operate(env: Record<string, string>, ...args: string[]): Promise<void> {
  const { code, output } = await runAdmin({ ...(process.env as Record<string, string>), ...env }, ...args);
  if (code !== 0) throw new Error(output);
}
