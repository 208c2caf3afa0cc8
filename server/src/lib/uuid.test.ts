import { expect, test, vi } from 'vitest'
import { orderedId } from './uuid.ts'

test('ordered ids are valid, increase, and differ, also when the clock is set back', () => {
  const ids: string[] = []
  const many = () => ids.push(...Array.from({ length: 3000 }, orderedId))
  many()
  const past = Date.now() - 60_000
  const clock = vi.spyOn(Date, 'now').mockReturnValue(past)
  many()
  clock.mockRestore()
  many()
  expect(ids.every((id) => /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id))).toBe(
    true,
  )
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids.map((id) => id.slice(24))).size).toBe(ids.length)
})
