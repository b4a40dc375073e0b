import { CheckField } from '../../../ui/forms/check-field.tsx';
import type { NamedProvider } from '../person-words.ts';

interface ProviderChecksProps {
  providers: readonly NamedProvider[];
  chosen: readonly string[];
  onChange(chosen: readonly string[]): void;
}

/** The providers that staff may see. */
export function ProviderChecks({ providers, chosen, onChange }: ProviderChecksProps) {
  return (
    <fieldset>
      <legend className="font-medium">Providers</legend>
      <div className="mt-1 grid max-h-48 gap-1 overflow-auto sm:grid-cols-2">
        {providers.map(({ id, display_name }) => (
          <CheckField
            key={id}
            label={display_name}
            checked={chosen.includes(id)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
            }
          />
        ))}
      </div>
      {chosen.length === 0 && (
        <p className="mt-1 text-xs text-muted">Without a provider there is nothing to see yet.</p>
      )}
    </fieldset>
  );
}
