/** The npm that started this process, with its first arguments. */
export function npmCommand(): {
  readonly file: string
  readonly args: readonly string[]
  readonly shell: boolean
}
