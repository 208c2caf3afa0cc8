import { expect, test } from 'vitest'
import { Options } from '../author/options.ts'
import { isDomainAllowed } from './domains.ts'

const RULES = {
  nothing: {},
  'one host': { host: { allowRegex: [/^good\.example$/g], disallowRegex: ['.*'] } },
  'one path': { url: { allowRegex: ['^http://a\\.example/ok'], disallowRegex: [/./] } },
  'not one host': { host: { disallowRegex: [/bad/i] } },
  both: { host: { disallowRegex: ['bad'] }, url: { allowRegex: ['bad'] } },
}

test.each<[keyof typeof RULES, string, boolean]>([
  ['nothing', 'http://a.example/', true],
  ['one host', 'http://good.example/x', true],
  ['one host', 'https://good.example:8443/', true],
  ['one host', 'http://good.example.evil.example/', false],
  ['one path', 'http://a.example/ok/x', true],
  ['one path', 'http://a.example/no', false],
  ['one path', 'https://a.example/', false],
  ['not one host', 'http://BAD.example/', false],
  ['not one host', 'http://good.example/?bad', true],
  // The host is checked first.
  ['both', 'http://bad.example/', false],
])('%s: %s is allowed: %s', (name, url, expected) => {
  const { restrictDomains } = Options.parse({
    timeoutMilliseconds: 1,
    inputs: {},
    handler: async () => {},
    restrictDomains: RULES[name],
  })
  // A regular expression with `lastIndex` state would fail in the second round.
  for (let round = 0; round < 2; round += 1)
    expect(isDomainAllowed(restrictDomains, new URL(url))).toBe(expected)
})
