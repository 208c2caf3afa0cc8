import { describe, expect, test } from 'vitest'
import type { Config } from './config.ts'
import { environmentLayer, type Environment } from './environment.ts'
import type { Values } from './layers.ts'
import { readConfig } from './read-config.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const start = Date.parse('2027-03-05T18:00:00Z')
const made = { source: 'made', values: { tokenKey: key, startTime: start } }

function read(...files: Values[]): Config {
  return readConfig([made, ...files.map((values, index) => ({ source: `${index}.yaml`, values }))])
}

function readEnv(env: Environment, values: Values = {}): Config {
  return readConfig([made, { source: 'a.yaml', values }, environmentLayer(env)])
}

function mistakesOf(work: () => unknown): string[] {
  try {
    work()
  } catch (error) {
    return String((error as Error).message).split('\n')
  }
  return []
}

describe('defaults', () => {
  test('every key except the token key and the start has one', () => {
    const config = read()
    expect(config).toMatchObject({
      ctfName: 'Pennant',
      origin: 'http://localhost:3000',
      divisions: { open: 'Open' },
      divisionACLs: [],
      database: { url: undefined, migrate: 'before' },
      redis: { url: undefined },
      leaderboard: { maxLimit: 100, graphMaxTeams: 10, graphSampleTime: 300_000, maxOffset: 4_294_967_296 },
      proxy: { trust: ['loopback'], cloudflare: false },
      maxAvatarSize: 1_048_576,
      maxRequestBodySize: 1_073_741_824,
      rateLimits: undefined,
      extrank: undefined,
    })
    expect(config.tokenKey).toEqual(Buffer.alloc(32, 7))
  })

  test('the contest ends 48 hours after its start', () => {
    expect(read().endTime).toBe(start + 48 * 3_600_000)
  })

  test('the origin uses the port', () => {
    expect(read({ port: 8080 }).origin).toBe('http://localhost:8080')
  })

  test('a key without a value uses its default', () => {
    expect(read({ ctfName: null }).ctfName).toBe('Pennant')
  })
})

describe('values', () => {
  test('times are milliseconds or ISO text', () => {
    const config = read({ startTime: '2027-03-05T20:00:00+02:00', endTime: start + 5 })
    expect(config).toMatchObject({ startTime: start, endTime: start + 5 })
  })

  test('a database given in parts becomes a URL', () => {
    const parts = { host: 'db', user: 'me', password: 'p@ss/word', database: 'ctf' }
    expect(read({ database: parts }).database.url).toBe('postgres://me:p%40ss%2Fword@db:5432/ctf')
    expect(read({ database: { host: '/run/postgresql', database: 'ctf' } }).database.url).toBe(
      'postgres:///ctf?host=%2Frun%2Fpostgresql&port=5432',
    )
  })

  test('an origin loses its trailing slash', () => {
    expect(read({ origin: 'https://ctf.example/' }).origin).toBe('https://ctf.example')
  })

  test('division rules compare addresses in lower case', () => {
    const divisionACLs = [{ match: 'domain', value: 'Uni.EXAMPLE', divisions: ['open'] }]
    expect(read({ divisionACLs }).divisionACLs).toEqual([
      { match: 'domain', value: 'uni.example', divisions: ['open'] },
    ])
  })

  test('trusted proxies are a number, a boolean or a list', () => {
    expect(read({ proxy: { trust: '10.0.0.0/8, loopback' } }).proxy.trust).toEqual(['10.0.0.0/8', 'loopback'])
    expect(readEnv({ PENNANT_PROXY_TRUST: '1' }).proxy.trust).toBe(1)
    expect(readEnv({ PENNANT_PROXY_TRUST: 'false' }).proxy.trust).toBe(false)
    expect(readEnv({ PENNANT_PROXY_TRUST: '["10.0.0.1"]' }).proxy.trust).toEqual(['10.0.0.1'])
  })

  test.each(['123', '00123', '12345678901234567890', '1.50'])(
    'an id that looks like the number %s stays text',
    (id) => {
      const config = readEnv({ PENNANT_EXTRANK_CLIENT_ID: id, PENNANT_EXTRANK_CLIENT_SECRET: 's' })
      expect(config.extrank?.clientId).toBe(id)
    },
  )

  test('stricter limits apply as soon as their block is present', () => {
    expect(read({ rateLimits: {} }).rateLimits?.recoverIp).toEqual({ burst: 5, windowMs: 1_500_000 })
    expect(readEnv({ PENNANT_RATE_LIMITS: '{"registerIp": {"burst": 9}}' }).rateLimits?.registerIp).toEqual({
      burst: 9,
      windowMs: 600_000,
    })
    expect(mistakesOf(() => readEnv({ PENNANT_RATE_LIMITS_REGISTER_IP_BURST: '9' }))).toEqual([
      'PENNANT_RATE_LIMITS_REGISTER_IP_BURST: unknown environment variable; PENNANT_RATE_LIMITS takes all of it as JSON',
    ])
  })

  test('the server starts with variables that no longer have an effect', () => {
    expect(readEnv({ PENNANT_LEADERBOARD_UPDATE_INTERVAL: '30000' }).leaderboard.maxLimit).toBe(100)
  })
})

