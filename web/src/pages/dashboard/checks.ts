import type { listAdminChallengesV2 } from '@pennant/contract/admin-challenges.ts'
import type { ask } from '../../api/client.ts'

// What the dashboard checks itself, from what organisers may read; the server reports the rest with its overview.

const HOUR_MS = 3_600_000
/** Files that are asked after: more would be a load of their own. */
export const MOST_FILES = 200

export type AdminChallenge = Awaited<ReturnType<typeof ask<typeof listAdminChallengesV2>>>[number]

interface Event {
  readonly startTime: number
  readonly endTime: number
  readonly registrationsEnabled?: boolean | null | undefined
}

export type Check =
  | 'flag'
  | 'points'
  | 'release'
  | 'times'
  | 'dynamicFlag'
  | 'files'
  | 'description'
  | 'registrations'

/** Of all checks, in the order of the list. */
export const CHECKS: readonly Check[] = [
  'times',
  'registrations',
  'flag',
  'points',
  'release',
  'dynamicFlag',
  'files',
  'description',
]

export interface Finding {
  readonly check: Check
  /** The challenges that it is about; empty when it is about the event. */
  readonly challenges: readonly AdminChallenge[]
}

interface Checked {
  readonly event: Event
  readonly challenges: readonly AdminChallenge[]
  /** Addresses of files that did not answer. */
  readonly missingFiles: ReadonlySet<string>
  /** Unix milliseconds. */
  readonly now: number
}

/** What is wrong, in the order of `CHECKS`. */
export function findingsOf({ event, challenges, missingFiles, now }: Checked): Finding[] {
  const shown = challenges.filter(({ hidden }) => !hidden)
  const isSoon = now < event.startTime && event.startTime - now <= HOUR_MS
  const about: Partial<Record<Check, boolean>> = {
    times: event.endTime <= event.startTime,
    registrations: event.registrationsEnabled === false && now < event.startTime,
  }
  const tests: Partial<Record<Check, (challenge: AdminChallenge) => boolean>> = {
    flag: ({ flags, scoring }) => flags.length === 0 && scoring.kind !== 'dynamic',
    points: ({ points, scoring }) => scoring.kind !== 'dynamic' && points.min > points.max,
    release: ({ releaseTime }) => releaseTime !== null && releaseTime >= event.endTime,
    dynamicFlag: ({ flags, instancerConfig, adminBotConfig }) =>
      flags.some(({ provider }) => provider === 'flags/dynamic') && !instancerConfig && !adminBotConfig,
    files: ({ files }) => files.some(({ url }) => missingFiles.has(url)),
    ...(isSoon ? { description: ({ description }) => description.trim() === '' } : {}),
  }
  return CHECKS.flatMap((check) => {
    if (about[check]) return [{ check, challenges: [] }]
    const wrong = shown.filter((challenge) => tests[check]?.(challenge) ?? false)
    return wrong.length === 0 ? [] : [{ check, challenges: wrong }]
  })
}

/** Addresses of files of visible challenges that this host serves: others may forbid to be asked from here. */
export function ownFiles(challenges: readonly AdminChallenge[], origin: string): string[] {
  const all = challenges.filter(({ hidden }) => !hidden).flatMap(({ files }) => files.map(({ url }) => url))
  const isOwn = (url: string) => URL.canParse(url, origin) && new URL(url, origin).origin === origin
  return [...new Set(all.filter(isOwn))].slice(0, MOST_FILES)
}
