/** Every cycle in a graph that a depth-first walk closes, each as the path that returns to its start. */
export function findCycles(graph: Map<string, string[]>): string[][] {
  const cycles: string[][] = [];
  const finished = new Set<string>();
  const trail: string[] = [];
  const visit = (node: string) => {
    if (finished.has(node)) return;
    const start = trail.indexOf(node);
    if (start >= 0) {
      cycles.push([...trail.slice(start), node]);
      return;
    }
    trail.push(node);
    for (const next of graph.get(node) ?? []) visit(next);
    trail.pop();
    finished.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return cycles;
}