test('people are a mode, or a block with it', () => {
  expect(read().people).toMatchObject({ mode: 'optional', maxTeamSize: 50, individual: false })
  expect(read({ people: 'off' }).people.mode).toBe('off')
  expect(read({ people: { mode: 'required', maxTeamSize: 4 } }).people).toMatchObject({
    mode: 'required',
    maxTeamSize: 4,
  })
  expect(readEnv({ PENNANT_PEOPLE: '"off"' }).people.mode).toBe('off')
  expect(readEnv({ PENNANT_PEOPLE_MODE: 'required' }).people.mode).toBe('required')
  expect(mistakesOf(() => read({ people: 'none' }))).toHaveLength(1)
})

describe('layers', () => {
  test('objects are merged by key, lists are replaced', () => {
    const sponsor = (name: string) => ({ name, icon: '', description: '' })
    const config = read(
      { sponsors: [sponsor('a'), sponsor('b')], leaderboard: { maxLimit: 50, graphMaxTeams: 5 } },
      { sponsors: [sponsor('c')], leaderboard: { maxLimit: 60 } },
    )
    expect(config.sponsors).toEqual([sponsor('c')])
    expect(config.leaderboard).toMatchObject({ maxLimit: 60, graphMaxTeams: 5 })
  })

  test('environment variables override the files', () => {
    expect(readEnv({ PENNANT_CTF_NAME: 'Env' }, { ctfName: 'File' }).ctfName).toBe('Env')
  })
})

describe('environment', () => {
  test('names are derived from the path by one rule', () => {
    const config = readEnv({
      PENNANT_LEADERBOARD_GRAPH_MAX_TEAMS: '12',
      PENNANT_REGISTRATIONS_ENABLED: 'no',
      PENNANT_DIVISIONS: '{"a":"A"}',
      PENNANT_DIVISION_ACLS: '[{"match":"any","divisions":["a"]}]',
      PENNANT_START_TIME: String(start - 1),
      PENNANT_DATA_DIR: '/srv/data',
    })
    expect(config).toMatchObject({
      leaderboard: { graphMaxTeams: 12 },
      registrationsEnabled: false,
      divisions: { a: 'A' },
      divisionACLs: [{ match: 'any', divisions: ['a'] }],
      startTime: start - 1,
      dataDir: '/srv/data',
    })
  })

  test('common names work, and the prefixed name takes precedence', () => {
    const env = {
      DATABASE_URL: 'postgres://a/b',
      REDIS_URL: 'redis://c',
      PORT: '80',
      HOST: '::1',
      LOG_LEVEL: 'warn',
    }
    expect(readEnv(env)).toMatchObject({
      database: { url: 'postgres://a/b' },
      redis: { url: 'redis://c' },
      port: 80,
      host: '::1',
      logLevel: 'warn',
    })
    expect(readEnv({ ...env, PENNANT_PORT: '81' }).port).toBe(81)
  })

  test('an empty variable counts as unset', () => {
    expect(readEnv({ PENNANT_CTF_NAME: '', DATABASE_URL: '' }).database.url).toBeUndefined()
  })

  test('an unknown variable with the prefix is an error', () => {
    expect(mistakesOf(() => readEnv({ PENNANT_LEADERBORD_MAX_LIMIT: '3' }))).toEqual([
      'PENNANT_LEADERBORD_MAX_LIMIT: unknown environment variable; did you mean PENNANT_LEADERBOARD_MAX_LIMIT?',
    ])
  })

  test('ignores the variables that Kubernetes sets for a service called pennant', () => {
    const env = {
      PENNANT_PORT: 'tcp://10.0.0.7:3000',
      PENNANT_SERVICE_HOST: '10.0.0.7',
      PENNANT_PORT_3000_TCP_ADDR: '10.0.0.7',
      PENNANT_DB_SERVICE_PORT_PG: '5432',
    }
    expect(readEnv(env).port).toBe(3000)
  })
})

