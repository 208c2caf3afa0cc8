import { createHash, randomBytes } from 'node:crypto'
import { badAdminBotConfig, badInstancerConfig } from '@pennant/contract/admin-challenges.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { keepLog } from '../../../test/log.ts'
import { openDatabase } from '../../db/database.ts'
import { createRegexTester } from '../../lib/regex.ts'
import { flagProviders } from '../../providers/flags/all.ts'
import { createFlags } from '../../providers/flags/registry.ts'
import { readChallenges } from '../../world/load.ts'
import { createMintedFlags } from '../submissions/minted-flags.ts'
import { saveChallenge, type AdminBotChecks, type EditDeps, type InstancerChecks } from './admin-edit.ts'

let opened: TestDatabase
const regex = createRegexTester()
beforeAll(async () => {
  opened = await openTestDatabase()
})
afterAll(async () => {
  await regex.close()
  await opened[Symbol.asyncDispose]()
})

/** Takes what has an image, and fills in a default. */
const instancers: InstancerChecks = {
  validate(config, instancer) {
    if (typeof config['image'] !== 'string') return { error: 'image: is needed' }
    return {
      value: { image: config['image'], cpus: config['cpus'] ?? 1, ...(instancer && { on: instancer }) },
    }
  },
}

const derived = {
  inputs: { url: { pattern: '^https://' } },
  timeoutMilliseconds: 5000,
  requireInstancerInstancesRunning: false,
}
const adminBot: AdminBotChecks = {
  derive: async (code) => (code === 'broken' ? { error: 'line 1: nonsense' } : { value: derived }),
}

type Data = Parameters<typeof saveChallenge>[1]['data']

function save(id: string, data: Data, deps: Partial<EditDeps> = {}) {
  const { db } = opened
  const { log } = keepLog()
  const flags = createFlags(flagProviders({ regex, minted: createMintedFlags(db), chance: randomBytes, log }))
  const editor = { actorId: 'admin', ip: '203.0.113.1', keys: Object.keys(data) }
  return saveChallenge({ db, flags, instancers, adminBot, ...deps }, { id, data, editor })
}

async function read(id: string) {
  const [row] = await readChallenges(opened.db, [id])
  return row
}

test('edits of different fields at once lose nothing, over two processes', async () => {
  const second = await openDatabase({ url: opened.url, maxPoolSize: 4, log: keepLog().log })
  await save('merged', {})
  const edits: Data[] = [
    { name: 'name' },
    { description: 'description' },
    { category: 'category' },
    { author: 'author' },
    { flag: 'flag{x}' },
    { points: { min: 1, max: 2 } },
    { files: [{ name: 'a', url: '/a' }] },
    { sortWeight: -3 },
    { hidden: true },
    { tags: ['one', 'two'] },
    { tiebreakEligible: false },
    { releaseTime: 1234 },
    { scoring: { kind: 'static' } },
    { instancerConfig: { config: { image: 'x' } } },
    { adminBotConfig: { code: 'code' } },
  ]
  await Promise.all(edits.map((data, index) => save('merged', data, index % 2 ? { db: second } : {})))
  await second.close()
  expect(await read('merged')).toMatchObject({
    name: 'name',
    description: 'description',
    category: 'category',
    author: 'author',
    flags: [{ provider: 'flags/static', config: { flag: 'flag{x}' } }],
    pointsMin: 1,
    pointsMax: 2,
    files: [{ name: 'a', url: '/a', size: null }],
    sortWeight: -3,
    hidden: true,
    tags: ['one', 'two'],
    tiebreakEligible: false,
    releaseAt: 1234,
    scoringKind: 'static',
    instancerConfig: { config: { image: 'x', cpus: 1 } },
    adminBotConfig: { code: 'code', ...derived },
    version: 16,
  })
})

test('edits of different instancer settings at once lose nothing', async () => {
  await save('settings', { instancerConfig: { config: { image: 'x' } } })
  await Promise.all([
    save('settings', { instancerConfig: { timeoutMilliseconds: 5000 } }),
    save('settings', { instancerConfig: { challengeIntegrationId: 'id' } }),
    save('settings', { instancerConfig: { extendable: false } }),
    save('settings', { instancerConfig: { config: { image: 'y', cpus: 4 } } }),
  ])
  expect((await read('settings'))?.instancerConfig).toEqual({
    challengeIntegrationId: 'id',
    config: { image: 'y', cpus: 4 },
    expose: [],
    timeoutMilliseconds: 5000,
    extendable: false,
  })
})

test('two who make the same challenge at once make one', async () => {
  await Promise.all([save('twice', { name: 'a' }), save('twice', { author: 'b' })])
  expect(await read('twice')).toMatchObject({ name: 'a', author: 'b', version: 2 })
})

