import type { QueryClient } from '@tanstack/react-query'
import { configQuery } from '../../api/queries.ts'

/** Asks for the track of each team, in an event with tracks. */
export function tracksOf(client: QueryClient) {
  return client.getQueryData(configQuery.queryKey)?.tracks ? { track: 'main' } : {}
}
