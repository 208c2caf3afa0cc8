import type { listAdminChallengesV2 } from '@pennant/contract/admin-challenges.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import type { requestData } from '../../api/client.ts'

// Checks that run in the browser, on data that organisers can read. The server reports the rest in its
// overview.

/** Maximum number of files to check, to limit the load. */
export const MAX_FILES = 200

export type AdminChallenge = Awaited<ReturnType<typeof requestData<typeof listAdminChallengesV2>>>[number]

interface Event {
  readonly startTime: number
  readonly endTime: number
  /** False while no one has set a start. */
  readonly scheduled?: false | undefined
  readonly registrationsEnabled?: boolean | null | undefined
}

export type Check =
  | 'scheduled'
  | 'visible'
  | 'flag'
  | 'points'
  | 'release'
  | 'times'
  | 'dynamicFlag'
  | 'files'
  | 'description'
  | 'registrations'

/** All checks in list order. */
export const CHECKS: readonly Check[] = [
  'scheduled',
  'times',
  'registrations',
  'visible',
  'flag',
  'points',
  'release',
  'dynamicFlag',
  'files',
  'description',
]

export interface Finding {
  readonly check: Check
  /** The affected challenges; empty if the finding is about the event. */
  readonly challenges: readonly AdminChallenge[]
}

interface Checked {
  readonly event: Event
  readonly challenges: readonly AdminChallenge[]
  /** URLs of files that did not respond. */
  readonly missingFiles: ReadonlySet<string>
  /** Unix milliseconds. */
  readonly now: number
}

/** Returns the findings in the order of `CHECKS`. */
export function findingsOf({ event, challenges, missingFiles, now }: Checked): Finding[] {
  const shown = challenges.filter(({ hidden }) => !hidden)
  const about: Partial<Record<Check, boolean>> = {
    scheduled: event.scheduled === false,
    visible: shown.length === 0,
    times: event.scheduled !== false && event.endTime <= event.startTime,
    registrations: event.registrationsEnabled === false && now < event.startTime,
  }
  const tests: Partial<Record<Check, (challenge: AdminChallenge) => boolean>> = {
    flag: ({ flags, scoring }) => flags.length === 0 && scoring.kind !== 'dynamic',
    points: ({ points, scoring }) => scoring.kind !== 'dynamic' && points.min > points.max,
    release: ({ releaseTime }) => releaseTime !== null && releaseTime >= event.endTime,
    dynamicFlag: ({ flags, instancerConfig, adminBotConfig }) =>
      flags.some(({ provider }) => provider === 'flags/dynamic') && !instancerConfig && !adminBotConfig,
    files: ({ files }) => files.some(({ url }) => missingFiles.has(url)),
    ...(isSoon(event, now) ? { description: ({ description }) => description.trim() === '' } : {}),
  }
  return CHECKS.flatMap((check) => {
    if (about[check]) return [{ check, challenges: [] }]
    const wrong = shown.filter((challenge) => tests[check]?.(challenge) ?? false)
    return wrong.length === 0 ? [] : [{ check, challenges: wrong }]
  })
}

/**
 * The checks that looked at something, in list order. The others are not listed as passed: without visible
 * challenges, for example, no flag was checked.
 */
export function runChecks({ event, challenges, areFilesChecked, now }: Ran): Check[] {
  const shown = challenges.filter(({ hidden }) => !hidden)
  const hasDynamic = shown.some(({ flags }) => flags.some(({ provider }) => provider === 'flags/dynamic'))
  const ran: Record<Check, boolean> = {
    scheduled: true,
    times: event.scheduled !== false,
    registrations: true,
    visible: true,
    flag: shown.length > 0,
    points: shown.length > 0,
    release: shown.some(({ releaseTime }) => releaseTime !== null),
    dynamicFlag: hasDynamic,
    files: areFilesChecked && shown.some(({ files }) => files.length > 0),
    description: shown.length > 0 && isSoon(event, now),
  }
  return CHECKS.filter((check) => ran[check])
}

interface Ran extends Pick<Checked, 'event' | 'challenges' | 'now'> {
  /** Whether every file of this origin was requested. */
  readonly areFilesChecked: boolean
}

function isSoon({ startTime }: Event, now: number): boolean {
  return now < startTime && startTime - now <= HOUR_MS
}

/** URLs of visible challenge files on this origin. Other origins may block cross-origin requests. */
export function ownFiles(challenges: readonly AdminChallenge[], origin: string): string[] {
  const all = challenges.filter(({ hidden }) => !hidden).flatMap(({ files }) => files.map(({ url }) => url))
  const isOwn = (url: string) => URL.canParse(url, origin) && new URL(url, origin).origin === origin
  return [...new Set(all.filter(isOwn))].slice(0, MAX_FILES)
}
