/** Said below a chart whose axis does not reach zero: its heights do not compare. */
export function AxisBreak({ from }: { from: string }) {
  return <p className="mt-0.5 text-xs text-muted">The axis begins at {from}, not at zero.</p>;
}
