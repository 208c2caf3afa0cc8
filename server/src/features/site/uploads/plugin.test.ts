import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { bareServer } from '../../../../test/bare-server.ts'
import { recordLog } from '../../../../test/log.ts'
import { localUploads } from '../../../providers/uploads/local.ts'
import { uploadFiles } from './plugin.ts'

const bytes = Buffer.from('0123456789')
const digest = createHash('sha256').update(bytes).digest('hex')

async function openFiles() {
  const uploadDirectory = await mkdtemp(join(tmpdir(), 'pennant-uploads-'))
  const world = { fetch, log: recordLog().log, now: () => 0, dataDir: '.' }
  const uploads = await localUploads.start({ uploadDirectory }, world)
  await uploads.store(`${digest}/digits.txt`, bytes)
  const app = bareServer({ files: [uploadFiles({ folder: uploadDirectory, elapsedMs: () => 0 })] })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    uploads,
    uploadDirectory,
    get: (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers }),
    async [Symbol.asyncDispose]() {
      await app.close()
      await rm(uploadDirectory, { recursive: true })
    },
  }
}

const path = `/uploads/${digest}/digits.txt`

test('a file is sent as an immutable attachment', async () => {
  await using files = await openFiles()
  const response = await files.get(path)
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'cache-control': 'public, max-age=31557600, immutable',
    'content-disposition': 'attachment; filename="digits.txt"',
    'content-length': '10',
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  })
  expect(await response.text()).toBe('0123456789')
})

test('HEAD returns the same headers without a body', async () => {
  await using files = await openFiles()
  const response = await fetch(files.url + path, { method: 'HEAD' })
  expect([response.status, response.headers.get('content-length')]).toEqual([200, '10'])
})

test('a caller with a current copy gets 304', async () => {
  await using files = await openFiles()
  const etag = (await files.get(path)).headers.get('etag') ?? ''
  const response = await files.get(path, { 'if-none-match': etag })
  expect([response.status, await response.text()]).toEqual([304, ''])
})

test('serves a range of a file', async () => {
  await using files = await openFiles()
  const part = await files.get(path, { range: 'bytes=2-4' })
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
    206,
    'bytes 2-4/10',
    '234',
  ])
  const beyond = await files.get(path, { range: 'bytes=10-' })
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10'])
  // `If-Range` with the ETag of another version.
  const other = await files.get(path, { range: 'bytes=2-4', 'if-range': '"other"' })
  expect([other.status, await other.text()]).toEqual([200, '0123456789'])
})

test('sends an empty file', async () => {
  await using files = await openFiles()
  const empty = createHash('sha256').digest('hex')
  await files.uploads.store(`${empty}/nothing`, Buffer.alloc(0))
  const response = await files.get(`/uploads/${empty}/nothing`)
  expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([
    200,
    '0',
    '',
  ])
})

test('a path that is not a stored file is not found, in any spelling', async () => {
  await using files = await openFiles()
  await writeFile(join(files.uploads.stagingFolder, 'half'), 'half')
  await writeFile(join(dirname(files.uploadDirectory), 'outside'), 'secret')
  for (const wrong of [
    '/uploads/',
    '/uploads',
    `/uploads/${digest}`,
    `/uploads/${digest}/`,
    `/uploads/${digest}/other.txt`,
    `/uploads/${digest}/digits.txt/`,
    '/uploads/.staging/half',
    `/uploads/${digest}/..%2f..%2foutside`,
    `/uploads/${digest}%2f..%2f..%2foutside`,
    `/uploads/${digest}/%2e%2e/%2e%2e/outside`,
    '/uploads/..%2foutside',
    '/uploads/%2e%2e/outside',
    `/uploads/${digest}/..%5c..%5coutside`,
    `/uploads/${digest}/digits.txt%00`,
    '/uploads//etc/passwd',
    `/uploads/${digest.toUpperCase()}/digits.txt`,
    `/uploads/${digest}/%`,
  ]) {
    const response = await files.get(wrong)
    expect(response.status, wrong).toBeGreaterThanOrEqual(400)
    expect(await response.text(), wrong).not.toMatch(/secret|half|0123/)
  }
})
