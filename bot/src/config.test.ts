import { expect, test } from 'vitest'
import { readConfig, secretFilesIn, secretsInEnvironment } from './config.ts'

const least = { BASE_URL: 'https://ctf.example/', SECRET_KEY: 'a secret' }
const noFiles = (path: string): never => {
  throw Object.assign(new Error(`no file ${path}`), { code: 'ENOENT' })
}

test('a server and a secret are sufficient', () => {
  expect(readConfig({ ...least, PORT: '', HOME: '/root' }, noFiles)).toEqual({
    BASE_URL: 'https://ctf.example',
    SECRET_KEY: 'a secret',
    EXTRA_HEADERS: {},
    ISOLATION: 'off',
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

test('reads all settings', () => {
  const config = readConfig(
    {
      ...least,
      EXTRA_HEADERS: '{"cf-access": "x"}',
      ALLOW_PRIVATE: ' 10.0.0.0/8, shop.internal:8080 ,',
      WARM_BROWSER: 'false',
    },
    noFiles,
  )
  expect(config.EXTRA_HEADERS).toEqual({ 'cf-access': 'x' })
  expect(config.ALLOW_PRIVATE).toEqual(['10.0.0.0/8', 'shop.internal:8080'])
  expect(config.WARM_BROWSER).toBe(false)
})

test.each([
  [{ BASE_URL: 'ftp://x' }, 'BASE_URL'],
  [{ SECRET_KEY: '' }, 'SECRET_KEY'],
  [{ EXTRA_HEADERS: '{' }, 'EXTRA_HEADERS: is not valid JSON'],
  [{ EXTRA_HEADERS: '{"a": 1}' }, 'EXTRA_HEADERS.a'],
  [{ ALLOW_PRIVATE: '10.0.0.0/33' }, 'ALLOW_PRIVATE.0: is no address'],
  [{ CONCURRENCY: '0' }, 'CONCURRENCY'],
  [{ CONCURRENCY: 'many' }, 'CONCURRENCY'],
  [{ WARM_BROWSER: 'yes' }, 'WARM_BROWSER'],
  [{ PORT: '70000' }, 'PORT'],
  [{ SECRET_KEY_FILE: '/key' }, 'SECRET_KEY_FILE: SECRET_KEY is set as well'],
  [{ SECRET_KEY: '', SECRET_KEY_FILE: '/key' }, 'SECRET_KEY_FILE: cannot be read (ENOENT).'],
  [{ ISOLATION: 'on' }, 'SECRET_KEY: must not be set directly. Set SECRET_KEY_FILE to the path of a file.'],
  [{ ISOLATION: 'on', EXTRA_HEADERS: '{}' }, 'Set EXTRA_HEADERS_FILE to the path of a file.'],
])('%j is reported by name, without the secret', (wrong, message) => {
  const read = () => readConfig({ ...least, SECRET_KEY: 'hidden-1', ...wrong }, noFiles)
  expect(read).toThrow(message)
  expect(read).not.toThrow('hidden-1')
})

test('secrets are read from files, without the trailing line break', () => {
  const files: Record<string, string> = { '/run/key': 'from a file\n', '/run/headers': '{"x-gate": "y"}\n' }
  const env = {
    BASE_URL: least.BASE_URL,
    ISOLATION: 'on',
    SECRET_KEY_FILE: '/run/key',
    EXTRA_HEADERS_FILE: '/run/headers',
  }
  const config = readConfig(env, (path) => files[path] ?? '')
  expect(config).toMatchObject({ SECRET_KEY: 'from a file', EXTRA_HEADERS: { 'x-gate': 'y' } })
  expect(secretFilesIn(env)).toEqual(['/run/key', '/run/headers'])
  expect(secretsInEnvironment(env)).toEqual([])
  expect(secretsInEnvironment(least)).toEqual(['SECRET_KEY'])
  const readEmpty = () => readConfig(env, () => '\n')
  expect(readEmpty).toThrow('SECRET_KEY_FILE: the file is empty.')
})
