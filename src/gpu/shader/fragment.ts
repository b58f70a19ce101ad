/** A piece of WGSL that names what it needs: declarations, functions, or an entry point. */
export interface Fragment {
  /** For messages and for telling pieces apart while debugging. */
  readonly name: string;
  readonly code: string;
  readonly requires?: readonly Fragment[];
}

/** The WGSL of these fragments and of everything they require, each once, requirements first. */
export function linkFragments(...roots: readonly Fragment[]): string {
  const linked = new Set<Fragment>();
  const visit = (fragment: Fragment) => {
    if (linked.has(fragment)) return;
    fragment.requires?.forEach(visit);
    linked.add(fragment);
  };
  roots.forEach(visit);
  return [...linked].map(({ name, code }) => `// ${name}\n${code.trim()}\n`).join("\n");
}
