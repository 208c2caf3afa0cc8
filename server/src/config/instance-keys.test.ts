import { expect, test } from 'vitest'
import { defaultInstancerOf, defaultInstancerProblem } from './instance-keys.ts'
import { readConfig } from './read-config.ts'

const memory = { name: 'instancers/memory' }
const base = { tokenKey: Buffer.alloc(32, 7).toString('base64'), startTime: 1_800_000_000_000 }
const read = (values: object) => readConfig([{ source: 'test', values: { ...base, ...values } }])

test('a single instancer is the default; with several, one must be named', () => {
  expect(defaultInstancerOf(read({}))).toBeUndefined()
  expect(defaultInstancerOf(read({ instancers: { near: memory } }))).toBe('near')
  const several = { instancers: { near: memory, far: memory } }
  expect(() => read(several)).toThrow('defaultInstancer: must be one of near, far')
  expect(defaultInstancerOf(read({ ...several, defaultInstancer: 'far' }))).toBe('far')
  expect(defaultInstancerProblem({ ...several, defaultInstancer: 'fat' })).toBe(
    'no such instancer: fat; did you mean far?',
  )
  expect(() => read({ defaultInstancer: 'near' })).toThrow('no such instancer: near')
})

test('the old key for a single instancer becomes a map with one entry', () => {
  expect(defaultInstancerOf(read({ instancer: memory }))).toBe('default')
})

test('reports an error in the options of an instancer with the full path', () => {
  const http = { name: 'instancers/http', options: { apiUrl: 'engine', authToken: 'x' } }
  expect(() => read({ instancers: { far: http } })).toThrow(/instancers\.far\.options\.apiUrl: must be a URL/)
})

test.each([
  { name: 'instancers/docker', options: { hosts: [{ url: 'tcp://me:5ecret@ss@engine.example:2376' }] } },
  { name: 'instancers/http', options: { apiUrl: 'http://me:5ecret#ss@api.example', authToken: 'x' } },
])('reports a password that needs percent-encoding, without repeating it: $name', (instancer) => {
  expect(() => read({ instancers: { far: instancer } })).toThrow(
    /[uU]rl: has characters .* must be percent-encoded/,
  )
  expect(() => read({ instancers: { far: instancer } })).not.toThrow(/5ecret|engine|api\.example/)
})
