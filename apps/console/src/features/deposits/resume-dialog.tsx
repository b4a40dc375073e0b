import { call } from '../../lib/api/api.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { ReasonField } from '../../ui/form/reason-field.tsx';
import { useDialogForm } from '../../ui/form/use-dialog-form.ts';
import { depositReadingQuery } from './deposit-reading-query.ts';

/** Resumes reading after a final block changed, with the operator's findings as the reason. */
export function ResumeDialog({ onClose }: { onClose(): void }) {
  const form = useDialogForm({
    values: { reason: '' },
    findErrors: ({ reason }) => (reason.trim() === '' ? { reason: 'Describe what you found' } : null),
    send: ({ reason }, keyOf) => {
      const body = { reason: reason.trim() };
      return call('POST /api/super-admin/deposit-reading/resume', { body, idempotencyKey: keyOf(body) });
    },
    done: () => ({ title: 'Deposit reading resumed' }),
    reads: depositReadingQuery.queryKey,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Resume reading deposits"
      text="A final block changed. Compare the booked deposits with the chain before you resume: bookings are not undone."
      confirm="Resume"
      busy="Resuming..."
      onClose={onClose}
    >
      <ReasonField label="What was found" />
    </FormDialog>
  );
}
