/** How someone signed in, without what a provider says besides. `names` by method. */
export function methodNames(methods: readonly string[], names: Readonly<Record<string, string>>): string {
  return methods.flatMap((method) => (Object.hasOwn(names, method) ? [names[method]] : [])).join(' + ')
}
