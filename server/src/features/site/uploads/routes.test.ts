import { createHash } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { permissions } from '@pennant/contract/permissions.ts'
import * as contract from '@pennant/contract/uploads.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { otherSite, PNG } from '../../../../test/other-site.ts'

const maxRequestBodySize = 100_000_000

let contest: Contest
let admin: Member
beforeAll(async () => {
  contest = await startContest({ config: { maxRequestBodySize } })
  admin = await contest.admin()
})
afterAll(() => contest[Symbol.asyncDispose]())

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/** The API's entry for a stored file. */
function stored(name: string, content: string) {
  return { name, url: `/uploads/${sha256(content)}/${encodeURIComponent(name)}` }
}

function formOf(files: Readonly<Record<string, string>>): FormData {
  const form = new FormData()
  for (const [name, content] of Object.entries(files)) {
    // The media type that upload tools send.
    form.append('files', new File([content], name, { type: 'application/binary' }))
  }
  return form
}

const upload = (form: FormData) => contest.call(contract.uploadFilesV2, { token: admin.token, form })

const uploadUris = (files: { name: string; data: string }[]) =>
  contest.call(contract.uploadFilesV1, { token: admin.token, body: { files } })

/** File names in the staging folder. */
const listStaged = () => readdir(contest.app.providers.uploads.stagingFolder)

test('parts are stored in order and can be fetched', async () => {
  const result = await upload(formOf({ 'a b.txt': 'one', 'ünï.zip': 'two', empty: '' }))
  expect(result).toMatchObject({
    kind: 'goodFilesUpload',
    data: [
      { ...stored('a b.txt', 'one'), size: 3 },
      { ...stored('ünï.zip', 'two'), size: 3 },
      { ...stored('empty', ''), size: 0 },
    ],
  })
  const response = await fetch(contest.url + stored('a b.txt', 'one').url)
  expect([response.status, await response.text()]).toEqual([200, 'one'])
  expect(await listStaged()).toEqual([])
})

test('data URIs are stored, also with an empty media type', async () => {
  const result = await uploadUris([
    { name: 'a.bin', data: `data:;base64,${Buffer.from('bytes').toString('base64')}` },
    { name: 'b.txt', data: 'data:text/plain,hello%20there' },
  ])
  expect(result).toMatchObject({
    kind: 'goodFilesUpload',
    data: [stored('a.bin', 'bytes'), stored('b.txt', 'hello there')],
  })
})

test('one invalid data URI means that nothing is stored', async () => {
  const result = await uploadUris([
    { name: 'good', data: 'data:,only once' },
    { name: 'bad', data: 'no uri' },
  ])
  expect(result.kind).toBe('badDataUri')
  const response = await fetch(contest.url + stored('good', 'only once').url)
  expect([response.status, ((await response.json()) as { kind: string }).kind]).toEqual([404, 'badEndpoint'])
})

test('the same bytes under the same name are stored once, in either version', async () => {
  const first = await upload(formOf({ same: 'same bytes' }))
  await uploadUris([{ name: 'same', data: 'data:,same%20bytes' }])
  expect(await upload(formOf({ same: 'same bytes' }))).toEqual(first)
  const folder = join(contest.app.providers.uploads.servedFolder ?? '', sha256('same bytes'))
  expect(await readdir(folder)).toEqual(['same'])
  await upload(formOf({ other: 'same bytes' }))
  expect(await readdir(folder)).toEqual(['other', 'same'])
})

describe.each(['..', '.', '', 'a/b', '../a', 'a\\b', 'c:a', '/etc/passwd', 'x'.repeat(256)])(
  'the name %j',
  (name) => {
    test('is refused in a form', async () => {
      const form = new FormData()
      form.append('files', new File(['x'], 'fine'))
      form.append('files', new Blob(['x']), name)
      expect(await upload(form)).toMatchObject({
        kind: 'badBody',
        data: { reason: expect.stringMatching(/^body:files/) },
      })
      expect(await listStaged()).toEqual([])
    })

    test('is refused in JSON', async () => {
      expect(await uploadUris([{ name, data: 'data:,x' }])).toMatchObject({
        kind: 'badBody',
        data: { reason: expect.stringMatching(/^body:files\.0\.name: /) },
      })
    })

    test('is refused in a query', async () => {
      const body = { uploads: [{ sha256: sha256('x'), name }] }
      expect((await contest.call(contract.queryUploadsV2, { token: admin.token, body })).kind).toBe('badBody')
    })
  },
)