describe('instancer settings', () => {
  test('are checked by the instancer that they name, and stored with its defaults', async () => {
    await save('named', { instancerConfig: { instancer: 'second', config: { image: 'x', unknown: 1 } } })
    expect((await read('named'))?.instancerConfig).toMatchObject({
      instancer: 'second',
      config: { image: 'x', cpus: 1, on: 'second' },
    })
  })

  test('that the instancer refuses are told in its words', async () => {
    expect(await save('refused', { name: 'x', instancerConfig: {} })).toMatchObject({
      refused: { reply: badInstancerConfig, data: { error: 'image: is needed' } },
    })
    expect(await read('refused')).toBeUndefined()
  })

  test('are refused where no instancer is configured, but can be cleared', async () => {
    const without = { instancers: null }
    await save('cleared', { instancerConfig: { config: { image: 'x' } } })
    expect(await save('cleared', { instancerConfig: { extendable: true } }, without)).toMatchObject({
      refused: { reply: badInstancerConfig },
    })
    await save('cleared', { instancerConfig: null }, without)
    expect((await read('cleared'))?.instancerConfig).toBeNull()
  })

  test('that never stand still are given up', async () => {
    let count = 0
    const restless: InstancerChecks = {
      async validate(config) {
        count += 1
        await save('restless', { instancerConfig: { timeoutMilliseconds: 1000 + count } })
        return { value: config }
      },
    }
    await save('restless', { instancerConfig: { config: { image: 'x' } } })
    const edit = save('restless', { instancerConfig: { extendable: true } }, { instancers: restless })
    await expect(edit).rejects.toThrow('edited too often')
    expect(count).toBe(5)
  })
})

describe('admin-bot code', () => {
  test('is stored with what follows from it and its digest', async () => {
    await save('bot', { adminBotConfig: { code: 'code' } })
    const revision = createHash('sha256').update('code').digest('hex')
    expect((await read('bot'))?.adminBotConfig).toEqual({ code: 'code', revision, ...derived })
    await save('bot', { adminBotConfig: null }, { adminBot: null })
    expect((await read('bot'))?.adminBotConfig).toBeNull()
  })

  test('that does not compile, or has no bot to run it, is refused', async () => {
    expect(await save('bad bot', { adminBotConfig: { code: 'broken' } })).toMatchObject({
      refused: { reply: badAdminBotConfig, data: { error: 'line 1: nonsense' } },
    })
    expect(await save('bad bot', { adminBotConfig: { code: 'code' } }, { adminBot: null })).toMatchObject({
      refused: { reply: badAdminBotConfig },
    })
    expect(await read('bad bot')).toBeUndefined()
  })

  test('is compiled once, however often the edit is tried', async () => {
    let compiled = 0
    let moved = 0
    const counting: AdminBotChecks = {
      async derive() {
        compiled += 1
        return { value: derived }
      },
    }
    const restless: InstancerChecks = {
      async validate(config) {
        if (moved++ === 0) await save('once', { instancerConfig: { timeoutMilliseconds: 2000 } })
        return { value: config }
      },
    }
    await save('once', { instancerConfig: { config: { image: 'x' } } })
    const data = { instancerConfig: { extendable: true }, adminBotConfig: { code: 'code' } }
    expect(await save('once', data, { instancers: restless, adminBot: counting })).toHaveProperty('row')
    expect([compiled, moved]).toEqual([1, 2])
    expect((await read('once'))?.instancerConfig).toMatchObject({
      extendable: true,
      timeoutMilliseconds: 2000,
    })
  })
})

test('the first refusal in the order of the contract is told', async () => {
  const { db } = opened
  await save('order', {})
  await db.query(sql`insert into teams (id, name, email, division) values ('t', 't', 't@teams.test', 'open')`)
  await db.query(sql`
    insert into solves (id, challenge_id, team_id, created_at, ip)
    values (gen_random_uuid(), 'order', 't', now(), '')`)
  const all: Data = {
    flag: 'x',
    flags: [{ provider: 'flags/none', config: {} }],
    instancerConfig: {},
    adminBotConfig: { code: 'broken' },
    scoring: { kind: 'dynamic', source: { transport: 'webhook', secret: 's' } },
  }
  const { flag: _flag, ...withoutFlag } = all
  const { flags: _flags, ...withoutFlags } = withoutFlag
  const { instancerConfig: _instancer, ...withoutInstancer } = withoutFlags
  const { adminBotConfig: _bot, ...kindAlone } = withoutInstancer
  const reasonOf = async (data: Data) => {
    const result = await save('order', data)
    return 'refused' in result ? JSON.stringify(result.refused.data) : 'saved'
  }
  expect(await reasonOf(all)).toContain('body:data.flag:')
  expect(await reasonOf(withoutFlag)).toContain('body:data.flags.0: provider')
  expect(await reasonOf(withoutFlags)).toContain('image: is needed')
  expect(await reasonOf(withoutInstancer)).toContain('line 1: nonsense')
  expect(await reasonOf(kindAlone)).toContain(
    'body:data.scoring.kind: decay->dynamic blocked, 1 solves exist',
  )
})
