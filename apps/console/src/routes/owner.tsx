import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { OwnerPayment } from '../features/billing/owner-payment.tsx';
import { OwnerWithdrawal } from '../features/pools/owner/owner-withdrawal.tsx';
import { usePageTitle } from '../lib/use-page-title.ts';
import { CardPage } from '../ui/layout/card-page.tsx';

/**
 * For the owner of a pool or of a community, who has a link but no account. The token is in the fragment, which no server
 * receives.
 */
export default function OwnerScreen() {
  const [token] = useState(() => window.location.hash.slice(1));
  const { pathname, search } = useLocation();
  const isOfPool = pathname === '/pool-owner';
  usePageTitle(isOfPool ? 'Withdrawal' : 'Subscription');
  return (
    <CardPage>
      {isOfPool ? (
        <OwnerWithdrawal token={token} />
      ) : (
        <OwnerPayment token={token} isReturning={'paid' in search} />
      )}
    </CardPage>
  );
}
