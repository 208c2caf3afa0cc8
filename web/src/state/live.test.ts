import { expect, test, vi } from 'vitest'

test('a list is refetched while one page is loaded, but not with several', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  const { refresh } = await import('./live.ts')
  const { refetchInterval } = refresh(15_000)
  const waitWith = (data: unknown) =>
    refetchInterval({
      queryHash: 'list',
      state: { data, dataUpdateCount: 1, dataUpdatedAt: 1, errorUpdatedAt: 0 },
    })
  expect(waitWith(undefined)).toBeGreaterThan(0)
  expect(waitWith({ pages: [1] })).toBeGreaterThan(0)
  expect(waitWith({ pages: [1, 2] })).toBe(false)
  vi.unstubAllGlobals()
})
