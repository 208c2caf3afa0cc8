import { expect, test } from 'vitest'
import { z } from 'zod'
import { allRoutes } from './all.ts'
import { FIRST_INSTANT, Instant, instantProblem, InstantText, QueryInstant } from './instants.ts'

/** 2026-11-30T00:53:20Z as seconds, which milliseconds would be in 1970. */
const SECONDS = 1_796_000_000

interface Leaf {
  readonly name: string
  readonly schema: z.core.$ZodType
}

/** Schemas below their wrappers. A pipe is what is sent first; transforms and refinements belong to it. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const { innerType } = schema._zod.def as { readonly innerType?: z.core.$ZodType }
  return innerType ? unwrapped(innerType) : schema
}

/** All values of a request, by the name of the nearest key. */
function leavesOf(schema: z.core.$ZodType | undefined, name = ''): Leaf[] {
  if (!schema) return []
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape).flatMap(([key, value]) => leavesOf(value, key))
  if (inner instanceof z.ZodArray) return leavesOf(inner.element, name)
  if (inner instanceof z.ZodRecord) return leavesOf(inner.valueType, name)
  if (inner instanceof z.ZodUnion) return inner.options.flatMap((option) => leavesOf(option, name))
  return [{ name, schema: inner }]
}

/** Numbers whose description says that they are Unix milliseconds, and numbers that are named like an instant. */
function isInstant({ name, schema }: Leaf): boolean {
  const isNumber =
    z.safeParse(schema, FIRST_INSTANT).success || z.safeParse(schema, String(FIRST_INSTANT)).success
  const isText = z.safeParse(schema, 'some text').success || z.safeParse(schema, '2030-01-01').success
  if (!isNumber || isText) return false
  return (
    /(?:At|Time)$|^(?:at|time|from|until|since)$/.test(name) ||
    /Unix milliseconds/.test(z.globalRegistry.get(schema)?.description ?? '')
  )
}

const instants = allRoutes.flatMap(({ method, path, params, query, body }) =>
  [params, query, body]
    .flatMap((schema) => leavesOf(schema))
    .filter(isInstant)
    .map((leaf) => ({ ...leaf, route: `${method} ${path} ${leaf.name}` })),
)

test('finds the instants that routes take', () => {
  const names = new Set(instants.map(({ name }) => name))
  for (const name of [
    'startTime',
    'endTime',
    'freezeTime',
    'releaseTime',
    'publishAt',
    'openAt',
    'at',
    'time',
    'firstSolveAt',
  ])
    expect(names, name).toContain(name)
})

test.each(instants)('$route refuses seconds, with both readings', ({ schema }) => {
  const isQuery = z.safeParse(schema, String(FIRST_INSTANT)).success
  for (const value of [SECONDS, 0, 1, FIRST_INSTANT - 1]) {
    const { error } = z.safeParse(schema, isQuery ? String(value) : value)
    expect(error?.issues[0]?.message, String(value)).toMatch(/in milliseconds.* in seconds/)
  }
})

test('names both readings and the number to write', () => {
  expect(instantProblem(SECONDS)).toBe(
    '1796000000 is 1970-01-21T18:53:20Z in milliseconds, before the year 2000, and 2026-11-30T00:53:20Z in seconds; ' +
      'use milliseconds: 1796000000000',
  )
  expect(instantProblem(FIRST_INSTANT)).toBeNull()
  expect(instantProblem(FIRST_INSTANT - 1)).toMatch(
    /^946684799999 is 1999-12-31T23:59:59\.999Z in milliseconds/,
  )
  expect(instantProblem(0)).toMatch(/^0 is 1970-01-01T00:00:00Z .* use Unix milliseconds such as/)
  expect(instantProblem(-1e18)).toBe('is earlier than any date')
  expect(instantProblem(1e18)).toBe('is later than any date')
})

test('accepts whole numbers from the year 2000 on, and texts of such times', () => {
  expect(Instant.safeParse(FIRST_INSTANT).success).toBe(true)
  expect(Instant.safeParse(FIRST_INSTANT + 0.5).success).toBe(false)
  expect(Instant.safeParse(9e15).success).toBe(false)
  expect(QueryInstant.parse(String(FIRST_INSTANT))).toBe(FIRST_INSTANT)
  expect(QueryInstant.safeParse('x').error?.issues[0]?.message).toBe('must be an integer of at least 0')
  expect(InstantText.safeParse('1999-12-31T23:59:59Z').success).toBe(false)
  expect(InstantText.safeParse('soon').error?.issues[0]?.message).toBe('must be a date and time')
  expect(InstantText.safeParse('2030-01-01T00:00:00Z').success).toBe(true)
})
