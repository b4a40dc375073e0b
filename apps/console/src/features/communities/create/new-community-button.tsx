import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { Button } from '../../../ui/form/button.tsx';
import type { AdminCommunity } from '../communities-queries.ts';
import { type BotOfNew, NewCommunityDialog, type SplitProvider } from './new-community-dialog.tsx';

interface NewCommunityButtonProps {
  bot: BotOfNew;
  providers: readonly SplitProvider[];
  onCreated(community: AdminCommunity): void;
}

export function NewCommunityButton(props: NewCommunityButtonProps) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button className="h-7!" onClick={() => setAsked(true)}>
        <Plus className="size-4" aria-hidden="true" />
        New community
      </Button>
      {isAsked && <NewCommunityDialog {...props} onClose={() => setAsked(false)} />}
    </>
  );
}
