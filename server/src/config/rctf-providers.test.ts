import { describe, expect, test } from 'vitest'
import { environmentLayer } from './environment.ts'
import { readConfig } from './read-config.ts'

const needed = { tokenKey: Buffer.alloc(32).toString('base64') }

function read(values: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>> = {}) {
  const warnings: string[] = []
  const layers = [{ source: 'pennant.yaml', values: { ...needed, ...values } }, environmentLayer(env)]
  return { config: readConfig(layers, (line) => warnings.push(line)), warnings }
}

const service = { apiUrl: 'http://instancer:3030', authToken: 'secret' }
const variables = { DOCKER_INSTANCER_API_URL: 'http://other:3030', DOCKER_INSTANCER_AUTH_TOKEN: 'other' }
const docker = (options: object) => ({ instancers: { main: { name: 'instancers/docker', options } } })

describe('instancers/docker', () => {
  test('with the options of the service of rCTF is its client, with the secret where the service reads it', () => {
    const { config, warnings } = read(docker(service))
    expect(config.instancers['main']).toMatchObject({
      name: 'instancers/http',
      options: { ...service, authField: 'rctfAuthToken' },
    })
    expect(warnings).toEqual([
      'instancers.main: the service of rCTF, read as instancers/http with authField rctfAuthToken',
    ])
  })

  test('without options is the service too, if the variables of rCTF are set: the local engine starts nothing', () => {
    const others = [
      docker({}),
      { instancer: 'instancers/docker' },
      { instancers: { main: 'instancers/docker' } },
    ]
    for (const values of others) {
      const [picked] = Object.values(read(values, variables).config.instancers)
      expect(picked).toMatchObject({
        name: 'instancers/http',
        options: { apiUrl: 'http://other:3030', authToken: 'other' },
      })
    }
  })

  test('is the engine without any of them', () => {
    const hosts = [{ url: 'unix:///var/run/docker.sock', publicHost: 'ctf.example' }]
    const message = (values: Parameters<typeof read>[0], env = {}) => {
      try {
        return read(values, env).config.instancers['main']?.name
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(message(docker({ hosts }))).toMatch(
      /^(instancers\/docker$|pennant.yaml: instancers\.main\.options)/,
    )
    for (const [values, env] of [
      [docker({ hosts, ...service }), {}] as const,
      [docker({ hosts }), variables] as const,
    ])
      expect(message(values, env)).toContain(
        'pennant.yaml: instancers.main.options.hosts: are engines of Docker, but `apiUrl`, `authToken` or a variable',
      )
  })
})

test('an instancer that only rCTF has stops the start with what to do', () => {
  const k8s = { instancers: { main: { name: 'instancers/k8s', options: { authToken: 'x' } } } }
  expect(() => read(k8s)).toThrow(
    /^pennant.yaml: instancers\.main\.name: instancers\/k8s writes objects for the operator of rCTF.*`domain`/,
  )
  expect(() => read({ instancers: { main: 'instancers/paradigmctf' } })).toThrow(/without a counterpart/)
})

test('a key of rCTF names the import', () => {
  expect(() => read({ ctftime: { clientId: 1 } })).toThrow(
    'pennant.yaml: ctftime: unknown key of rCTF; `pennant import rctf --config <folder>`',
  )
})

test('other names of providers are read as ours, with a warning', () => {
  const adminBot = {
    provider: { name: 'admin-bots/rctf-ts', options: { endpoint: 'http://bot:4000', secretKey: 'secret' } },
  }
  const { config, warnings } = read({ adminBot, uploadProvider: 'uploads/dummy' })
  expect(config.adminBot?.provider).toMatchObject({
    name: 'admin-bots/browser',
    options: { endpoint: 'http://bot:4000' },
  })
  expect(config.uploadProvider.name).toBe('uploads/local')
  expect(warnings).toEqual([
    'adminBot.provider: admin-bots/rctf-ts of rCTF, read as admin-bots/browser',
    'uploadProvider: uploads/dummy of rCTF, read as uploads/local',
  ])
})
