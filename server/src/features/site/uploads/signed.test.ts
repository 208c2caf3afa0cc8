import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { afterEach, expect, test } from 'vitest'
import { queryUploadsV2, uploadFilesV2 } from '@pennant/contract/uploads.ts'
import { startBucketStore, type BucketStore } from '../../../../test/bucket-stores.ts'
import { startContest, type Contest } from '../../../../test/harness.ts'

const content = 'a file of a challenge'
const sha256 = createHash('sha256').update(content).digest('hex')
const ends: AsyncDisposable[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end[Symbol.asyncDispose]()
})

async function start(options: object) {
  const store = await startBucketStore('s3')
  ends.push(store)
  const uploadProvider = { name: 'uploads/s3', options: { ...store.options, ...options } }
  const contest = await startContest({ config: { uploadProvider } })
  ends.push(contest)
  return { store, contest }
}

async function upload(contest: Contest, name: string) {
  const form = new FormData()
  form.append('files', new File([content], name))
  const { token } = await contest.admin()
  const { data } = await contest.call(uploadFilesV2, { token, form })
  const uploads = [{ sha256, name }]
  const found = await contest.call(queryUploadsV2, { token, body: { uploads } })
  return { uploaded: data, found: found.data }
}

const kept = ({ objects }: BucketStore) => [...objects.values()].map(({ body }) => String(body))

test('files are uploaded to a public bucket and served from there', async () => {
  const { store, contest } = await start({})
  const url = `${store.url}/files/uploads/${sha256}/a%20b.txt`
  expect(await upload(contest, 'a b.txt')).toEqual({
    uploaded: [{ name: 'a b.txt', url, size: content.length }],
    found: [{ sha256, name: 'a b.txt', url, size: content.length }],
  })
  expect(kept(store)).toEqual([content])
  expect(await readdir(contest.app.providers.uploads.stagingFolder)).toEqual([])
  expect((await fetch(`${contest.url}/uploads/${sha256}/a%20b.txt`)).status).toBe(404)
})

test('files in a private bucket are served through this server', async () => {
  const { store, contest } = await start({ downloads: 'signed' })
  const { uploaded } = await upload(contest, 'a b.txt')
  const url = `/uploads/${sha256}/a%20b.txt`
  expect(uploaded).toEqual([{ name: 'a b.txt', url, size: content.length }])
  const response = await fetch(contest.url + url)
  expect([response.redirected, await response.text()]).toEqual([true, content])
  const redirect = await fetch(contest.url + url, { redirect: 'manual' })
  expect([redirect.status, redirect.headers.get('cache-control')]).toEqual([302, 'no-store'])
  expect(redirect.headers.get('location')).not.toContain(String(store.options['awsKeySecret']))
})

test('signs only uploads', async () => {
  const { contest } = await start({ downloads: 'signed' })
  for (const path of ['backup.sql', `${sha256}/..%2Fx`, `${sha256}`, `other/${sha256}`, `${sha256}/a/b/c`]) {
    const response = await fetch(`${contest.url}/uploads/${path}`, { redirect: 'manual' })
    expect(response.status, path).toBe(404)
  }
})
