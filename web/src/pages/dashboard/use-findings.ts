import { useQuery } from '@tanstack/react-query'
import { useConfig } from '../../api/use-contest.ts'
import { useTimed } from '../../state/clock.ts'
import { findingsOf } from './checks.ts'
import { missingFilesQuery, setChallengesQuery } from './queries.ts'

const MINUTE_MS = 60_000
const NO_FILES: ReadonlySet<string> = new Set()

/** What this browser finds wrong, null until it could look; and what it looks at. */
export function useFindings() {
  const event = useConfig()
  const source = useQuery(setChallengesQuery)
  const challenges = source.data
  const files = useQuery({ ...missingFilesQuery(challenges ?? []), enabled: challenges !== undefined })
  const now = useTimed((at) => Math.floor(at / MINUTE_MS) * MINUTE_MS)
  const missingFiles = files.data ?? NO_FILES
  const findings = event && challenges ? findingsOf({ event, challenges, missingFiles, now }) : null
  return { findings, source }
}
