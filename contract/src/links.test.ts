import { expect, test } from 'vitest'
import { z } from 'zod'
import { allRoutes } from './all.ts'
import { isLink, isPicture } from './fields.ts'
import type { JsonSchema } from './json-schema.ts'

test.each([
  ['/uploads/a.zip', true],
  ['https://files.example/a.zip', true],
  ['HTTP://files.example', true],
  ['//files.example/a', true],
  ['a.zip', true],
  ['', true],
  ['javascript:alert(1)', false],
  [' JAVA\nscript:alert(1)', false],
  ['\u0001javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['vbscript:x', false],
  ['file:///etc/passwd', false],
  ['blob:https://ctf.example/1', false],
  ['https://', false],
])('whether a page may link to %j: %s', (text, expected) => {
  expect(isLink(text)).toBe(expected)
})

test('a picture may also be in its address', () => {
  expect(isPicture('data:image/svg+xml,%3Csvg/%3E')).toBe(true)
  for (const text of ['data:text/html,x', 'javascript:alert(1)//data:image/'])
    expect(isPicture(text)).toBe(false)
})

interface Address {
  readonly place: string
  readonly isChecked: boolean
}

/** The texts of a body in fields whose names are those of addresses. */
function addressesIn(schema: JsonSchema, place: string, isAddress = false): Address[] {
  if (isAddress && schema['type'] === 'string') return [{ place, isChecked: schema['x-address'] === true }]
  return Object.entries(schema).flatMap(([key, value]): Address[] => {
    if (typeof value !== 'object' || value === null) return []
    const isBranch = key === 'anyOf' || /^\d+$/.test(key)
    const isNamed = /(?:url|uri|icon|logo|link|href|image)$/i.test(key)
    return addressesIn(value as JsonSchema, `${place}.${key}`, isNamed || (isBranch && isAddress))
  })
}

test('every address in the body of a route is checked', () => {
  const addresses = allRoutes.flatMap(({ method, path, body }) =>
    body
      ? addressesIn(
          z.toJSONSchema(body, { io: 'input', unrepresentable: 'any', reused: 'inline' }),
          `${method} ${path}`,
        )
      : [],
  )
  const settings = addresses.filter(({ place }) => place.includes('/admin/settings'))
  expect(settings).toHaveLength(6)
  expect(addresses.length).toBeGreaterThan(settings.length)
  expect(addresses.filter(({ isChecked }) => !isChecked)).toEqual([])
})
