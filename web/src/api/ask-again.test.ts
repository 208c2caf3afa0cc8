import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { refetchFailedQueries } from './refetch-failed.ts'

test('a read that waits for its next retry is sent immediately', async () => {
  const queries = new QueryClient()
  const queryFn = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new Error('no'))
    .mockResolvedValue('yes')
  const observer = new QueryObserver(queries, { queryKey: ['it'], queryFn, retry: 3, retryDelay: HOUR_MS })
  const end = observer.subscribe(() => {})
  await vi.waitFor(() => expect(observer.getCurrentResult().failureCount).toBe(1))
  refetchFailedQueries(queries)
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('yes'))
  end()
  queries.clear()
})
