import { useQuery } from '@tanstack/react-query';
import Scale from 'lucide-react/icons/scale';
import { useState } from 'react';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { differencesTitle } from './difference-words.ts';
import { DifferencesDialog } from './differences-dialog.tsx';
import { differencesQuery } from './differences-query.ts';

/** Reports differences between invoices and exchanges while there are any. For super admins. */
export function DifferencesNotice() {
  const total = useQuery(differencesQuery(1, 1)).data?.meta.total ?? 0;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {total > 0 && (
        <Notice
          tone="caution"
          icon={Scale}
          isBox
          title={differencesTitle(total)}
          actions={
            <Button look="quiet" className="-my-1 -mr-2 h-7! text-accent!" onClick={() => setOpen(true)}>
              Show
            </Button>
          }
        />
      )}
      {isOpen && <DifferencesDialog onClose={() => setOpen(false)} />}
    </>
  );
}
