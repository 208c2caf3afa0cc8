import { useQuery } from '@tanstack/react-query'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { useConfig } from '../../api/use-contest.ts'
import { useTimed } from '../../state/clock.ts'
import { findingsOf, MAX_FILES, ownFiles, runChecks } from './checks.ts'
import { missingFilesQuery, setChallengesQuery } from './queries.ts'

const NO_FILES: ReadonlySet<string> = new Set()

/**
 * Findings of this browser and the checks that ran (null until the data is loaded), and the query they depend
 * on.
 */
export function useFindings() {
  const event = useConfig()
  const source = useQuery(setChallengesQuery)
  const challenges = source.data
  const files = useQuery({ ...missingFilesQuery(challenges ?? []), enabled: challenges !== undefined })
  const now = useTimed((at) => Math.floor(at / MINUTE_MS) * MINUTE_MS)
  const missingFiles = files.data ?? NO_FILES
  const findings = event && challenges ? findingsOf({ event, challenges, missingFiles, now }) : null
  // Files on other origins and beyond the limit are not requested, so they count as unchecked.
  const all = challenges?.filter(({ hidden }) => !hidden).flatMap((each) => each.files) ?? []
  const own = ownFiles(challenges ?? [], location.origin)
  const isComplete = own.length < MAX_FILES && new Set(all.map(({ url }) => url)).size === own.length
  const areFilesChecked = files.isSuccess && isComplete
  const ran = event && challenges ? runChecks({ event, challenges, areFilesChecked, now }) : null
  return { findings, ran, source }
}
