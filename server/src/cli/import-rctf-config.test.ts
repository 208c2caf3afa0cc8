import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import yaml from 'yaml'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/folder.ts'
import { ExitStatus } from './exit-status.ts'
import { importRctfConfig } from './import-rctf-config.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(() => folder[Symbol.asyncDispose]())

const tokenKey = Buffer.alloc(32).toString('base64')

/** Writes the files, converts the folder of the first, and returns what is written and complained about. */
async function convert(files: Readonly<Record<string, object>>, env: Readonly<Record<string, string>> = {}) {
  for (const [name, values] of Object.entries(files)) {
    await mkdir(join(folder.path, dirname(name)), { recursive: true })
    await writeFile(join(folder.path, name), yaml.stringify(values))
  }
  const config = join(folder.path, dirname(Object.keys(files)[0] ?? ''))
  const writeConfig = join(folder.path, 'pennant.yaml')
  const complaints: string[] = []
  const context = {
    env,
    now: () => 0,
    print() {},
    complain: (line: string) => complaints.push(line.replaceAll(`${config}/`, '')),
    ask: async () => null,
  }
  const ended = importRctfConfig(context as never, { config, writeConfig })
  const status = await ended.then(
    () => 0,
    (error: unknown) => {
      if (error instanceof ExitStatus) return error.status
      throw error
    },
  )
  const text = await readFile(writeConfig, 'utf8')
  return { status, written: yaml.parse(text) as unknown, mode: (await stat(writeConfig)).mode, complaints }
}

test('keys, providers and names become ours; what is ambiguous or left out is named with file and key', async () => {
  const { status, written, mode, complaints } = await convert({
    'rctf.d/01.yaml': {
      tokenKey,
      origin: 'https://ctf.example',
      ctftime: { clientId: 42, clientSecret: 'secret' },
      database: { sql: { host: 'postgres' }, redis: 'redis://redis', migrate: 'before' },
      sponsors: [{ name: 'A', description: 'a', icon: 'https://a.example/i.png' }],
      instancers: {
        main: { name: 'instancers/docker', options: { apiUrl: 'http://di:3030', authToken: 'token' } },
        'a.b': { name: 'instancers/k8s', options: { apiUrl: 'https://k8s.example', authToken: 'token' } },
        other: 'instancers/paradigmctf',
      },
      defaultInstancer: 'main',
      leaderboard: { maxLimit: 50, updateInterval: 1000, unknown: 1 },
      surprise: true,
    },
    'rctf.d/02.yaml': {
      sponsors: [
        { name: 'B', description: 'b', iconDark: 'https://b.example/d.png', icon: 'https://b.example/i.png' },
      ],
      adminBot: {
        provider: { name: 'admin-bots/rctf-ts', options: { endpoint: 'http://bot', secretKey: 's' } },
      },
      uploadProvider: 'uploads/dummy',
      proxy: { trust: 1 },
    },
  })
  expect([status, mode & 0o777]).toEqual([3, 0o600])
  expect(written).toEqual({
    tokenKey,
    origin: 'https://ctf.example',
    extrank: { clientId: '42', clientSecret: 'secret', callbackPath: '/integrations/ctftime/callback' },
    sponsors: [
      { name: 'A', description: 'a', icon: 'https://a.example/i.png' },
      { name: 'B', description: 'b', icon: 'https://b.example/i.png' },
    ],
    instancers: {
      main: {
        name: 'instancers/http',
        options: { apiUrl: 'http://di:3030', authToken: 'token', authField: 'rctfAuthToken' },
      },
      'a.b': { name: 'instancers/kubernetes', options: { apiUrl: 'https://k8s.example', token: 'token' } },
    },
    defaultInstancer: 'main',
    leaderboard: { maxLimit: 50 },
    adminBot: {
      provider: { name: 'admin-bots/browser', options: { endpoint: 'http://bot', secretKey: 's' } },
    },
    uploadProvider: { name: 'uploads/local', options: {} },
    proxy: { trust: 1 },
  })
  const starts = [
    '01.yaml: database.sql is left out',
    '01.yaml: database.redis is left out',
    '01.yaml: database.migrate is left out',
    '01.yaml: leaderboard.updateInterval is left out',
    '01.yaml: surprise is left out',
    '01.yaml: ctftime is `extrank`',
    '02.yaml: sponsors have one icon',
    '01.yaml: instancers.a.b.name is instancers/kubernetes, which needs a `domain`',
    '01.yaml: instancers.other is left out',
    '02.yaml: adminBot.provider is admin-bots/browser',
    '02.yaml: uploadProvider is uploads/local',
    '02.yaml: uploadProvider has the folder uploads',
    '01.yaml: leaderboard.unknown is left out',
    'Correct this before the start: instancers.a.b.options.domain: is missing',
  ]
  for (const start of starts)
    expect(
      complaints.filter((line) => line.startsWith(start)),
      `${start}: ${complaints.join('\n')}`,
    ).toHaveLength(1)
  expect(complaints).toHaveLength(starts.length + 1)
})

