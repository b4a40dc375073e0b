/** As our own fields: the service draws its border as a shadow, too faint to find the field by. */
const field = {
  boxShadow: '0 0 0 1px var(--control) !important',
  // The boxes of a code share one field.
  '&:focus, &[data-focus-within="true"]': { boxShadow: '0 0 0 2px var(--ring) !important' },
  '&[data-feedback="error"], &[aria-invalid="true"]': { boxShadow: '0 0 0 1px var(--negative) !important' },
};

/** The service's components in the colours of the console. They are custom properties, so both themes are covered. */
export const appearance = {
  variables: {
    // The service also writes with it, as in links, so filled surfaces use --primary below. Not --accent: the
    // service has a property of that name, and a colour cannot be defined by itself.
    colorPrimary: 'var(--brand)',
    colorPrimaryForeground: 'var(--on-accent)',
    colorBackground: 'var(--surface)',
    colorForeground: 'var(--ink)',
    colorMutedForeground: 'var(--muted)',
    colorMuted: 'var(--subtle)',
    colorInput: 'var(--surface)',
    colorInputForeground: 'var(--ink)',
    colorBorder: 'var(--control)',
    colorNeutral: 'var(--ink)',
    colorDanger: 'var(--negative)',
    colorSuccess: 'var(--positive)',
    colorRing: 'var(--ring)',
    fontFamily: 'inherit',
    fontSize: '0.8125rem',
    borderRadius: '6px',
  },
  elements: {
    rootBox: { width: '100%' },
    // Within our own card; the ring of a field reaches over its edge.
    cardBox: { width: '100%', boxShadow: 'none', border: 'none', overflow: 'visible' },
    card: { boxShadow: 'none', overflow: 'visible' },
    formFieldInput: field,
    otpCodeFieldInput: field,
    formButtonPrimary: {
      height: '2.25rem',
      backgroundColor: 'var(--primary)',
      boxShadow: 'none',
      '&:focus-visible': { outline: '2px solid var(--ring)', outlineOffset: '2px', boxShadow: 'none' },
      '&::after': { display: 'none' },
      '&:hover': { backgroundColor: 'var(--primary-strong)' },
    },
    badge: { color: 'var(--muted)', backgroundColor: 'var(--subtle)', boxShadow: 'none' },
    // A dialog of ours below it has darkened the page.
    modalBackdrop: { backgroundColor: 'rgb(0 0 0 / 40%)' },
    modalCloseButton: { width: '2rem', height: '2rem' },
  },
};

/** A form that is the only content of our card: with its edge, beginning where our own texts begin. */
export const inOurCard = {
  elements: {
    card: { padding: 0, gap: '1.25rem', background: 'transparent' },
    header: { alignItems: 'flex-start', textAlign: 'left' as const },
    identityPreview: { justifyContent: 'flex-start', marginInline: 0, padding: 0 },
    headerTitle: { fontSize: '1.125rem', lineHeight: '1.75rem', letterSpacing: '-0.025em' },
    // Its ways on are ours, below the form.
    footer: { display: 'none' },
  },
};

/** The account, as a panel of the page, which has a title already. */
export const asPanel = {
  elements: {
    cardBox: {
      width: '100%',
      height: 'auto',
      minHeight: '26rem',
      overflow: 'hidden',
      border: '1px solid var(--line)',
      borderRadius: '0.75rem',
    },
    navbar: { background: 'var(--subtle)', borderRadius: 0, '& h1, & h1 + p': { display: 'none' } },
    scrollBox: { borderRadius: 0, margin: 0, boxShadow: 'none' },
  },
};
