import { expect, test } from 'vitest'
import { allRoutes } from './all.ts'
import { budgetOf, type Cost } from './budgets.ts'
import { declaredReplies } from './declared.ts'
import { limits, limitOf } from './limits.ts'

const budgets = new Map(allRoutes.map((route) => [`${route.method} ${route.path}`, budgetOf(route)]))

/** The keys that a route's caller allows: a bucket per team needs a team. */
const FITS: Readonly<Record<string, readonly string[]>> = {
  address: ['public', 'optional', 'signature'],
  team: ['required'],
  'worker key': ['service'],
}

test('only routes served from memory are unlimited, with a documented reason', () => {
  const free: readonly Cost[] = ['memory']
  for (const [name, { cost, limits: taken, note }] of budgets) {
    if (taken.length > 0) continue
    expect(free, name).toContain(cost)
    expect(note, name).toMatch(/\w+ \w+/)
  }
})

test('routes of organisers and of the worker are limited', () => {
  const staff = allRoutes.filter(({ perms, auth }) => (perms?.length ?? 0) > 0 || auth === 'service')
  expect(staff.filter((route) => budgetOf(route).limits.length === 0)).toEqual([])
})

test('a limit that the pipeline applies has a key that the route provides', () => {
  for (const route of allRoutes) {
    for (const name of budgetOf(route).limits) {
      const { key, taken } = limitOf(name)
      if (taken === 'request') expect(FITS[key], `${name} at ${route.path}`).toContain(route.auth)
    }
  }
})

test('both versions of a route have the same budget', () => {
  const versions = [...budgets.keys()].filter(
    (name) => name.includes('/v1/') && budgets.has(name.replace('/v1/', '/v2/')),
  )
  expect(versions.length).toBeGreaterThan(10)
  for (const name of versions) {
    expect(budgets.get(name)?.cost, name).toBe(budgets.get(name.replace('/v1/', '/v2/'))?.cost)
  }
})

test('every limit is used, and a limited route declares badRateLimit', () => {
  const used = new Set([...budgets.values()].flatMap(({ limits: taken }) => taken))
  expect([...used].toSorted()).toEqual(Object.keys(limits).toSorted())
  for (const route of allRoutes) {
    const declares = declaredReplies(route).some(({ kind }) => kind === 'badRateLimit')
    expect(declares, route.path).toBe(budgetOf(route).limits.length !== 0)
  }
})