test('a form without a file is refused', async () => {
  const text = new FormData()
  text.append('files', 'text')
  const other = new FormData()
  other.append('file', new File(['x'], 'x'))
  for (const form of [new FormData(), text, other]) {
    expect(await upload(form)).toMatchObject({
      kind: 'badBody',
      data: { reason: expect.stringMatching(/^body:files: /) },
    })
  }
})

async function post(init: RequestInit): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${contest.url}/api/v2/admin/upload`, {
    method: 'POST',
    ...init,
    headers: { authorization: `Bearer ${admin.token}`, ...init.headers },
  })
  return { status: response.status, body: await response.json() }
}

test('a body that is not a form is malformed and leaves no files', async () => {
  const type = { 'content-type': 'multipart/form-data; boundary=x' }
  const half = '--x\r\ncontent-disposition: form-data; name="files"; filename="a"\r\n\r\nhalf'
  for (const init of [
    { body: '{}', headers: { 'content-type': 'application/json' } },
    { body: 'x', headers: { 'content-type': 'multipart/form-data' } },
    { body: half, headers: type },
    { body: `${half}\r\n--x`, headers: type },
  ]) {
    expect(await post(init)).toMatchObject({
      status: 400,
      body: { kind: 'badBody', data: { reason: 'body:formData:malformed' } },
    })
  }
  expect(await listStaged()).toEqual([])
})

test('a request without a body is an empty form', async () => {
  expect(await post({})).toMatchObject({
    status: 400,
    body: { data: { reason: expect.stringMatching(/^body:files: /) } },
  })
})

test('an upload that is too large is refused', async () => {
  await using small = await startContest({ config: { maxRequestBodySize: 1_048_576 } })
  const { token } = await small.admin()
  const form = formOf({ big: 'x'.repeat(2_000_000) })
  const refused = { kind: 'badBodySize', data: { maxSize: 1_048_576 } }
  expect(await small.call(contract.uploadFilesV2, { token, form })).toMatchObject(refused)
  const files = [{ name: 'big', data: `data:,${'x'.repeat(2_000_000)}` }]
  expect(await small.call(contract.uploadFilesV1, { token, body: { files } })).toMatchObject(refused)
})

test('reports a store that cannot write', async () => {
  await using broken = await startContest()
  const { token } = await broken.admin()
  const { servedFolder } = broken.app.providers.uploads
  await rm(servedFolder ?? '', { recursive: true })
  await writeFile(servedFolder ?? '', 'a file where the folder was')
  const form = formOf({ a: 'x' })
  expect((await broken.call(contract.uploadFilesV2, { token, form })).kind).toBe('badFilesUpload')
  const files = [{ name: 'a', data: 'data:,x' }]
  expect((await broken.call(contract.uploadFilesV1, { token, body: { files } })).kind).toBe('badFilesUpload')
  await otherSite((_, response) => response.end(PNG))
  const body = { url: 'http://pictures.example/a' }
  expect((await broken.call(contract.fetchPicture, { token, body })).kind).toBe('badFilesUpload')
})

test('a large file is stored completely', async () => {
  const content = Buffer.alloc(20 * 1024 * 1024, 'pennant')
  const form = new FormData()
  form.append('files', new File([content], 'big.bin'))
  expect(await upload(form)).toMatchObject({
    kind: 'goodFilesUpload',
    data: [{ name: 'big.bin', url: `/uploads/${sha256(content)}/big.bin`, size: content.length }],
  })
})

describe('a query', () => {
  const ask = (uploads: { sha256: string; name: string }[]) => [
    contest.call(contract.queryUploadsV1, { token: admin.token, body: { uploads } }),
    contest.call(contract.queryUploadsV2, { token: admin.token, body: { uploads } }),
  ]

  test('returns the stored files in order, ignoring the case of the digits', async () => {
    await upload(formOf({ known: 'known' }))
    const digest = sha256('known')
    const [v1, v2] = await Promise.all(
      ask([
        { sha256: digest.toUpperCase(), name: 'known' },
        { sha256: digest, name: 'unknown' },
      ]),
    )
    const { url } = stored('known', 'known')
    expect(v1).toMatchObject({
      kind: 'goodUploadsQuery',
      data: [
        { sha256: digest, name: 'known', url },
        { sha256: digest, name: 'unknown', url: null },
      ],
    })
    expect(v2).toMatchObject({
      kind: 'goodUploadsQuery',
      data: [
        { sha256: digest, name: 'known', url, size: 5 },
        { sha256: digest, name: 'unknown', url: null, size: null },
      ],
    })
  })

  test('has at most 1024 files, each with 64 hex digits', async () => {
    const one = { sha256: sha256('x'), name: 'x' }
    const many = (length: number) => Array.from({ length }, () => one)
    for (const [uploads, kind] of [
      [many(1024), 'goodUploadsQuery'],
      [many(1025), 'badBody'],
      [[{ ...one, sha256: 'abc' }], 'badBody'],
      [[], 'goodUploadsQuery'],
    ] as const) {
      for (const result of await Promise.all(ask([...uploads]))) expect(result.kind).toBe(kind)
    }
  })
})

test('uploads are audited', async () => {
  await upload(formOf({ recorded: 'recorded' }))
  const [action] = await contest.db.query(sql`
    select actor_id as "actorId", action, keys, ip from admin_actions order by id desc limit 1`)
  expect(action).toEqual({
    actorId: admin.id,
    action: 'upload.store',
    keys: [`${sha256('recorded')}/recorded`],
    ip: '127.0.0.1',
  })
})

test('uploads require permission to write, queries permission to read', async () => {
  const [reader, writer] = [await contest.admin(1), await contest.admin(2)]
  const form = formOf({ a: 'x' })
  expect((await contest.call(contract.uploadFilesV2, { token: reader.token, form })).kind).toBe('badPerms')
  expect((await contest.call(contract.uploadFilesV2, { token: writer.token, form })).kind).toBe(
    'goodFilesUpload',
  )
  const body = { uploads: [] }
  expect((await contest.call(contract.queryUploadsV2, { token: reader.token, body })).kind).toBe(
    'goodUploadsQuery',
  )
  expect((await contest.call(contract.queryUploadsV2, { token: writer.token, body })).kind).toBe('badPerms')
})

test('a long query asks the store for a few files at a time', async () => {
  const { uploads } = contest.app.providers
  let running = 0
  let most = 0
  const find = vi.spyOn(uploads, 'find').mockImplementation(async () => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
    return null
  })
  const asked = Array.from({ length: 200 }, (_, at) => ({ sha256: sha256(String(at)), name: 'a' }))
  const result = await contest.call(contract.queryUploadsV2, { token: admin.token, body: { uploads: asked } })
  find.mockRestore()
  expect(result.data).toHaveLength(200)
  expect(most).toBe(16)
})

describe('pictures of other sites', () => {
  const store = (url: string, token = admin.token) =>
    contest.call(contract.fetchPicture, { token, body: { url } })

  test('are fetched and stored, and the action log has their source', async () => {
    await otherSite((_, response) => response.setHeader('content-type', 'text/html').end(PNG))
    const url = 'http://pictures.example/a'
    const name = `${sha256(PNG).slice(0, 16)}.png`
    expect(await store(url)).toMatchObject({
      kind: 'goodPictureFetch',
      data: { name, url: `/uploads/${sha256(PNG)}/${name}` },
    })
    const response = await fetch(`${contest.url}/uploads/${sha256(PNG)}/${name}`)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG)
    const logged = await contest.db.query<{ after: unknown }>(
      sql`select after from admin_actions where action = 'upload.store' order by id desc limit 1`,
    )
    expect(logged[0]?.after).toMatchObject({ sources: [url] })
  })

  test('that are none, are missing or are in the network of the server are refused', async () => {
    await otherSite((request, response) => {
      response.statusCode = request.url === '/missing' ? 404 : 200
      response.end('<html>')
    })
    const reasonOf = async (url: string) => {
      const response = await store(url)
      return response.kind === 'badPictureFetch' ? response.data?.reason : response.kind
    }
    expect(await reasonOf('http://pictures.example/page')).toBe('noPicture')
    expect(await reasonOf('http://pictures.example/missing')).toBe('unreachable')
    expect(await reasonOf(contest.url)).toBe('address')
    expect(await reasonOf('http://169.254.169.254/latest/meta-data')).toBe('address')
    expect(await reasonOf('https://[::1]/')).toBe('address')
  })

  test('are fetched for those who may write challenges, a limited number of times', async () => {
    expect(await store('http://127.0.0.1/', (await contest.team()).token)).toMatchObject({ kind: 'badPerms' })
    const reader = await contest.admin(permissions.challsRead)
    expect(await store('http://127.0.0.1/', reader.token)).toMatchObject({ kind: 'badPerms' })
    const writer = await contest.admin(permissions.challsRead | permissions.challsWrite)
    const kinds = new Set<string>()
    for (let count = 0; count <= 40; count++) kinds.add((await store('http://127.0.0.1/', writer.token)).kind)
    expect([...kinds]).toEqual(['badPictureFetch', 'badRateLimit'])
    const long = await store(`http://127.0.0.1/${'x'.repeat(3000)}`)
    expect(long.kind).toBe('badBody')
  })
})
