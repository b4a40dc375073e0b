import CircleAlert from 'lucide-react/icons/circle-alert';

/** Why the form as a whole was refused. Always in the page, so that a new text is announced. */
export function FormError({ message }: { message: string | null }) {
  return (
    <div role="alert">
      {message && (
        <p className="flex items-start gap-2 rounded-md bg-negative-soft px-3 py-2 text-negative">
          <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          {message}
        </p>
      )}
    </div>
  );
}
