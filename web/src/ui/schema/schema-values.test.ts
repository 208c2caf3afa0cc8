import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  initialOf,
  isEqual,
  kindOf,
  renamed,
  variantOf,
  withProperty,
  type Json,
  type JsonObject,
  type Schema,
} from './schema-values.ts'

const json = fc.jsonValue() as fc.Arbitrary<Json>
const object = fc.dictionary(fc.string(), json) as fc.Arbitrary<JsonObject>
const limits: Schema = {
  oneOf: [
    { properties: { kind: { const: 'http' }, port: { type: 'integer' } }, required: ['kind'] },
    { properties: { kind: { const: 'tcp' }, tls: { type: 'boolean', default: true } }, required: ['kind'] },
  ],
}

test('setting a property keeps the other properties and their order', () => {
  fc.assert(
    fc.property(object, fc.string(), json, (before, name, value) => {
      const after = withProperty(before, name, value)
      expect(isEqual(after[name], value)).toBe(true)
      const others = (of: JsonObject) => Object.entries(of).filter(([key]) => key !== name)
      expect(others(after)).toEqual(others(before))
      expect(Object.hasOwn(withProperty(after, name, undefined), name)).toBe(false)
    }),
  )
})

test('renaming keeps the value and never overwrites another entry', () => {
  expect(renamed({ a: 1, b: 2 }, 'a', 'c')).toEqual({ c: 1, b: 2 })
  expect(renamed({ a: 1, b: 2 }, 'a', 'b')).toBeNull()
})

test('a value that does not match its schema is kept raw', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(kindOf({ type: 'string' }, value)).toBe(typeof value === 'string' ? 'text' : 'raw')
      expect(kindOf({ type: 'boolean' }, value)).toBe(typeof value === 'boolean' ? 'boolean' : 'raw')
      expect(kindOf({}, value)).toBe('raw')
    }),
  )
})

test('a variant is identified by its constant, and any other value is raw', () => {
  expect(variantOf(limits, { kind: 'tcp', own: 1 })).toBe(1)
  expect(kindOf(limits, { kind: 'udp' })).toBe('raw')
  expect(initialOf(limits.oneOf?.[1] ?? {})).toBeNull()
  expect(initialOf({ type: 'object', ...limits.oneOf?.[1] })).toEqual({ kind: 'tcp', tls: true })
})

test('a recursive schema is rendered to a limited depth, then as JSON', () => {
  const node: { type: string; properties: Record<string, Schema>; required: string[] } = {
    type: 'object',
    properties: {},
    required: ['next'],
  }
  node.properties.next = node
  expect(() => JSON.stringify(initialOf(node))).not.toThrow()
  expect(kindOf(node, {}, 100)).toBe('raw')
})
