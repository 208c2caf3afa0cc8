import { expect, test } from 'vitest'
import { findGrowth, tableOf, type Window } from './growth.ts'

const NONE: ReadonlyMap<string, number> = new Map()

/** Twelve windows; the function gives what differs in each. */
const windows = (change: (at: number) => Partial<Window> = () => ({})): Window[] =>
  Array.from({ length: 12 }, (_, at) => ({
    count: 5000,
    p50Ms: 2,
    p99Ms: 20,
    errors: NONE,
    heapMib: 60,
    residentMib: 180,
    ...change(at),
  }))

test('accepts a steady server, whatever the warm-up and single windows are', () => {
  expect(findGrowth(windows(), { latency: true })).toEqual([])
  const uneven = windows((at) => (at === 0 ? { heapMib: 30, p99Ms: 300 } : at === 10 ? { p99Ms: 900 } : {}))
  expect(findGrowth(uneven, { latency: true })).toEqual([])
})

test('reports memory and latencies that grow', () => {
  const leaking = windows((at) => ({ heapMib: 60 + at * 12, residentMib: 180 + at * 30 }))
  expect(findGrowth(leaking, { latency: true })).toEqual([
    'MiB of heap: 108.0 early, 180.0 late',
    'MiB of resident memory: 300.0 early, 480.0 late',
  ])
  const slower = windows((at) => ({ p99Ms: 20 + at * 20 }))
  expect(findGrowth(slower, { latency: true })).toEqual(['ms of p99: 100.0 early, 220.0 late'])
  expect(findGrowth(slower, { latency: false })).toEqual([])
})

test('reports errors, windows without answers and memory that could not be read', () => {
  const failing = windows((at) => (at === 3 ? { errors: new Map([['errorInternal', 2]]) } : {}))
  expect(findGrowth(failing, { latency: true })).toEqual(['window 4: 2 × errorInternal'])
  expect(
    findGrowth(
      windows((at) => (at === 8 ? { count: 0 } : {})),
      { latency: true },
    ),
  ).toEqual(['window 9: nothing was answered'])
  const blind = windows(() => ({ heapMib: NaN }))
  expect(findGrowth(blind, { latency: true })).toEqual(['MiB of heap: NaN early, NaN late'])
})

test('prints a line for each window', () => {
  const lines = tableOf(windows(), 5)
  expect(lines.length).toBe(14)
  expect(lines.at(-1)).toBe('| 60.0 | 5000 | 2.0 | 20.0 | 60.0 | 180 | 0 |')
})