describe('the environment', () => {
  test('wins over the files, sets options of the configured providers, and foreign names are ignored', async () => {
    const files = {
      'rctf.d/01.yaml': {
        tokenKey,
        ctfName: 'Of the file',
        email: { provider: { name: 'emails/smtp' }, from: 'ctf@ctf.example' },
        instancers: { one: 'instancers/docker', two: { name: 'instancers/docker' } },
        defaultInstancer: 'one',
        proxy: { trust: false },
      },
    }
    const { status, written, complaints } = await convert(files, {
      RCTF_NAME: 'Of the environment',
      RCTF_USER_MEMBERS: 'no',
      RCTF_LEADERBOARD_MAX_LIMIT: '50',
      RCTF_SMTP_URL: 'smtp://mail.example',
      RCTF_SES_REGION: 'eu-central-1',
      RCTF_DATABASE_HOST: 'postgres',
      RCTF_TOKEN: 'of another tool',
      RCTF_PORT: 'tcp://10.0.0.1:80',
      OPENAI_API_KEY: 'for something else',
      DOCKER_INSTANCER_API_URL: 'http://di:3030',
      DOCKER_INSTANCER_AUTH_TOKEN: 'token',
    })
    expect(status).toBe(0)
    const service = {
      name: 'instancers/http',
      options: { apiUrl: 'http://di:3030', authToken: 'token', authField: 'rctfAuthToken' },
    }
    expect(written).toEqual({
      tokenKey,
      ctfName: 'Of the environment',
      userMembers: false,
      leaderboard: { maxLimit: 50 },
      email: {
        provider: { name: 'emails/smtp', options: { smtpUrl: 'smtp://mail.example' } },
        from: 'ctf@ctf.example',
      },
      instancers: { one: service, two: service },
      defaultInstancer: 'one',
      proxy: { trust: false },
    })
    expect(complaints).toEqual([
      expect.stringContaining('read as a configuration of rCTF 2'),
      expect.stringMatching(/^RCTF_DATABASE_HOST: database\.sql is left out/),
      'RCTF_NAME: ctfName replaces the value of 01.yaml.',
    ])
  })
})

test('version 1 has its formula, one logo, and rules of which the first match counts', async () => {
  const { written, complaints } = await convert(
    {
      'conf.d/01.json': {
        tokenKey,
        challengeProvider: { name: 'challenges/database' },
        logoUrl: 'https://a.example/logo.png',
        recaptcha: { siteKey: 'site', protectedActions: ['register'] },
        divisions: { open: 'Open', school: 'School' },
        divisionACLs: [
          { match: 'domain', value: 'school.example', divisions: ['school'] },
          { match: 'any', value: '', divisions: ['open'] },
        ],
        proxy: { trust: false },
      },
    },
    { RCTF_RECAPTCHA_SECRET_KEY: 'secret' },
  )
  expect(written).toMatchObject({
    scoreProvider: { name: 'scores/legacy' },
    logoLightUrl: 'https://a.example/logo.png',
    captcha: {
      provider: { name: 'captcha/recaptcha', options: { siteKey: 'site', secretKey: 'secret' } },
      protectedEndpoints: ['register'],
    },
  })
  for (const key of ['challengeProvider', 'logoUrl', 'recaptcha', 'divisionACLs', 'scoreProvider'])
    expect(complaints.join('\n')).toMatch(new RegExp(`(^|: )${key} `, 'm'))
})

test('a plan writes nothing, and a file is never overwritten', async () => {
  const files = { 'rctf.d/01.yaml': { tokenKey, proxy: { trust: false } } }
  await convert(files)
  await expect(convert(files)).rejects.toThrow('already exists and was not overwritten')
  expect(await readdir(folder.path)).toEqual(['pennant.yaml', 'rctf.d'])
})
