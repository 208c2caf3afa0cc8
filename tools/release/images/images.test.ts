import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pack } from 'tar-stream'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../server/test/folder.ts'
import { architectures, type Architecture } from './architectures.ts'
import { readElf, stripSections } from './elf.ts'
import { addLibraries } from './libraries.ts'
import type { ImageSpec } from './image.ts'
import { readLock } from './lock.ts'
import { lockedPackages } from './npm.ts'
import { writeLayout, writePlatform } from './oci.ts'
import { images } from './specs.ts'
import { file, followLinks, readTar, type Tree, type TreeEntry } from './tree.ts'

const root = join(import.meta.dirname, '../../..')
const [amd64, arm64] = architectures as [Architecture, Architecture]
const here = architectures.find(({ cpu }) => cpu === process.arch) ?? amd64
const hasElf = process.platform === 'linux'

function findImage(name: string): ImageSpec {
  const found = images.find((spec) => spec.name === name)
  if (!found) throw new Error(`no image ${name}`)
  return found
}

test.skipIf(!hasElf)('a program without its sections still runs', async () => {
  await using folder = await temporaryFolder()
  const program = readFileSync(realpathSync('/bin/sh'))
  const stripped = stripSections(program)
  expect(readElf(stripped)).toEqual(readElf(program))
  expect(readElf(stripped)).toMatchObject({ machine: here.machine, needed: ['libc.so.6'] })
  const copy = join(folder.path, 'sh')
  writeFileSync(copy, stripped, { mode: 0o755 })
  expect(spawnSync(copy, ['-c', 'echo runs'], { encoding: 'utf8' }).stdout).toBe('runs\n')
})

test.skipIf(!hasElf)('an image gets the libraries of its programs, or is refused', () => {
  const shell = { content: readFileSync(realpathSync('/bin/sh')) }
  const interpreter = readElf(shell.content)?.interpreter ?? ''
  const library = file('a library')
  const available: Tree = new Map<string, TreeEntry>([
    [`usr/lib/${here.triplet}/libc.so.6`, { link: 'libc-2.so' }],
    [`usr/lib/${here.triplet}/libc-2.so`, library],
    [`usr${interpreter}`, library],
    ['usr/lib/libother.so', library],
  ])
  const tree: Tree = new Map([['usr/bin/sh', shell]])
  addLibraries(tree, available, here)
  expect([...tree.keys()].toSorted()).toEqual(
    ['usr/bin/sh', ...available.keys()].filter((path) => path !== 'usr/lib/libother.so').toSorted(),
  )
  expect(() => addLibraries(new Map([['usr/bin/sh', shell]]), new Map(), here)).toThrow(
    'usr/bin/sh needs libc.so.6',
  )
  const foreign = here === amd64 ? arm64 : amd64
  expect(() => addLibraries(tree, available, foreign)).toThrow(
    `usr/bin/sh is for the machine ${here.machine}`,
  )
})

test('reads an archive by path, without folders and owners', async () => {
  const archive = pack()
  archive.entry({ name: './bin/', type: 'directory' })
  archive.entry({ name: './bin/tool', mode: 0o4755, uid: 5 }, 'tool')
  archive.entry({ name: './bin/same', type: 'link', linkname: './bin/tool' })
  archive.entry({ name: './bin/short', type: 'symlink', linkname: '/bin/tool' })
  archive.entry({ name: './notes', mode: 0o600 }, 'unwanted')
  archive.finalize()
  const tree = await readTar(Readable.from(archive), (name) => (name === './notes' ? null : name.slice(2)))
  const tool = { content: Buffer.from('tool'), mode: 0o755 }
  expect(tree).toEqual(
    new Map<string, object>([
      ['bin/tool', tool],
      ['bin/same', tool],
      ['bin/short', { link: '/bin/tool' }],
    ]),
  )
})

