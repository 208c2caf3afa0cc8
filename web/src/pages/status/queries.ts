import { readStatus, type Incident } from '@pennant/contract/status.ts'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { requestData } from '../../api/client.ts'
import { refresh } from '../../state/live.ts'

export type IncidentView = z.output<typeof Incident>

export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => requestData(readStatus, {}, { signal }),
  ...refresh(15 * SECOND_MS),
})
