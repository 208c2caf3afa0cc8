import { startInstance } from '@pennant/contract/instances.ts'
import { listActions, undoAction } from '@pennant/contract/actions.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import * as contract from '@pennant/contract/pages.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { readStream } from '../../../../test/stream.ts'

let contest: Contest
let admin: Member
beforeAll(async () => {
  contest = await startContest()
  admin = await contest.admin()
  await putChallenge(contest.db, challengeRow('web'))
})
afterAll(() => contest[Symbol.asyncDispose]())

type Draft = Parameters<typeof create>[0]

const english = (title: string, content = `# ${title}`) => ({ language: 'en', title, content })

async function create(data: {
  slug: string
  place?: 'none' | 'menu' | 'footer'
  published?: boolean
  mustAccept?: boolean
  texts?: { language: string; title: string; content: string }[]
}) {
  const body = { data: { texts: [english('Rules')], ...data } }
  return await contest.call(contract.createPage, { token: admin.token, body })
}

async function created(data: Draft) {
  const response = await create(data)
  if (response.kind !== 'goodPageUpdate') throw new Error(JSON.stringify(response))
  return response.data.page
}

const update = (id: string, data: { version: number; [field: string]: unknown }, token = admin.token) =>
  contest.call(contract.updatePage, { token, params: { id }, body: { data } })

const remove = (id: string) => contest.call(contract.deletePage, { token: admin.token, params: { id } })

const read = (slug: string, language?: string) =>
  contest.call(contract.readPage, { params: { slug }, query: language === undefined ? {} : { language } })

async function linked() {
  const response = await contest.call(getClientConfigV2, {})
  if (response.kind !== 'goodClientConfig') throw new Error(response.kind)
  return response.data.pages?.map(({ slug }) => slug)
}

