import Check from 'lucide-react/icons/check';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import type { OrganizationChoice } from './organization-choice.ts';

/** Opens at once: it is loaded on demand. */
export default function OrgMenu({ choice, trigger }: { choice: OrganizationChoice; trigger: ReactNode }) {
  const { options, present, choose } = choice;
  return (
    <DropdownMenu.Root defaultOpen modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Content
        align="end"
        sideOffset={6}
        className="z-40 max-h-96 min-w-56 max-w-80 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-raised"
      >
        <DropdownMenu.RadioGroup value={present.id ?? ''} onValueChange={(id) => choose(id || null)}>
          {options.map(({ id, name }) => (
            <DropdownMenu.RadioItem
              key={id}
              value={id ?? ''}
              className="flex h-8 cursor-pointer items-center gap-2.5 rounded px-2 outline-none select-none data-[highlighted]:bg-subtle"
            >
              <span className="truncate">{name}</span>
              <DropdownMenu.ItemIndicator className="ms-auto">
                <Check className="size-4 shrink-0 text-accent" aria-hidden="true" />
              </DropdownMenu.ItemIndicator>
            </DropdownMenu.RadioItem>
          ))}
        </DropdownMenu.RadioGroup>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
