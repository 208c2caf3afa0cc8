import { expect, test } from 'vitest'
import { otherForms, commandOf, isLink, pollEvery } from './endpoints.ts'

test.each([
  [{ kind: 'tcp', host: 'h', port: 31_000 }, 'nc h 31000'],
  [{ kind: 'tcp-ssl', host: 'h', port: 1337 }, 'ncat --ssl h 1337'],
  [{ kind: 'http', host: 'h', port: 80 }, 'http://h/'],
  [{ kind: 'https', host: 'h', port: 8443 }, 'https://h:8443/'],
] as const)('%j is %s', (place, command) => {
  expect(commandOf(place)).toBe(command)
})

test('only available HTTP endpoints are links', () => {
  expect(isLink({ kind: 'http', host: 'h', port: 80 })).toBe(true)
  expect(isLink({ kind: 'http', host: 'h', port: 0 })).toBe(false)
  expect(isLink({ kind: 'tcp', host: 'h', port: 1 })).toBe(false)
})

test('the polling interval depends on the instance state and the remaining lifetime', () => {
  expect(pollEvery('stopped', null, 0)).toBeNull()
  expect(pollEvery('errored', null, 0)).toBeNull()
  expect(pollEvery('starting', null, 0)).toBe(2_000)
  expect(pollEvery('starting', null, 40_000)).toBe(5_000)
  expect(pollEvery('stopping', null, 0)).toBe(2_000)
  expect(pollEvery('running', 1_800_000, 0)).toBe(20_000)
  expect(pollEvery('running', 200_000, 0)).toBe(10_000)
  expect(pollEvery('running', 4_000, 0)).toBe(4_000)
  expect(pollEvery('running', 0, 0)).toBe(1_000)
})

test('TCP endpoints have forms for other tools', () => {
  const forms = (kind: 'tcp' | 'tcp-ssl' | 'https', port = 31337) =>
    otherForms({ kind, host: 'pwn.ctf.example', port }).map(({ form }) => form)
  expect(forms('tcp')).toEqual(['remote("pwn.ctf.example", 31337)'])
  expect(forms('tcp-ssl')).toEqual([
    'remote("pwn.ctf.example", 31337, ssl=True)',
    'openssl s_client -quiet -connect pwn.ctf.example:31337',
  ])
  expect(forms('https')).toEqual([])
  expect(forms('tcp', 0)).toEqual([])
})
