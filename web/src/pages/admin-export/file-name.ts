interface FileNameOptions {
  readonly event: string
  readonly what: string
  readonly isFinal: boolean
  /** Unix milliseconds. */
  readonly at: number
  readonly ending: string
}

const MAX_EVENT = 60

/**
 * Example: `harbour-ctf-standings-final-2026-11-21T09-42-00Z.json`. Sorts by time and is valid on every
 * system.
 */
export function fileName({ event, what, isFinal, at, ending }: FileNameOptions): string {
  const words = event
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ['event']
  const name = words.join('-').slice(0, MAX_EVENT)
  const time = new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')
  return `${name}-${what}-${isFinal ? 'final' : 'provisional'}-${time}Z.${ending}`
}
