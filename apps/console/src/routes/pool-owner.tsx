import { useState } from 'react';
import { OwnerWithdrawal } from '../features/pools/owner/owner-withdrawal.tsx';
import { usePageTitle } from '../lib/use-page-title.ts';
import { CardPage } from '../ui/layout/card-page.tsx';

/** For the owner of a pool, who has a link but no account. The token is in the fragment, which no server receives. */
export default function PoolOwnerScreen() {
  usePageTitle('Withdrawal');
  const [token] = useState(() => window.location.hash.slice(1));
  return (
    <CardPage>
      <OwnerWithdrawal token={token} />
    </CardPage>
  );
}
