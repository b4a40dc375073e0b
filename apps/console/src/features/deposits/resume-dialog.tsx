import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import { useOnceKey } from '../../lib/api/once-key.ts';
import { useForm } from '../../lib/use-form.ts';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Button } from '../../ui/form/button.tsx';
import { Dialog } from '../../ui/form/dialog.tsx';
import { ReasonField } from '../../ui/form/reason-field.tsx';
import { depositReadingQuery } from './deposit-reading-query.ts';

/** Resumes reading after a final block changed, with the operator's findings as the reason. */
export function ResumeDialog({ onClose }: { onClose(): void }) {
  const client = useQueryClient();
  const once = useOnceKey();
  const resume = async ({ reason }: { reason: string }) => {
    const body = { reason: reason.trim() };
    try {
      await call('POST /api/super-admin/deposit-reading/resume', { body, idempotencyKey: once.keyOf(body) });
    } catch (error) {
      once.failed(error);
      throw error;
    }
    toast({ tone: 'positive', title: 'Deposit reading resumed' });
    void client.invalidateQueries({ queryKey: depositReadingQuery.queryKey });
    onClose();
  };
  const form = useForm<{ reason: string }>(['reason'], resume, ({ reason }) =>
    reason.trim() === '' ? { reason: 'Describe what you found' } : null,
  );
  return (
    <Dialog
      title="Resume reading deposits"
      text="A final block changed. Compare the booked deposits with the chain before you resume: bookings are not undone."
      onClose={onClose}
    >
      <form noValidate onSubmit={form.onSubmit} className="space-y-4">
        <ReasonField label="What was found" form={form} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" look="primary" aria-disabled={form.isBusy}>
            {form.isBusy ? 'Resuming...' : 'Resume'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
