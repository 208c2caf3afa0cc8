export type Phase = 'before' | 'running' | 'ended' | 'archived'

interface Window {
  readonly startTime: number
  readonly endTime: number
  readonly isArchived: boolean
}

/** Where the contest stands. The start itself is open, the end itself is over, as the gates of the API say. */
export function phaseOf({ startTime, endTime, isArchived }: Window, now: number): Phase {
  if (isArchived) return 'archived'
  if (now < startTime) return 'before'
  return now < endTime ? 'running' : 'ended'
}
