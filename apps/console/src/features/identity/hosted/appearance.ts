/** The service's components in the colours of the console. They are custom properties, so both themes are covered. */
export const appearance = {
  variables: {
    colorPrimary: 'var(--accent)',
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
    borderRadius: '6px',
  },
  elements: {
    rootBox: { width: '100%' },
    // Within our own card; the ring of a field reaches over its edge.
    cardBox: { width: '100%', boxShadow: 'none', border: 'none', overflow: 'visible' },
    card: { boxShadow: 'none', overflow: 'visible' },
  },
};