describe('errors', () => {
  test('are reported all at once, each with its path and source', () => {
    const wrong = {
      startime: 5,
      leaderboard: { maxlimit: 1, graphSampleTime: 10 },
      port: 'x',
      origin: 'ctf.example',
    }
    expect(mistakesOf(() => read(wrong))).toEqual([
      '0.yaml: origin: must be a URL that starts with http:// or https://',
      '0.yaml: port: must be a number',
      '0.yaml: leaderboard.graphSampleTime: must be at least 1000',
      '0.yaml: leaderboard.maxlimit: unknown key; did you mean leaderboard.maxLimit?',
      '0.yaml: startime: unknown key; did you mean startTime?',
    ])
  })

  test('for a key at the wrong level name the right path', () => {
    expect(mistakesOf(() => read({ graphMaxTeams: 3 }))).toEqual([
      '0.yaml: graphMaxTeams: unknown key; did you mean leaderboard.graphMaxTeams?',
    ])
  })

  test('in a value from the environment name the variable', () => {
    expect(mistakesOf(() => readEnv({ PENNANT_PORT: 'x', PENNANT_DIVISIONS: '{' }))).toEqual([
      'PENNANT_DIVISIONS: must be JSON',
      'port: must be a number (PENNANT_PORT)',
    ])
  })

  test.each<[Readonly<Record<string, string>>, string]>([
    [{ PENNANT_BACKUP_SIGNED_BY: 'a b' }, 'PENNANT_BACKUP_SIGNED_BY: must be JSON'],
    [
      { PENNANT_BACKUP_SIGNED_BY: '["a b"]' },
      'backup.signedBy.0: must be a public key, `ssh-ed25519 AAAA…` (PENNANT_BACKUP_SIGNED_BY, entry 1)',
    ],
    [
      { PENNANT_BACKUP: '{"signedBy":["a"]}' },
      'backup.signedBy.0: must be a public key, `ssh-ed25519 AAAA…` (PENNANT_BACKUP)',
    ],
    [
      { PENNANT_DIVISION_ACLS: '[{"match":"any","divisions":["closed"]}]' },
      'divisionACLs.0.divisions: no such division: closed (PENNANT_DIVISION_ACLS, entry 1)',
    ],
    [
      { PENNANT_UPLOAD_PROVIDER_NAME: 'uploads/s3', PENNANT_UPLOAD_PROVIDER_OPTIONS_REGION: 'x' },
      'uploadProvider.options.bucketName: is missing (PENNANT_UPLOAD_PROVIDER_OPTIONS_BUCKET_NAME)',
    ],
    [{ PORT: 'x' }, 'port: must be a number (PORT)'],
  ])('in a value from the environment name a variable that exists: %j', (env, line) => {
    expect(mistakesOf(() => readEnv(env))).toContain(line)
  })

  test('are reported for rules with unknown divisions or invalid expressions', () => {
    const divisionACLs = [
      { match: 'regex', value: '(', divisions: ['open'] },
      { match: 'suffix', value: 'x', divisions: ['open'] },
    ]
    expect(mistakesOf(() => read({ divisionACLs }))).toEqual([
      '0.yaml: divisionACLs.0.value: must be a JavaScript regular expression',
      '0.yaml: divisionACLs.1.match: match must be one of domain, email, regex, any',
    ])
    const unknown = [{ match: 'any', divisions: ['closed'] }]
    expect(mistakesOf(() => read({ divisionACLs: unknown, defaultDivision: 'opne' }))).toEqual([
      '0.yaml: defaultDivision: no such division: opne',
      '0.yaml: divisionACLs.0.divisions: no such division: closed',
    ])
  })

  test('are reported for divisions of a sign-in provider', () => {
    const provider = (divisions: object[], more = {}) =>
      mistakesOf(() =>
        read({
          people: {
            providers: [{ id: 'a', issuer: 'https://a.example', clientId: 'x', divisions, ...more }],
          },
        }),
      )
    expect(provider([{ group: 'x', division: 'open' }])).toEqual([])
    expect(provider([{ group: 'x', division: 'closed' }])).toEqual([
      '0.yaml: people.providers.0.divisions.0.division: no such division: closed',
    ])
    expect(provider([{ division: 'open' }])).toEqual([
      '0.yaml: people.providers.0.divisions.0: needs either `group` or `domain`',
    ])
    const github = { preset: 'github', issuer: undefined, clientSecret: 'x' }
    expect(provider([{ group: 'x', division: 'open' }], github)).toEqual([
      '0.yaml: people.providers.0: this preset proves neither `domains` nor `groups`',
    ])
  })

  test('are not reported for a missing start', () => {
    const config = readConfig([{ source: 'made', values: { tokenKey: key, endTime: start } }])
    expect(config).toMatchObject({ startTime: Date.UTC(9999, 0, 1), endTime: start })
  })

  test('are reported for an end before the start', () => {
    expect(mistakesOf(() => read({ endTime: start }))).toEqual(['0.yaml: endTime: must be after startTime'])
  })

  test('are reported for a token key that is not 32 bytes, without its text', () => {
    expect(mistakesOf(() => read({ tokenKey: 'c2hvcnQ=' }))).toEqual([
      '0.yaml: tokenKey: must be 32 bytes in base64; `pennant token-key` generates one',
    ])
  })

  test('are reported for a URL given together with its parts', () => {
    const both = { url: 'postgres://a/b', host: 'c' }
    expect(mistakesOf(() => read({ database: both }))).toEqual([
      '0.yaml: database.host: cannot be combined with `url`',
    ])
  })
})

describe('old keys', () => {
  test('for single addresses of the database and the key-value store are still read', () => {
    const warnings: string[] = []
    const values = { database: { sql: 'postgres://a/b', redis: 'redis://c' } }
    const config = readConfig([made, { source: 'old.yaml', values }], (line) => warnings.push(line))
    expect(config).toMatchObject({ database: { url: 'postgres://a/b' }, redis: { url: 'redis://c' } })
    expect(warnings).toEqual([
      'database.redis: deprecated key, read as redis; please rename it',
      'database.sql: deprecated key, read as database; please rename it',
    ])
  })
})
