export interface CtfdOptions {
  /** What becomes of hidden accounts: they are banned, so that they do not count, or left out. */
  readonly hidden: 'ban' | 'skip'
  /** Whether users of the type admin get all permissions. */
  readonly admins: boolean
  /** Whether awards become score adjustments or pushed points, or are lost. */
  readonly awards: 'adjust' | 'feed' | 'skip'
  /** Whether challenges keep the points that they had at the export, or decay by Pennant's formula. */
  readonly scoring: 'static' | 'decay'
  /** Challenges that no one can open, or whose prerequisites cannot be kept. */
  readonly locked: 'hide' | 'open'
  /** End of the event in Unix milliseconds, if the source has none or another one is wanted. */
  readonly end: number | null
  /** Divisions of this contest, id to label. */
  readonly divisions: Readonly<Record<string, string>>
  readonly defaultDivision: string
  /** Brackets of the source and divisions of this contest. */
  readonly mapped: ReadonlyMap<string, string>
  /** Whether new sign-in links are written. */
  readonly issuesLinks: boolean
}
