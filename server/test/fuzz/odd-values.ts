import * as fc from 'fast-check'

/** Raw JSON text in place of a value, because not every JSON text can be produced from a value. */
export interface Fragment {
  readonly json: string
}

export const lines = (text: string) => text.trim().split('\n')
export const words = (text: string) => text.trim().split(/\s+/)

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const deepObject = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

/**
 * Values that broke services before: wrong types, extreme numbers, prototype keys, text that a database
 * rejects.
 */
const FRAGMENTS: readonly string[] = [
  ...words(String.raw`
    null true false {} [] [null] [[]] "" 0 -0 -1 1.5 1e309 -1e309 1e-400
    2147483647 2147483648 -2147483649 9007199254740993 18446744073709551616 8640000000000001
    "NaN" "Infinity" "-0" "0x10" "1e309" "__proto__" "constructor" "toString" "me" ["__proto__"]
    {"length":1e9} {"toString":1,"valueOf":1,"toJSON":1} {"then":1} {"":{"":""}}
    {"__proto__":{"perms":63,"banned":false}} {"constructor":{"prototype":{"perms":63}}}
    "\u0000" "a\u0000b" "\ud800" "\udfff\ud800" "\ufeff" {"a\u0000":1} {"\ud800":1} "\u202e\u0130\u212a" "ｆｌａｇ" "😀"
    "../../../etc/passwd" "%00" "\\" "{{constructor}}" "(a+)+$" "<script>" "2030-01-01" "http://169.254.169.254/"
    "javascript:alert(1)" "data:;base64,"`),
  '" "',
  `"' or 1=1 --"`,
  deep(60),
  deep(70),
  deep(3000),
  deepObject(60),
  deepObject(2000),
  `"${'a'.repeat(70_000)}"`,
  `"${'é'.repeat(300)}"`,
  `[${'0,'.repeat(5000)}0]`,
  `[${'{},'.repeat(2000)}{}]`,
]

export const oddFragment: fc.Arbitrary<Fragment> = fc
  .oneof(
    { weight: 6, arbitrary: fc.constantFrom(...FRAGMENTS) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
    {
      weight: 1,
      arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map((text) => JSON.stringify(text)),
    },
  )
  .map((json) => ({ json }))

/** Keys that have a special meaning for an object but not for a map. */
export const oddKey = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'length',
  '',
  '$where',
)

const SEGMENTS: readonly string[] = [
  ...words(String.raw`
    %00 a%00b % %f %zz %ff %c0%af %E0%A4 %ED%A0%80 %252e%252e %2e%2e %2F %5c .. . ... ~ * :id ;
    __proto__ constructor prototype hasOwnProperty [object%20Object] null true undefined
    NaN Infinity 1e309 -0 +1 0x10 1_000 01 1.0 1e2 %201 1%20 1%00 ٣ ½ -1 0
    2147483647 2147483648 4294967296 9007199254740991 9007199254740993 99999999999999999999
    ' %27-- %22 <script> %3Cimg%3E {{1}} %F0%9F%92%A9 %EF%BB%BF é`),
  'x'.repeat(255),
  'x'.repeat(256),
  'x'.repeat(3000),
  '%25'.repeat(500),
]

/** Path segments and query values as sent over the wire. */
export const oddText = fc
  .oneof(
    fc.constantFrom(...SEGMENTS),
    fc.string({ unit: 'binary-ascii', maxLength: 30 }).map(encodeURIComponent),
  )
  .map(overTheWire)

/** Escapes only the characters that the HTTP client refuses to send. */
export function overTheWire(text: string): string {
  return text.replace(/[^\u0021-\u00ff]/gu, encodeURIComponent).replace(/[?#]/g, encodeURIComponent)
}
