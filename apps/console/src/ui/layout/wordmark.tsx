/** A C whose opening sends a line outwards, as a copied trade leaves its source; with the name unless there is no room. */
export function Wordmark({ isMark = false }: { isMark?: boolean }) {
  return (
    <span className="flex items-center gap-2 font-semibold tracking-tight text-base text-ink">
      <svg viewBox="0 0 32 32" className="size-6 shrink-0" aria-hidden="true">
        <rect width="32" height="32" rx="8" className="fill-[#4b51cf]" />
        <g fill="none" stroke="#fff" strokeWidth="3" strokeLinecap="round">
          <path d="M19.5 8.5h-6a5 5 0 0 0-5 5v5a5 5 0 0 0 5 5h6" />
          <path d="M15.5 16h8" />
        </g>
        <circle cx="23.5" cy="16" r="2.25" fill="#fff" />
      </svg>
      {!isMark && <span className="max-[359px]:sr-only">Copydesk</span>}
    </span>
  );
}
