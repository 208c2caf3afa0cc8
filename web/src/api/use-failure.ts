import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refetchFailedQueries } from './refetch-failed.ts'
import { configQuery } from './queries.ts'

interface Reading {
  readonly data: unknown
  readonly error: Error | null
  /** Error of the last attempt, while more follow. */
  readonly failureReason: Error | null
}

export interface Failure {
  readonly error: Error | null
  /** Retries immediately instead of when the next attempt is due. */
  readonly retry: () => void
}

/**
 * Why a page has nothing to show yet: set from the first failed attempt until data arrives. Every page needs
 * the event's configuration.
 */
export function useFailure(reading: Reading): Failure {
  const queries = useQueryClient()
  const own = useLastError(reading)
  const event = useLastError(useQuery(configQuery))
  const retry = () => refetchFailedQueries(queries)
  return { error: own ?? (reading.data === undefined ? event : null), retry }
}

function useLastError({ data, error, failureReason }: Reading): Error | null {
  const [last, setLast] = useState<Error | null>(null)
  const next = data === undefined ? (failureReason ?? error ?? last) : null
  if (next !== last) setLast(next)
  return next
}
