/** The package's own declarations are not found beside its module. */
declare module 'temml' {
  interface Options {
    readonly displayMode: boolean
    readonly throwOnError: boolean
    readonly trust: boolean
    readonly strict: boolean
    readonly maxExpand: number
    /** In em, and in points for other units. */
    readonly maxSize: readonly [number, number]
  }
  const temml: { render(source: string, place: HTMLElement, options: Options): void }
  export default temml
}