describe('a page', () => {
  test('is public once it is published, and reports nothing before', async () => {
    const stream = await readStream(contest.url)
    await stream.next('hello')
    const page = await created({ slug: 'faq', texts: [english('FAQ', 'Draft text')] })
    expect([(await read('faq')).kind, await linked()]).toEqual(['badPage', undefined])
    await update(page.id, { version: 1, published: true, place: 'menu' })
    expect(await read('faq')).toMatchObject({ data: { title: 'FAQ', content: 'Draft text', version: 2 } })
    expect(await linked()).toEqual(['faq'])
    const { data } = await stream.next('pages')
    expect(data.pages).toEqual([
      { slug: 'faq', place: 'menu', version: 2, titles: [{ language: 'en', title: 'FAQ' }] },
    ])
    await update(page.id, { version: 2, published: false })
    expect(await stream.next('pages', ({ pages }) => pages.length === 0)).toBeDefined()
    expect([(await read('faq')).kind, await linked()]).toEqual(['badPage', undefined])
    stream.close()
    await remove(page.id)
  })

  test('is shown in the language of the reader, a related one, or the default', async () => {
    const texts = ['en', 'de', 'pt-BR'].map((language) => ({ language, title: language, content: '' }))
    const page = await created({ slug: 'tongues', published: true, texts })
    const languageFor = async (language?: string) => {
      const response = await read('tongues', language)
      return response.kind === 'goodPage' ? response.data.language : response.kind
    }
    expect(await languageFor('DE')).toBe('de')
    expect(await languageFor('de-AT')).toBe('de')
    expect(await languageFor('pt')).toBe('pt-BR')
    expect(await languageFor('fr')).toBe('en')
    expect(await languageFor()).toBe('en')
    expect(await languageFor('"><script>')).toBe('badBody')
    await remove(page.id)
  })

  test('is sent again only if it has changed', async () => {
    const page = await created({ slug: 'tagged', published: true })
    const url = `${contest.url}/api/v2/pages/tagged`
    const etag = (await fetch(url)).headers.get('etag') ?? ''
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
    await update(page.id, { version: 1, texts: [english('Rules', 'New')] })
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(200)
    await remove(page.id)
  })

  test('keeps its versions with their author, and an undo restores one', async () => {
    expect((await update('none', { version: 1 })).kind).toBe('badPage')
    const page = await created({ slug: 'history', texts: [english('Rules', 'x'.repeat(40_000))] })
    expect(await update(page.id, { version: 1, texts: [english('Rules', 'Second')] })).toMatchObject({
      kind: 'goodPageUpdate',
    })
    expect(await update(page.id, { version: 1, slug: 'late' })).toMatchObject({
      kind: 'badPageVersion',
      data: { version: 2 },
    })
    const params = { id: page.id }
    const response = await contest.call(contract.readAdminPage, { token: admin.token, params })
    if (response.kind !== 'goodAdminPage') throw new Error(response.kind)
    expect(response.data.versions).toMatchObject([
      { version: 2, savedBy: admin.id },
      { version: 1, savedBy: admin.id },
    ])
    const versionAt = (version: string) =>
      contest.call(contract.readPageVersion, { token: admin.token, params: { ...params, version } })
    expect(await versionAt('1')).toMatchObject({ data: { texts: [{ content: 'x'.repeat(40_000) }] } })
    expect((await versionAt('9')).kind).toBe('badPage')
    const log = await contest.call(listActions, { token: admin.token, query: { limit: '1' } })
    if (log.kind !== 'goodActions') throw new Error(log.kind)
    const [action] = log.data.actions
    expect(action).toMatchObject({ action: 'page.update', canUndo: true, targets: [{ name: 'Rules' }] })
    const undone = await contest.call(undoAction, {
      token: admin.token,
      params: { id: String(action?.seq) },
    })
    expect(undone.kind).toBe('goodActionUndo')
    expect(await contest.call(contract.readAdminPage, { token: admin.token, params })).toMatchObject({
      data: { page: { version: 3, texts: [{ content: 'x'.repeat(40_000) }] } },
    })
    await remove(page.id)
    expect(await contest.call(contract.readAdminPage, { token: admin.token, params })).toMatchObject({
      kind: 'badPage',
    })
  })

  test('is refused with an address that is taken, reserved or malformed, and with too long or doubled texts', async () => {
    const page = await created({ slug: 'taken' })
    const other = await created({ slug: 'other' })
    expect((await create({ slug: 'taken' })).kind).toBe('badPageAddress')
    expect((await update(other.id, { version: 1, slug: 'taken' })).kind).toBe('badPageAddress')
    for (const slug of ['new', 'Rules', 'a/b', '-a', 'ä', '', 'a'.repeat(65)])
      expect([slug, (await create({ slug })).kind]).toEqual([slug, 'badBody'])
    const long = english('A', 'x'.repeat(50_001))
    const spoofed = english('A\u202eB')
    const many = Array.from({ length: 5 }, (_, at) => ({
      language: `x${String.fromCodePoint(97 + at)}`,
      title: 'A',
      content: 'x'.repeat(45_000),
    }))
    for (const texts of [[long], [spoofed], many, [], [english('A'), { ...english('B'), language: 'EN' }]])
      expect((await create({ slug: 'texts', texts })).kind).toBe('badBody')
    expect((await create({ slug: 'texts', texts: [{ ...english('A'), language: 'e' }] })).kind).toBe(
      'badBody',
    )
    await remove(page.id)
    await remove(other.id)
  })

  test('has a place in the order, which takes all pages', async () => {
    const ids = []
    for (const slug of ['a', 'b', 'c']) ids.push((await created({ slug, published: true })).id)
    const order = (list: string[]) =>
      contest.call(contract.orderPages, { token: admin.token, body: { ids: list } })
    expect((await order(ids.toReversed())).kind).toBe('goodPageOrder')
    expect(await linked()).toEqual(['c', 'b', 'a'])
    expect((await order(ids.slice(1))).kind).toBe('badPageOrder')
    expect((await order([ids[0]!, ids[0]!, ids[1]!])).kind).toBe('badPageOrder')
    for (const id of ids) await remove(id)
  })

  test('is not written without the permission, and not more often than the bound', async () => {
    const reader = await contest.admin(permissions.challsRead | permissions.usersWrite)
    const page = await created({ slug: 'locked' })
    expect((await update(page.id, { version: 1, published: true }, reader.token)).kind).toBe('badPerms')
    for (const route of [contract.listAdminPages, contract.readAdminPage, contract.listPageAcceptances])
      expect(
        (await contest.call(route, { token: reader.token, params: { id: page.id }, query: {} } as never))
          .kind,
      ).toBe('badPerms')
    await contest.db.change(async (tx) => {
      await tx.query(sql`
        insert into pages (id, slug, place, position, published, must_accept, texts)
        select 'p' || n, 'p' || n, 'none', n, false, false, '[{"language": "en", "title": "P", "content": ""}]'
        from generate_series(1, ${contract.pageLimits.stored - 1}) as n`)
    })
    expect(await create({ slug: 'one-more' })).toMatchObject({ kind: 'badPageCount', data: { max: 50 } })
    await remove(page.id)
    await contest.db.query(sql`delete from pages`)
  })
})

