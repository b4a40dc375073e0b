import { shortId } from '@copydesk/domain/money';
import { useState } from 'react';
import {
  addressHoldWords,
  capitalised,
  ownerWordWords,
  typeWords,
} from '../../../lib/format/payout-texts.ts';
import { Address } from '../../../ui/figures/address.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Checkbox } from '../../../ui/form/checkbox.tsx';
import { ReleaseDialog } from '../addresses/release-dialog.tsx';
import { sharesWord } from '../payout-texts.ts';
import type { HeldLine } from '../payouts-queries.ts';
import { sumOf } from './selection.ts';

/** Frozen deposit addresses may hold back the shares of many referrers. */
const SHOWN = 50;

/** Recipients with pending shares that cannot be paid now, and the remedy for each. */
export function Held({ held }: { held: readonly HeldLine[] }) {
  const [asked, setAsked] = useState<HeldLine | null>(null);
  if (held.length === 0) return null;
  return (
    <section
      aria-label="Held"
      className="max-h-56 shrink-0 overflow-y-auto border-t border-line bg-subtle px-4 py-2.5"
    >
      <h3 className="flex justify-between gap-4 text-xs font-semibold">
        Held for now
        <Money amount={sumOf(held)} />
      </h3>
      <ul className="mt-1 divide-y divide-line">
        {held.slice(0, SHOWN).map((line) => {
          const { recipientAddress, recipientType, amount, payableCount, reason } = line;
          return (
            <li
              key={`${recipientAddress} ${recipientType} ${reason} ${line.changeId}`}
              className="flex flex-wrap items-center gap-x-3 gap-y-0.5 py-1.5 text-xs"
            >
              <Checkbox
                label={`Select ${typeWords(recipientType)} ${shortId(recipientAddress)}`}
                checked={false}
                isDisabled
              />
              <span className="min-w-40 flex-1">
                <span className="flex flex-wrap items-center gap-x-2">
                  <Address address={recipientAddress} what={`address ${shortId(recipientAddress)}`} />
                  <span className="text-muted">
                    {capitalised(typeWords(recipientType))} · {sharesWord(payableCount)}
                  </span>
                </span>
                <span className="block text-caution tabular-nums">{heldReason(line)}</span>
              </span>
              {line.canRelease && (
                <Button className="h-7! px-2.5! text-xs!" onClick={() => setAsked(line)}>
                  Release
                </Button>
              )}
              <Money amount={amount} as="bare" />
            </li>
          );
        })}
      </ul>
      {held.length > SHOWN && (
        <p className="text-xs text-muted">
          <Count n={held.length - SHOWN} plain="The largest are listed above" /> more are held.
        </p>
      )}
      {asked?.changeId && <ReleaseDialog changeId={asked.changeId} onClose={() => setAsked(null)} />}
    </section>
  );
}

/** Why a recipient cannot be paid now, or when payment becomes possible. */
export function heldReason({
  reason,
  payableFrom,
  awaitsRelease,
  ownerWord = null,
}: Pick<HeldLine, 'reason' | 'payableFrom' | 'awaitsRelease'> &
  Partial<Pick<HeldLine, 'ownerWord'>>): string {
  if (reason === 'deposit_frozen') return 'Deposit address frozen';
  if (reason === 'not_checked') return 'Not checked against the chain yet';
  if (reason === 'referrer_set') return `Referrer: ${addressHoldWords(payableFrom, awaitsRelease)}`;
  const hold = addressHoldWords(payableFrom, awaitsRelease);
  return ownerWord ? `${ownerWordWords(ownerWord)}. ${hold}` : hold;
}
