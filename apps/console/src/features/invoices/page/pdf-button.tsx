import { LANGUAGES, type Language } from '@copydesk/domain/catalogue';
import { shortId } from '@copydesk/domain/money';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { open } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { saveResponse } from '../../../lib/api/download.ts';
import { languageName } from '../../../lib/format/language-name.ts';
import { useCan } from '../../../lib/rights.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Menu, MenuItem } from '../../../ui/form/menu.tsx';

/**
 * Saves an invoice as a paper for its trader, in the trader's language or another one. Nothing for people whose roles
 * exclude exports.
 */
export function PdfButton({ invoiceId }: { invoiceId: string }) {
  const [isBusy, setBusy] = useState(false);
  const isAllowed = useCan('data:export');
  const save = async (language?: Language) => {
    if (isBusy) return;
    setBusy(true);
    try {
      const response = await open('GET /api/invoices/{id}/pdf', {
        params: { id: invoiceId },
        query: language ? { language } : {},
      });
      await saveResponse(response, `invoice-${shortId(invoiceId)}.pdf`);
    } catch (error) {
      toast({ tone: 'negative', title: 'The PDF could not be written', text: messageOf(error) });
    } finally {
      setBusy(false);
    }
  };
  if (!isAllowed) return null;
  return (
    <Menu
      label="Save as PDF"
      trigger={
        <Button aria-disabled={isBusy}>
          <Download className="size-4" aria-hidden="true" />
          {isBusy ? 'Writing PDF...' : 'PDF'}
          <ChevronDown className="size-4" aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem text="In the trader's language" onSelect={() => void save()} />
      {LANGUAGES.map((language) => (
        <MenuItem key={language} text={languageName(language)} onSelect={() => void save(language)} />
      ))}
    </Menu>
  );
}
