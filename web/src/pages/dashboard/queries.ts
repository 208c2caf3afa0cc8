import { listAdminChallengesV2 } from '@pennant/contract/admin-challenges.ts'
import { filterSubmissions } from '@pennant/contract/admin-submissions.ts'
import { READY_PATH } from '@pennant/contract/health.ts'
import { readOverview, readStatistics } from '@pennant/contract/overview.ts'
import { queryOptions } from '@tanstack/react-query'
import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { requestData } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { runMany } from '../../organisers/run-many.ts'
import { refresh } from '../../state/live.ts'
import { ownFiles, type AdminChallenge } from './checks.ts'

const EVERY_MS = 5 * SECOND_MS
const HEALTH_TIMEOUT_MS = 5 * SECOND_MS
const FILE_TIMEOUT_MS = 15 * SECOND_MS
const LAST_SOLVES = 8

export type Overview = Awaited<ReturnType<typeof requestData<typeof readOverview>>>

export const overviewQuery = queryOptions({
  queryKey: [OWN_KEY, 'overview'],
  queryFn: ({ signal }) => requestData(readOverview, {}, { signal }),
  ...refresh(EVERY_MS),
})

export type Statistics = Awaited<ReturnType<typeof requestData<typeof readStatistics>>>

export const statisticsQuery = queryOptions({
  queryKey: [OWN_KEY, 'statistics'],
  queryFn: ({ signal }) => requestData(readStatistics, {}, { signal }),
  ...refresh(20 * SECOND_MS),
})

export const setChallengesQuery = queryOptions({
  queryKey: [OWN_KEY, 'dashboard-challenges'],
  queryFn: ({ signal }) => requestData(listAdminChallengesV2, {}, { signal }),
  ...refresh(30 * SECOND_MS),
})

export const lastSolvesQuery = queryOptions({
  queryKey: [OWN_KEY, 'last-solves'],
  queryFn: ({ signal }) =>
    requestData(
      filterSubmissions,
      { query: { limit: String(LAST_SOLVES), offset: '0' }, body: { result: { include: ['correct'] } } },
      { signal },
    ),
  ...refresh(EVERY_MS),
})

export interface Health {
  readonly isReady: boolean
  /** Response time of the server in milliseconds. */
  readonly tookMs: number
}

/** Readiness of the server and its dependencies. A failed request counts as not ready. */
export const healthQuery = queryOptions({
  queryKey: [OWN_KEY, 'health'],
  queryFn: async (): Promise<Health> => {
    const began = performance.now()
    const answer = await fetch(READY_PATH, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) }).catch(
      () => null,
    )
    // An unread body would keep the connection open.
    const body = await answer?.text().catch(() => null)
    const isReady = answer?.ok === true && typeof body === 'string'
    return { isReady, tookMs: performance.now() - began }
  },
  ...refresh(EVERY_MS),
})

/** URLs of this origin's challenge files that do not respond. */
export function missingFilesQuery(challenges: readonly AdminChallenge[]) {
  const files = ownFiles(challenges, location.origin)
  return queryOptions({
    queryKey: [OWN_KEY, 'missing-files', files],
    queryFn: async ({ signal }) => {
      const missing = new Set<string>()
      const run = async (file: string) => {
        const timeout = AbortSignal.any([signal, AbortSignal.timeout(FILE_TIMEOUT_MS)])
        // A redirect leads to file storage on another origin, which CORS does not let us read.
        const options = { method: 'HEAD', redirect: 'manual', signal: timeout } as const
        const response = await fetch(file, options).catch(() => null)
        if (!response?.ok && response?.type !== 'opaqueredirect') missing.add(file)
        return null
      }
      await runMany(files, { run, onProgress: () => {}, signal })
      return missing
    },
    ...refresh(5 * MINUTE_MS),
  })
}
