import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { jsonSchemaOf } from '@pennant/contract/json-schema.ts'
import type { Route } from '@pennant/contract/route.ts'
import { oddFragment, oddKey, type Fragment } from './odd-values.ts'
import { valuesOf, type TextHints } from './schema-values.ts'

type Body = Buffer | null

/** Bodies for a JSON route: valid ones, valid ones with one fault, and bytes that are not JSON. */
export function bodiesOf({ body }: Route, hints: TextHints): fc.Arbitrary<Body> {
  // The route ignores the body, so anything may be sent.
  if (!body) return fc.constantFrom(null, Buffer.from('{'), Buffer.alloc(5000, 'x'))
  const good = valuesOf(jsonSchemaOf(body, 'input'), hints)
  return fc.oneof(
    { weight: 3, arbitrary: good.map((value) => Buffer.from(JSON.stringify(value))) },
    { weight: 6, arbitrary: withOneFault(good).map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: oddFragment.map(({ json }) => Buffer.from(json)) },
    { weight: 1, arbitrary: good.chain((value) => brokenBytes(JSON.stringify(value))) },
  )
}

/** A marker that no JSON text contains, to be replaced by arbitrary text. */
const PLACE = '\u2063here\u2063'

/** The JSON text of a value with a fault in one place. */
function withOneFault(good: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return fc
    .record({
      value: good,
      at: fc.nat(),
      fault: fc.constantFrom('replace', 'add', 'drop', 'twice'),
      key: oddKey,
      fragment: oddFragment,
    })
    .map(({ value, at, fault, key, fragment }) => {
      const places = placesIn(value, [])
      const place = places[at % places.length] ?? []
      if (fault === 'replace') return textWith(value, place, fragment)
      if (fault === 'drop') return JSON.stringify(changed(value, place, () => undefined))
      const text = JSON.stringify(value)
      if (!text.startsWith('{')) return text
      // Adds a prototype key or repeats an existing key; `JSON.stringify` can produce neither.
      const name = fault === 'add' ? key : (Object.keys(value as object)[at % 8] ?? key)
      return `{${JSON.stringify(name)}:${fragment.json}${text === '{}' ? '' : ','}${text.slice(1)}`
    })
}

type Path = readonly (string | number)[]

function placesIn(value: unknown, path: Path): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [path, ...entries.flatMap(([key, child]) => placesIn(child, [...path, key]))]
}

function textWith(value: unknown, path: Path, { json }: Fragment): string {
  return JSON.stringify(changed(value, path, () => PLACE)).replace(JSON.stringify(PLACE), () => json)
}

function changed(value: unknown, path: Path, change: () => unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return change() ?? {}
  if (Array.isArray(value))
    return value.map((item, at) => (at === key ? changedItem(item, rest, change) : item))
  return Object.fromEntries(
    Object.entries(value as object).map(([name, item]) => [
      name,
      name === key ? changedItem(item, rest, change) : item,
    ]),
  )
}

function changedItem(item: unknown, rest: Path, change: () => unknown): unknown {
  return rest.length === 0 ? change() : changed(item, rest, change)
}

function brokenBytes(text: string): fc.Arbitrary<Body> {
  const bytes = Buffer.from(text)
  return fc.oneof(
    fc.constantFrom<Body>(
      null,
      Buffer.alloc(0),
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
      Buffer.concat([bytes, Buffer.from([0])]),
      Buffer.concat([bytes, bytes]),
      Buffer.from(text, 'utf16le'),
      Buffer.from(text.replace('"', '"\u00ff'), 'latin1'),
      Buffer.from(text.replace(/}$/, ',"x":"\udc80"}'), 'latin1'),
      gzipSync(bytes),
      Buffer.from("{'a':1}"),
      Buffer.from('NaN'),
      Buffer.from('{"a":01}'),
      Buffer.from('{"a":1,}'),
      Buffer.from('[]'.repeat(10)),
    ),
    fc.nat({ max: bytes.length }).map((length) => bytes.subarray(0, length)),
    fc.uint8Array({ maxLength: 64 }).map((random) => Buffer.from(random)),
  )
}
