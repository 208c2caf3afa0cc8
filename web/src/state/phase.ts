export type Phase = 'before' | 'running' | 'ended' | 'archived'

interface Window {
  readonly startTime: number
  readonly endTime: number
  readonly isArchived: boolean
}

/**
 * The phase of the contest. The start instant counts as running, the end instant as over, like in the API.
 */
export function phaseOf({ startTime, endTime, isArchived }: Window, now: number): Phase {
  if (isArchived) return 'archived'
  if (now < startTime) return 'before'
  return now < endTime ? 'running' : 'ended'
}
