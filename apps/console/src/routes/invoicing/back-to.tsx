import { useNavigate } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { Button } from '../../ui/form/button.tsx';

interface BackToProps {
  to: '/invoices' | '/invoices/runs';
  look?: 'outline' | 'quiet';
  children: string;
}

/** The way back to the list that a screen belongs to. */
export function BackTo({ to, look = 'quiet', children }: BackToProps) {
  const navigate = useNavigate();
  return (
    <Button look={look} className={look === 'quiet' ? '-ms-3' : ''} onClick={() => void navigate({ to })}>
      <ArrowLeft className="size-4" aria-hidden="true" />
      {children}
    </Button>
  );
}
