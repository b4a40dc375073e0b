import { useQuery } from '@tanstack/react-query';
import Scale from 'lucide-react/icons/scale';
import { useState } from 'react';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { noticeTitle } from './difference-texts.ts';
import { DifferencesDialog } from './differences-dialog.tsx';
import { deductionsQuery, differencesQuery } from './differences-query.ts';

/** Reports differences between invoices and exchanges, and open deductions, while there are any. For super admins. */
export function DifferencesNotice() {
  const total = useQuery(differencesQuery(1, 1)).data?.meta.total ?? 0;
  const deductions = useQuery(deductionsQuery(1, 1)).data?.meta.total ?? 0;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {total + deductions > 0 && (
        <Notice
          tone={total > 0 ? 'caution' : 'neutral'}
          icon={Scale}
          isBox
          title={noticeTitle(total, deductions)}
          actions={
            <Button look="quiet" className="-my-1 -me-2 h-7! text-accent!" onClick={() => setOpen(true)}>
              {total > 0 ? 'Show differences' : 'Show deductions'}
            </Button>
          }
        />
      )}
      {isOpen && <DifferencesDialog onClose={() => setOpen(false)} />}
    </>
  );
}
