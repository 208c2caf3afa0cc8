import { readFileSync } from 'node:fs'
import { countryCodes } from '@pennant/contract/countries.ts'
import { expect, test } from 'vitest'

const MAX_BYTES = 90 * 1000
/** Regions without a flag in the source; only their code is shown. */
const WITHOUT = ['CP', 'CQ', 'DG', 'EA', 'UN']

const sprite = readFileSync(new URL('flags.svg', import.meta.url), 'utf8')

test('one small file contains the flags of all countries', () => {
  const drawn = Array.from(sprite.matchAll(/<g id="(..)"/g), ([, code]) => code)
  expect(drawn.toSorted()).toEqual(countryCodes.filter((code) => !WITHOUT.includes(code)).toSorted())
  expect(Buffer.byteLength(sprite)).toBeLessThanOrEqual(MAX_BYTES)
})

test('a flag that reuses the flag of another country refers to an existing one', () => {
  for (const [, code] of sprite.matchAll(/href="#(..)"/g)) expect(sprite).toContain(`<g id="${code}">`)
})
