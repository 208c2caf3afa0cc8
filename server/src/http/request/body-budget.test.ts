import { expect, test } from 'vitest'
import { BodyBudgetError, createBodyBudget } from './body-budget.ts'

test('an owner gets at most a quarter, and bodies without an owner the rest', () => {
  const budget = createBodyBudget(4000)
  const [first, second] = [budget.open('a'), budget.open('a')]
  first.reserve(600)
  second.reserve(400)
  expect(() => second.reserve(1)).toThrow(BodyBudgetError)
  budget.open('b').reserve(1000)
  const unowned = budget.open(null)
  unowned.reserve(2000)
  expect(budget.heldBytes).toBe(4000)
  expect(() => unowned.reserve(1)).toThrow(BodyBudgetError)
})

test('closing an account releases its memory once', () => {
  const budget = createBodyBudget(4000)
  const first = budget.open('a')
  first.reserve(1000)
  first.release(400)
  expect(budget.heldBytes).toBe(600)
  first.close()
  first.close()
  expect(budget.heldBytes).toBe(0)
  const next = budget.open('a')
  next.reserve(1000)
  expect(() => next.reserve(1)).toThrow(BodyBudgetError)
})

test('unverified bodies leave half of the budget to the others', () => {
  const budget = createBodyBudget(4000)
  const unverified = ['a', 'b', 'c'].map((owner) => budget.open(owner, { isUnverified: true }))
  unverified[0]?.reserve(1000)
  unverified[1]?.reserve(1000)
  expect(() => unverified[2]?.reserve(1)).toThrow(BodyBudgetError)
  budget.open('c').reserve(1000)
  unverified[0]?.close()
  expect(budget.heldBytes).toBe(2000)
  budget.open('d', { isUnverified: true }).reserve(1000)
})
