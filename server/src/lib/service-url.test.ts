import { expect, test } from 'vitest'
import { credentialsProblem, OriginUrl, ServiceUrl } from './service-url.ts'

test.each([
  'smtps://user:p%23ss@mail.example',
  'smtp://user%40mail.example:secret@mail.example:587',
  'redis://:12%2F3@cache:6379/0',
  'redis://cache:6379',
  'postgres://user:a:b@db:5432/ctf',
  'postgres://user:secret@/ctf?host=/run/postgresql',
  'postgres:///ctf?host=/run/postgresql&options=a@b',
  'https://hooks.example/@team/x',
])('%s can be used', (url) => {
  expect(credentialsProblem(url)).toBeNull()
})

test.each([
  'smtps://user:5ecret#ss@mail.example',
  'smtps://user:5ecret/ss@mail.example',
  'smtps://user:5ecret?ss@mail.example',
  'smtps://user:5ecret%@mail.example',
  'smtps://user:5ecret@ss@mail.example',
  'redis://:5ecret/ss@cache',
  'redis://cache:12/5ecret@cache:6379',
  'postgres://user:5ecret%zz@db/ctf',
  'https://user:5ecret#ss@hooks.example/x',
])('a password that needs percent-encoding is refused without repeating it: %s', (url) => {
  const problem = credentialsProblem(url)
  expect(problem).toContain('must be percent-encoded')
  expect(problem).not.toMatch(/5ecret|user:|example|cache|db\b/)
})

const originProblem = (url: string) => OriginUrl.safeParse(url).error?.issues[0]?.message ?? null

test('an origin is a scheme, a host and a port', () => {
  expect(OriginUrl.parse('https://ctf.example/')).toBe('https://ctf.example')
  expect(OriginUrl.parse('http://localhost:3000')).toBe('http://localhost:3000')
  for (const url of [
    'https://ctf.example/app',
    'https://ctf.example/?a=b',
    'https://ctf.example/#top',
    'https://ctf.example//',
  ])
    expect(originProblem(url), url).toContain('must have no path: write https://ctf.example')
  expect(originProblem('https://me:5ecret@ctf.example')).toBe(
    'must have no user or password: write https://ctf.example',
  )
  expect(originProblem('ctf.example')).toContain('must be a URL that starts with http')
  expect(originProblem('ftp://ctf.example')).toContain('must be a URL that starts with http')
})

test('the URL of a service may have a path', () => {
  expect(ServiceUrl.parse('https://api.example/v1/')).toBe('https://api.example/v1')
  expect(ServiceUrl.safeParse('https:///v1').success).toBe(false)
})
