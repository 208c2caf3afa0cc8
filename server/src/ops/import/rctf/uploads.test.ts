import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImportedFile } from '../contest.ts'
import type { Links } from '../links.ts'
import { createRctfLinks } from './uploads.ts'

// The dump is a text from elsewhere: it must not choose which hosts this machine asks.

const sha256 = 'a'.repeat(64)
const asked: string[] = []
const server = createServer(({ url = '', headers }, response) => {
  asked.push(`${headers.host}${url}`)
  if (url.endsWith('/moved')) response.writeHead(302, { location: `/uploads/${sha256}/inside` })
  response.end('content')
})
let origin: string
let port: number
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  origin = `http://127.0.0.1:${port}`
})
afterAll(() => server.close())

async function read(url: string): Promise<string> {
  const files: ImportedFile[] = []
  const links = { add: (file: ImportedFile) => (files.push(file), 'marker') } as unknown as Links
  createRctfLinks(links, { folder: null, origin, fetch }).url(url)
  const [file] = files
  if (!file?.open) throw new Error('the link is not one of an upload')
  return await text(await file.open())
}

describe('a file of an imported dump', () => {
  test('is downloaded from the named origin', async () => {
    expect(await read(`/uploads/${sha256}/a.zip`)).toBe('content')
    expect(await read(`${origin}/uploads/${sha256}/a.zip`)).toBe('content')
  })

  test.each<[string, (path: string) => string]>([
    ['another port', (path) => `http://127.0.0.1:1${path}`],
    ['another name of the same machine', (path) => `http://localhost:${port}${path}`],
    ['another scheme', (path) => `https://127.0.0.1:${port}${path}`],
    ['the metadata of a cloud', (path) => `http://169.254.169.254${path}`],
    ['an address without a scheme', (path) => `//169.254.169.254${path}`],
    ['a user in front', (path) => `http://127.0.0.1@169.254.169.254${path}`],
  ])('is not fetched from %s', async (_name, addressOf) => {
    asked.length = 0
    await expect(read(addressOf(`/uploads/${sha256}/a.zip`))).rejects.toThrow('not at --origin')
    expect(asked).toEqual([])
  })

  test('does not follow a redirect', async () => {
    asked.length = 0
    await expect(read(`/uploads/${sha256}/moved`)).rejects.toThrow('redirects')
    expect(asked).toHaveLength(1)
  })
})
