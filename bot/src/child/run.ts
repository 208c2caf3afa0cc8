/** Loaded when they run: neither the worker nor the compiling child needs a browser's driver. */
const CHILDREN = {
  compile: async () => (await import('./run-compile.ts')).runCompile(),
  visit: async () => (await import('./run-visit.ts')).runVisit(),
}
export type ChildName = keyof typeof CHILDREN

export function isChildName(text: string | undefined): text is ChildName {
  return text !== undefined && Object.hasOwn(CHILDREN, text)
}

/** What the program does as a child of the worker. */
export async function runChild(name: ChildName): Promise<void> {
  await CHILDREN[name]()
}
