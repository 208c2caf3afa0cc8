import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const least = { BASE_URL: 'https://ctf.example/', SECRET_KEY: 'a secret' }

test('a service and a secret are enough', () => {
  expect(readConfig({ ...least, PORT: '', HOME: '/root' })).toEqual({
    BASE_URL: 'https://ctf.example',
    SECRET_KEY: 'a secret',
    EXTRA_HEADERS: {},
    ALLOW_PRIVATE: [],
    CONCURRENCY: 1,
    WARM_BROWSER: true,
    VISIT_MEMORY_MIB: 1024,
    POLL_INTERVAL_MS: 5000,
    HOST: '0.0.0.0',
    PORT: 21_337,
    LOG_LEVEL: 'info',
  })
})

test('what is set is read', () => {
  const config = readConfig({
    ...least,
    EXTRA_HEADERS: '{"cf-access": "x"}',
    ALLOW_PRIVATE: ' 10.0.0.0/8, shop.internal:8080 ,',
    WARM_BROWSER: 'false',
  })
  expect(config.EXTRA_HEADERS).toEqual({ 'cf-access': 'x' })
  expect(config.ALLOW_PRIVATE).toEqual(['10.0.0.0/8', 'shop.internal:8080'])
  expect(config.WARM_BROWSER).toBe(false)
})

test.each([
  [{ BASE_URL: 'ftp://x' }, 'BASE_URL'],
  [{ SECRET_KEY: '' }, 'SECRET_KEY'],
  [{ EXTRA_HEADERS: '{' }, 'EXTRA_HEADERS: is no JSON'],
  [{ EXTRA_HEADERS: '{"a": 1}' }, 'EXTRA_HEADERS.a'],
  [{ ALLOW_PRIVATE: '10.0.0.0/33' }, 'ALLOW_PRIVATE.0: is no address'],
  [{ CONCURRENCY: '0' }, 'CONCURRENCY'],
  [{ CONCURRENCY: 'many' }, 'CONCURRENCY'],
  [{ WARM_BROWSER: 'yes' }, 'WARM_BROWSER'],
  [{ PORT: '70000' }, 'PORT'],
])('%j is told by its name, without the secret', (wrong, message) => {
  const read = () => readConfig({ ...least, SECRET_KEY: 'hidden-1', ...wrong })
  expect(read).toThrow(message)
  expect(read).not.toThrow('hidden-1')
})
