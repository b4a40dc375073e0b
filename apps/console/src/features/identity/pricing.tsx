import type { ReactNode } from 'react';
import { Fact, Facts } from '../../ui/figures/fact.tsx';
import type { PublicConfig } from './identity.ts';

type Plans = PublicConfig['plans'];

const INTERVALS = [
  { id: 'monthly', label: 'By month', unit: 'a month' },
  { id: 'yearly', label: 'By year', unit: 'a year' },
] as const;

const INCLUDED = [
  'Traders and their accounts at five exchanges',
  'Invoices, deposits and payouts on BNB Smart Chain',
  'Pooled accounts with harvest cycles',
  'An exchange bot at Telegram that sells access',
];

export const isOffered = ({ monthly, yearly }: Plans) => monthly !== null || yearly !== null;

interface PricingProps {
  plans: Plans;
  /** To the waitlist and back to sign-in. */
  links: ReactNode;
}

/** The plans of a community. A visitor who wants one asks for access; super admins decide. */
export function Pricing({ plans, links }: PricingProps) {
  const offered = INTERVALS.filter(({ id }) => plans[id] !== null);
  return (
    <div className="space-y-4">
      <div>
        <h1 tabIndex={-1} className="text-lg font-semibold tracking-tight">
          Pricing
        </h1>
        <p className="mt-1 text-muted">
          {offered.length > 0 ? 'For each community, in US dollars.' : 'Prices are on request.'}
        </p>
      </div>
      {offered.length > 0 && (
        <Facts look="boxed">
          {offered.map(({ id, label, unit }) => (
            <Fact key={id} label={label}>
              <span className="text-lg font-semibold">${plans[id]}</span> {unit}
            </Fact>
          ))}
        </Facts>
      )}
      <div>
        <h2 className="font-medium">Included</h2>
        <ul className="mt-1 list-disc space-y-0.5 ps-5 text-muted">
          {INCLUDED.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap justify-between gap-2">{links}</div>
    </div>
  );
}
