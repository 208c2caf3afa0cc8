import { expect, test } from 'vitest'
import { describeEndedNode } from './node-lines.ts'

const at = (time: string, version: string) => describeEndedNode(Date.parse(time), version)

test('reports a line of Node from the day after its last one', () => {
  expect(at('2026-04-30T23:59:59.999Z', '20.19.0')).toBeNull()
  expect(at('2026-05-01T00:00:00Z', '20.19.0')).toEqual({
    finding: 'Node 20 has had no security updates since 2026-04-30; this is 20.19.0.',
    remedy: 'Use a supported line: 22, 24, 26.',
  })
  expect(at('2026-05-01T00:00:00Z', '22.11.0')).toBeNull()
  expect(at('2027-05-01T00:00:00Z', '22.11.0')?.remedy).toBe('Use a supported line: 24, 26.')
  expect(at('2040-01-01T00:00:00Z', '26.0.0')?.remedy).toBe('Use a supported line.')
})

test('reports odd lines, which end early, and no line that it does not know', () => {
  expect(at('2026-11-01T00:00:00Z', '25.3.0')?.finding).toContain('since 2026-06-01')
  expect(at('2040-01-01T00:00:00Z', '27.0.0')).toBeNull()
})
