import { listAdminChallengesV2 } from '@pennant/contract/admin-challenges.ts'
import { filterSubmissions } from '@pennant/contract/admin-submissions.ts'
import { readyPath } from '@pennant/contract/health.ts'
import { readOverview } from '@pennant/contract/overview.ts'
import { queryOptions } from '@tanstack/react-query'
import { ask } from '../../api/client.ts'
import { ownKey } from '../../api/queries.ts'
import { runMany } from '../../layout/organiser-list/run-many.ts'
import { refresh } from '../../state/live.ts'
import { ownFiles, type AdminChallenge } from './checks.ts'
import { triesOf } from './tries.ts'

const SECOND_MS = 1000
const EVERY_MS = 5 * SECOND_MS
const MINUTE_MS = 60 * SECOND_MS
const HEALTH_TIMEOUT_MS = 5 * SECOND_MS
const FILE_TIMEOUT_MS = 15 * SECOND_MS
const LAST_SOLVES = 10

export type Overview = Awaited<ReturnType<typeof ask<typeof readOverview>>>

export const overviewQuery = queryOptions({
  queryKey: [ownKey, 'overview'],
  queryFn: ({ signal }) => ask(readOverview, {}, { signal }),
  ...refresh(EVERY_MS),
})

export const setChallengesQuery = queryOptions({
  queryKey: [ownKey, 'dashboard-challenges'],
  queryFn: ({ signal }) => ask(listAdminChallengesV2, {}, { signal }),
  ...refresh(30 * SECOND_MS),
})

export const lastSolvesQuery = queryOptions({
  queryKey: [ownKey, 'last-solves'],
  queryFn: ({ signal }) =>
    ask(
      filterSubmissions,
      { query: { limit: String(LAST_SOLVES), offset: '0' }, body: { result: { include: ['correct'] } } },
      { signal },
    ),
  ...refresh(EVERY_MS),
})

export interface Health {
  readonly isReady: boolean
  /** Of the server's answer, milliseconds. */
  readonly tookMs: number
}

/** Whether the server and what it stands on answer. No answer is an answer too. */
export const healthQuery = queryOptions({
  queryKey: [ownKey, 'health'],
  queryFn: async (): Promise<Health> => {
    const began = performance.now()
    const answer = await fetch(readyPath, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) }).catch(
      () => null,
    )
    // A body that nobody reads keeps its request open.
    const body = await answer?.text().catch(() => null)
    const isReady = answer?.ok === true && typeof body === 'string'
    return { isReady, tookMs: performance.now() - began }
  },
  ...refresh(EVERY_MS),
})

/** How many wrong flags were sent for challenges that nobody has solved; those without any are left out. */
export function wrongAnswersQuery(unsolved: readonly string[]) {
  return queryOptions({
    // Without the challenges: each solve would have all of them counted anew.
    queryKey: [ownKey, 'wrong-answers'],
    queryFn: ({ signal }) => {
      const count = async (id: string) => {
        const body = { challenge: { include: [id] }, result: { include: ['incorrect' as const] } }
        const query = { limit: '1', offset: '0' }
        return (await ask(filterSubmissions, { query, body }, { signal })).total
      }
      return triesOf(unsolved, { count, signal })
    },
    ...refresh(MINUTE_MS),
  })
}

/** Addresses of this host's challenge files that do not answer. */
export function missingFilesQuery(challenges: readonly AdminChallenge[]) {
  const files = ownFiles(challenges, location.origin)
  return queryOptions({
    queryKey: [ownKey, 'missing-files', files],
    queryFn: async ({ signal }) => {
      const missing = new Set<string>()
      const deed = async (file: string) => {
        const timeout = AbortSignal.any([signal, AbortSignal.timeout(FILE_TIMEOUT_MS)])
        const answer = await fetch(file, { method: 'HEAD', signal: timeout }).catch(() => null)
        if (!answer?.ok) missing.add(file)
        return null
      }
      await runMany(files, { deed, onProgress: () => {}, signal })
      return missing
    },
    ...refresh(5 * MINUTE_MS),
  })
}
