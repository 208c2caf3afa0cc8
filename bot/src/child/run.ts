/** Loaded on demand: neither the worker nor the compiling child needs the browser driver. */
const CHILDREN = {
  compile: async () => (await import('./run-compile.ts')).runCompile(),
  egress: async () => (await import('./run-egress.ts')).runEgress(),
  visit: async () => (await import('./run-visit.ts')).runVisit(),
}
export type ChildName = keyof typeof CHILDREN

export function isChildName(text: string | undefined): text is ChildName {
  return text !== undefined && Object.hasOwn(CHILDREN, text)
}

/** Runs the program as a child of the worker. */
export async function runChild(name: ChildName): Promise<void> {
  await CHILDREN[name]()
}
