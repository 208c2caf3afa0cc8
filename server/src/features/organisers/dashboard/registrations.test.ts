import { expect, test } from 'vitest'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { countRegistrations, registrationFindings } from './registrations.ts'

const clockMs = 1_900_000_000_000

test.each([
  ['no registrations', 0, 0, false],
  ['a busy start', 99, 0, false],
  ['the first hundred', 100, 0, true],
  ['four times the usual number', 400, 600, false],
  ['more than four times the usual number', 401, 600, true],
])('%s: %d after %d in the hour before', (...[, recent, earlier, isSurge]) => {
  expect(registrationFindings({ recent, earlier })).toHaveLength(isSurge ? 1 : 0)
})

test('counts teams of the last ten minutes, pending registrations, and the hour before', () => {
  const ages = [0, 9, 11, 69, 71]
  const teams = ages.map((age) => ({ createdAt: clockMs - age * MINUTE_MS }))
  const counts = countRegistrations(teams as never, { newVerifications: 5, clockMs })
  expect(counts).toEqual({ recent: 7, earlier: 2 })
})

test('the warning has the number and the remedy', () => {
  const [finding] = registrationFindings({ recent: 412, earlier: 30 })
  expect(finding?.code).toBe('registrationSurge')
  expect(finding?.text).toMatch(/^412 teams registered .* captcha .* `registrationLimit`/)
})