describe('a page that must be accepted', () => {
  const submit = ({ token }: Member) =>
    contest.call(submitFlag, { token, params: { id: 'web' }, body: { flag: 'no' } })
  const accept = ({ token }: Member, slug: string, version: number) =>
    contest.call(contract.acceptPages, { token, body: { pages: [{ slug, version }] } })

  test('stops flags of teams until they accept a version that is recent enough', async () => {
    const team = await contest.team('Players')
    const page = await created({ slug: 'rules', mustAccept: true })
    expect((await submit(team)).kind).toBe('badFlag')
    await update(page.id, { version: 1, published: true })
    expect(await submit(team)).toMatchObject({
      status: 403,
      kind: 'badPagesNotAccepted',
      data: { pages: [{ slug: 'rules', version: 2 }] },
    })
    const start = { token: team.token, params: { id: 'web' }, body: {} }
    expect((await contest.call(startInstance, start)).kind).toBe('badPagesNotAccepted')
    expect((await submit(admin)).kind).toBe('badFlag')
    expect(await accept(team, 'rules', 2)).toMatchObject({
      kind: 'goodPageAcceptances',
      data: { pages: [{ slug: 'rules', acceptVersion: 1, accepted: { version: 2 } }] },
    })
    expect((await submit(team)).kind).toBe('badFlag')
    // A correction does not ask again, a material change does.
    await update(page.id, { version: 2, texts: [english('Rules', 'Typo')] })
    expect((await submit(team)).kind).toBe('badFlag')
    await update(page.id, { version: 3, texts: [english('Rules', 'Stricter')], material: true })
    expect((await submit(team)).kind).toBe('badPagesNotAccepted')
    expect(await accept(team, 'rules', 3)).toMatchObject({ kind: 'badPageVersion', data: { version: 4 } })
    expect((await accept(team, 'rules', 5)).kind).toBe('badPageVersion')
    expect((await accept(team, 'none', 1)).kind).toBe('badPage')
    expect((await accept(team, 'rules', 4)).kind).toBe('goodPageAcceptances')
    expect((await accept(team, 'rules', 4)).kind).toBe('goodPageAcceptances')
    expect((await submit(team)).kind).toBe('badFlag')

    const late = await contest.team('Latecomers')
    const list = await contest.call(contract.listPageAcceptances, {
      token: admin.token,
      params: { id: page.id },
      query: { limit: '10', offset: '0' },
    })
    expect(list).toMatchObject({
      data: {
        total: 2,
        teams: [
          { teamId: late.id, version: null, acceptedAt: null, counts: false },
          { teamName: 'Players', version: 4, acceptedAt: expect.any(Number), counts: true },
        ],
      },
    })
    expect(await contest.call(contract.listAdminPages, { token: admin.token })).toMatchObject({
      data: { teams: 2, pages: [{ slug: 'rules', accepted: 1 }] },
    })
    const own = await contest.call(contract.listOwnAcceptances, { token: late.token })
    expect(own).toMatchObject({ data: { pages: [{ slug: 'rules', accepted: null }] } })
    await remove(page.id)
    expect((await submit(late)).kind).toBe('badFlag')
  })
})
