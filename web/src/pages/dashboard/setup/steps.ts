// What a new server needs before players can come.

export const STEPS = ['about', 'times', 'challenge', 'registration'] as const
export type Step = (typeof STEPS)[number]

/** The name that the server has until someone chooses one. */
export const UNNAMED = 'Pennant'

interface Known {
  readonly event: {
    readonly ctfName: string
    readonly startTime: number
    readonly endTime: number
    /** False while no one has set a start. */
    readonly scheduled?: false | undefined
    readonly registrationsEnabled?: boolean | null | undefined
  }
  readonly challenges: readonly { readonly hidden: boolean }[]
}

/** Read from the server's state, so a step that is done elsewhere, such as in the configuration, is done here. */
export function doneSteps({ event, challenges }: Known): ReadonlySet<Step> {
  const isDone: Record<Step, boolean> = {
    about: event.ctfName !== UNNAMED,
    times: event.scheduled !== false && event.startTime < event.endTime,
    challenge: challenges.some(({ hidden }) => !hidden),
    registration: event.registrationsEnabled !== false,
  }
  return new Set(STEPS.filter((step) => isDone[step]))
}

/** An id for a new challenge that no other one has. */
export function freeChallengeId(category: string, name: string, taken: ReadonlySet<string>): string {
  const slug = `${category} ${name}`
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100)
  const base = slug || 'challenge'
  // Ends: one of these is free, because only so many are taken.
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}-${number}`
    if (!taken.has(id) && id !== RESERVED) return id
  }
}

/** The page for a new challenge has this id's address. */
const RESERVED = 'new'
