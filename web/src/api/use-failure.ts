import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { askAgain } from './ask-again.ts'
import { configQuery } from './queries.ts'

interface Reading {
  readonly data: unknown
  readonly error: Error | null
  /** Of the last try, while more follow. */
  readonly failureReason: Error | null
}

export interface Trouble {
  readonly failure: Error | null
  /** Asks at once, instead of when the next try is due. */
  readonly retry: () => void
}

/**
 * Why a page has nothing to show yet: from the first failed try on, and while more follow, until there is something.
 * Without the configuration of the event no page has.
 */
export function useTrouble(reading: Reading): Trouble {
  const queries = useQueryClient()
  const own = useFailure(reading)
  const event = useFailure(useQuery(configQuery))
  const retry = () => askAgain(queries)
  return { failure: own ?? (reading.data === undefined ? event : null), retry }
}

function useFailure({ data, error, failureReason }: Reading): Error | null {
  const [last, setLast] = useState<Error | null>(null)
  const next = data === undefined ? (failureReason ?? error ?? last) : null
  if (next !== last) setLast(next)
  return next
}
