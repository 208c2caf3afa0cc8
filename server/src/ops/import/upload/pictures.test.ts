import { importContest } from '@pennant/contract/contest-import.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { challenge, config, entriesOf } from '../../../../test/import/ctfd-archive.ts'
import { otherSite, PNG } from '../../../../test/other-site.ts'
import { zipOf } from '../../../../test/zips.ts'

let contest: Contest
let owner: Member
beforeEach(async () => {
  contest = await startContest({ config: { maxRequestBodySize: 8 * 1024 * 1024 } })
  owner = await contest.admin()
  await otherSite((request, response) => {
    response.statusCode = request.url === '/gone' ? 404 : 200
    response.end(PNG)
  })
})
afterEach(() => contest[Symbol.asyncDispose]())

const text = '![](http://pictures.example/a) ![](http://pictures.example/gone)'

/** An export with one challenge. */
const exportOf = (description: string) =>
  zipOf(entriesOf({ config: config({}), challenges: [challenge(1, { name: 'Far', description })] }))

function send(archive: Buffer, query: { plan?: string; storePictures?: 'true' } = {}) {
  const form = new FormData()
  form.append('archive', new File([new Uint8Array(archive)], 'export.zip'))
  return contest.call(importContest, { token: owner.token, query: { source: 'ctfd', ...query }, form })
}

async function planOf(archive: Buffer) {
  const planned = await send(archive)
  if (planned.kind !== 'goodContestImportPlan') throw new Error(planned.kind)
  return planned.data
}

async function storedDescription(): Promise<string | undefined> {
  const [row] = await contest.db.query<{ description: string }>(sql`select description from challenges`)
  return row?.description
}

test('pictures of other sites are named in the plan, and stay where they are', async () => {
  const { findings, plan } = await planOf(exportOf(text))
  expect(findings).toContainEqual({
    severity: 'note',
    code: 'pictures',
    text: 'Texts have pictures of other sites, which readers see as links.',
    count: 1,
    examples: ['Far: pictures.example (2)'],
  })
  expect(await send(exportOf(text), { plan })).toMatchObject({ kind: 'goodContestImport' })
  expect(await storedDescription()).toBe(text)
})

test('they are stored if the importer wants it; what cannot be fetched is a note', async () => {
  const { plan } = await planOf(exportOf(text))
  const imported = await send(exportOf(text), { plan, storePictures: 'true' })
  if (imported.kind !== 'goodContestImport') throw new Error(imported.kind)
  expect(imported.data.findings).toContainEqual(
    expect.objectContaining({
      code: 'pictures-left',
      examples: ['http://pictures.example/gone could not be fetched: the site did not respond with it'],
    }),
  )
  const description = (await storedDescription()) ?? ''
  expect(description).toMatch(
    /^!\[\]\(\/uploads\/[0-9a-f]{64}\/[0-9a-f]{16}\.png\) !\[\]\(http:\/\/pictures\.example\/gone\)$/,
  )
  const [, address = ''] = /\((\/uploads[^)]+)/.exec(description) ?? []
  const response = await fetch(contest.url + address)
  expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG)
})

test('a text that is too long is a problem that names its challenge and field', async () => {
  const { findings } = await planOf(exportOf('x'.repeat(200_001)))
  expect(findings).toContainEqual(
    expect.objectContaining({
      severity: 'problem',
      code: 'long-texts',
      examples: [expect.stringContaining('Far, description: has 200001 characters') as string],
    }),
  )
})
