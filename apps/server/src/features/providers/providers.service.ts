import { randomUUID } from 'node:crypto';
import type { CallParsed } from '@copydesk/contract';
import { findExceededSplits, largestProviderShare } from '@copydesk/domain/invoices';
import { shownPercentage } from '@copydesk/domain/money';
import { payableAddress } from '../../core/chain/payable-address.ts';
import type { AuditValue } from '../../platform/audit/audit.ts';
import { requireSeen } from '../../platform/audit/seen-version.ts';
import { violatedUnique } from '../../platform/db/connection/connection.ts';
import type { WriteTx } from '../../platform/db/database.ts';
import { requirePlainTexts } from '../../platform/http/plain-texts.ts';
import { Refusal } from '../../platform/refusal.ts';
import * as store from './providers.store.ts';

type NewProvider = CallParsed<'POST /api/providers'>['body'];
type ProviderChanges = CallParsed<'PUT /api/providers/{id}'>['body'];
type Settings = Omit<store.LockedProvider, 'id' | 'invoicing_enabled'>;

/** Communities that a message names; the rest is counted. */
const NAMED = 3;

/**
 * Creates a provider and returns its id.
 * @throws Refusal `text_refused`, `provider_name_taken`, `validation_failed` for an address that cannot be paid
 */
export async function createProvider(tx: WriteTx, wanted: NewProvider): Promise<string> {
  requirePlainTexts({ display_name: wanted.display_name });
  const id = randomUUID();
  const settings = { ...wanted, ...(await stored(tx, wanted)) };
  await refusingTakenName(store.insertProvider(tx, { id, ...settings }));
  tx.audit({ action: 'provider.created', target: { kind: 'provider', id }, after: settings as AuditValue });
  return id;
}

/**
 * Applies the differences and writes one audit entry for them. Setting a value again changes nothing.
 * @throws Refusal `not_found`, `changed_meanwhile`, `text_refused`, `provider_name_taken`, `split_exceeds_invoice`
 */
export async function changeProvider(
  tx: WriteTx,
  id: string,
  { version: seen, ...wanted }: ProviderChanges,
): Promise<void> {
  const found = await store.findProviderForUpdate(tx, id);
  if (!found) throw new Refusal('not_found');
  const { version, ...current } = found;
  const target = { kind: 'provider', id };
  await requireSeen(tx, { target, actions: ['provider.changed'], seen, version, present: current, wanted });
  const fields = await stored(tx, wanted);
  const names = (Object.keys(fields) as (keyof Settings)[]).filter(
    (name) => JSON.stringify(fields[name]) !== JSON.stringify(current[name]),
  );
  if (names.length === 0) return;
  if (names.includes('display_name')) requirePlainTexts({ display_name: wanted.display_name });
  const pick = (from: Partial<Settings>) =>
    Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
  if (names.includes('payment_split_percentage')) await refuseExceededSplit(tx, { ...current, ...fields });
  await refusingTakenName(store.updateProvider(tx, id, pick(fields)));
  tx.audit({
    action: 'provider.changed',
    target,
    before: pick(current) as AuditValue,
    after: pick(fields) as AuditValue,
  });
}

/** @throws Refusal `not_found` */
export async function setInvoicing(tx: WriteTx, id: string, isEnabled: boolean): Promise<void> {
  const current = await store.findProviderForUpdate(tx, id);
  if (!current) throw new Refusal('not_found');
  if (current.invoicing_enabled === isEnabled) return;
  await store.updateProvider(tx, id, { invoicing_enabled: isEnabled });
  tx.audit({
    action: 'provider.invoicing_changed',
    target: { kind: 'provider', id },
    before: { invoicing_enabled: current.invoicing_enabled },
    after: { invoicing_enabled: isEnabled },
  });
}

/** As stored: shares as decimal strings, an address in its checksummed form. */
async function stored(tx: WriteTx, wanted: Omit<ProviderChanges, 'version'>): Promise<Partial<Settings>> {
  const { payment_split_percentage: share, minimum_commission_rate: rate, payout_address, ...rest } = wanted;
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  const address = payout_address ? await payableAddress(tx, 'payout_address', payout_address) : null;
  return {
    ...Object.fromEntries(given),
    ...(share !== undefined && { payment_split_percentage: String(share) }),
    ...(rate !== undefined && { minimum_commission_rate: String(rate) }),
    ...(payout_address !== undefined && { payout_address: address }),
  };
}

/** In every community whose traders it may be invoiced for, the platform's part must be zero or more. */
async function refuseExceededSplit(tx: WriteTx, provider: store.LockedProvider): Promise<void> {
  const name = provider.display_name;
  const providerShare = provider.payment_split_percentage;
  const communities = await store.listSplittingCommunities(tx, provider.id);
  const exceeded = communities.filter(
    (terms) => findExceededSplits(terms, [{ name, providerShare }]).length > 0,
  );
  if (exceeded.length === 0) return;
  const limits = exceeded
    .slice(0, NAMED)
    .map((terms) => `at most ${shownPercentage(largestProviderShare(terms))}% in ${terms.name}`);
  const others = exceeded.length > NAMED ? `, and less in ${exceeded.length - NAMED} more` : '';
  throw new Refusal('split_exceeds_invoice', {
    message: `A payment split of ${shownPercentage(providerShare)}% would give away more than the invoice: ${limits.join(', ')}${others}.`,
  });
}

async function refusingTakenName(written: Promise<void>): Promise<void> {
  try {
    await written;
  } catch (error) {
    if (violatedUnique(error) === 'provider_name_key') throw new Refusal('provider_name_taken');
    throw error;
  }
}