test('follows links through folders that became links, and refuses circles', () => {
  const tree: Tree = new Map<string, TreeEntry>([
    ['usr/lib/a', { link: '/lib/b' }],
    ['usr/lib/b', file('b')],
    ['usr/lib/circle', { link: 'circle' }],
  ])
  expect(followLinks(tree, 'usr/lib/a')).toEqual(['usr/lib/a', 'usr/lib/b'])
  expect(followLinks(tree, 'usr/lib/c')).toBe(null)
  expect(() => followLinks(tree, 'usr/lib/circle')).toThrow('a link to itself')
})

test('takes the locked packages of the architecture', async () => {
  const namesOf = async (architecture: Architecture) =>
    (await lockedPackages(root, ['sharp'], architecture)).map(({ name }) => name)
  expect(await namesOf(amd64)).toContain('@img/sharp-linux-x64')
  const names = await namesOf(arm64)
  expect(names).toEqual(
    expect.arrayContaining(['sharp', '@img/sharp-linux-arm64', '@img/sharp-libvips-linux-arm64']),
  )
  expect(names.filter((name) => /musl|x64|win32/.test(name))).toEqual([])
  await expect(lockedPackages(root, ['none'], amd64)).rejects.toThrow('package-lock.json has no none')
})

test('equal files are equal images, whose blobs are named by their digests', async () => {
  await using folder = await temporaryFolder()
  const time = new Date(Date.UTC(2026, 10, 28))
  const entries = [
    { path: 'b', content: 'b' },
    { path: 'a', content: 'a' },
  ]
  const digests = []
  for (const copy of ['one', 'two']) {
    const blobs = join(folder.path, copy)
    mkdirSync(blobs)
    const layers = [{ title: 'files', entries: copy === 'one' ? entries : entries.toReversed() }]
    const platforms = []
    for (const architecture of architectures)
      platforms.push(
        await writePlatform(blobs, { architecture, layers, config: { Cmd: ['a'] } }, { time, gzipLevel: 1 }),
      )
    digests.push(await writeLayout(`${blobs}.tar`, blobs, { name: 'localhost/test:1', platforms, time }))
  }
  expect(digests[0]).toBe(digests[1])
  const [one, two] = ['one', 'two'].map((copy) => readFileSync(join(folder.path, `${copy}.tar`)))
  expect(one?.equals(two ?? Buffer.alloc(0))).toBe(true)
  const index = readFileSync(join(folder.path, 'one', digests[0]?.replace('sha256:', '') ?? ''), 'utf8')
  expect(JSON.parse(index)).toMatchObject({
    manifests: [
      { platform: { architecture: 'amd64', os: 'linux' } },
      { platform: { architecture: 'arm64', os: 'linux' } },
    ],
  })
})

test.each([
  ['deploy/server/Containerfile', 'pennant'],
  ['deploy/bot/Containerfile', 'pennant-bot'],
])('%s builds what the image of a release is', async (path, name) => {
  const text = readFileSync(join(root, path), 'utf8').replaceAll('\\\n', '')
  const { packages, config } = findImage(name)
  const installed = /install -y --no-install-recommends ([^&\n]+)/.exec(text)?.[1]?.trim().split(' ') ?? []
  // `strip` is not part of the image.
  expect(packages).toEqual(expect.arrayContaining(installed.filter((one) => one !== 'binutils')))
  const { node } = await readLock()
  for (const [, line] of text.matchAll(/^FROM \S+\/node:(\d+)/gm)) expect(node.version).toMatch(`${line}.`)
  const last = (instruction: string) =>
    text.split('\n').findLast((line) => line.startsWith(`${instruction} `))
  const list = (instruction: string) =>
    JSON.parse(last(instruction)?.replace(instruction, '') ?? 'null') as unknown
  const variables = last('ENV')?.split(' ').slice(1) ?? []
  expect({ Entrypoint: list('ENTRYPOINT'), Cmd: list('CMD') }).toMatchObject({
    Entrypoint: config['Entrypoint'],
    Cmd: name === 'pennant' ? config['Cmd'] : null,
  })
  expect(config['Env']).toEqual([expect.stringMatching(/^PATH=/), ...variables])
  expect(last('STOPSIGNAL')).toBe(`STOPSIGNAL ${String(config['StopSignal'])}`)
})
