/** A file for programs, rendered for each request. */
export interface TextFile {
  readonly type: string
  readonly text: () => string
}
