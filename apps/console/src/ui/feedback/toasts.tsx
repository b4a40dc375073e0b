import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import Info from 'lucide-react/icons/info';
import X from 'lucide-react/icons/x';
import { Toast } from 'radix-ui';
import { useStore } from '../../lib/store.ts';
import { dismissToast, toasts } from './toast-store.ts';

const DURATION_MS = 5_000;
/** An offered action needs more time. */
const WITH_ACTION_MS = 10_000;
const SWIPE_PX = 50;
const ICONS = { neutral: Info, positive: CircleCheck, negative: CircleAlert } as const;
const COLOURS = { neutral: 'text-muted', positive: 'text-positive', negative: 'text-negative' } as const;

export default function Toasts() {
  const items = useStore(toasts);
  return (
    <Toast.Provider duration={DURATION_MS} swipeThreshold={SWIPE_PX} swipeDirection="right" label="Message">
      {items.map((item) => {
        const Icon = ICONS[item.tone];
        return (
          <Toast.Root
            key={item.id}
            duration={item.action ? WITH_ACTION_MS : DURATION_MS}
            onOpenChange={(open) => !open && dismissToast(item.id)}
            className="flex items-start gap-2.5 rounded-lg border border-line bg-raised p-3 shadow-raised data-[swipe=move]:translate-x-[var(--radix-toast-swipe-move-x)]"
          >
            <Icon className={`mt-0.5 size-4 shrink-0 ${COLOURS[item.tone]}`} aria-hidden="true" />
            <div className="min-w-0 flex-1">
              <Toast.Title className="font-medium">{item.title}</Toast.Title>
              {item.text && (
                <Toast.Description className="break-words text-muted">{item.text}</Toast.Description>
              )}
            </div>
            {item.action && (
              <Toast.Action
                altText={item.action.label}
                onClick={item.action.onSelect}
                className="-my-0.5 h-6 shrink-0 rounded px-2 font-medium text-accent hover:bg-accent-soft"
              >
                {item.action.label}
              </Toast.Action>
            )}
            <Toast.Close
              aria-label="Dismiss"
              className="-m-1 flex size-6 items-center justify-center rounded text-muted hover:text-ink"
            >
              <X className="size-3.5" aria-hidden="true" />
            </Toast.Close>
          </Toast.Root>
        );
      })}
      <Toast.Viewport
        hotkey={['F8']}
        className="fixed end-0 bottom-0 z-50 m-0 flex w-96 max-w-full list-none flex-col gap-2 p-4 outline-none"
      />
    </Toast.Provider>
  );
}
