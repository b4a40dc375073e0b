interface MatchOffersProps<C> {
  offers: readonly { text: string; change: C }[];
  onChange(change: C): void;
}

/** Beside a list: its search's matches elsewhere, each one click away. */
export function MatchOffers<C>({ offers, onChange }: MatchOffersProps<C>) {
  if (offers.length === 0) return null;
  return (
    <section
      aria-label="Matches elsewhere"
      className="flex shrink-0 flex-wrap gap-x-5 gap-y-1 px-1 py-2.5 text-sm text-muted"
    >
      {offers.map(({ text, change }) => (
        <button
          key={text}
          type="button"
          onClick={() => onChange(change)}
          className="min-h-6 text-start tabular-nums underline decoration-line underline-offset-4 hover:text-ink"
        >
          {text}
        </button>
      ))}
    </section>
  );
}
