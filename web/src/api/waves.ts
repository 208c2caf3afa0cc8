import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { readNextWave } from '@pennant/contract/waves.ts'
import { queryOptions } from '@tanstack/react-query'
import { refreshStreamed } from '../state/live.ts'
import { requestData } from './client.ts'

/** The next wave of challenges that players may know of, or null. The stream keeps it up to date. */
export const nextWaveQuery = queryOptions({
  queryKey: ['next-wave'],
  queryFn: async ({ signal }) => (await requestData(readNextWave, {}, { signal, turn: 'later' })).next,
  ...refreshStreamed(10 * MINUTE_MS),
})
