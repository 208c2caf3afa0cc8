import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { extract } from 'tar-stream'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from '../../server/test/folder.ts'
import { chart } from './chart.ts'
import { deploy } from './deploy.ts'
import { replaceIn, type Artefact, type Part } from './part.ts'

const root = join(import.meta.dirname, '../..')
const server = `sha256:${'a'.repeat(64)}`
const bot = `sha256:${'b'.repeat(64)}`
const images: readonly Artefact[] = [
  { name: 'one', image: { name: 'pennant', digest: server } },
  { name: 'two', image: { name: 'pennant-bot', digest: bot } },
]

/** Texts of the archive that the part writes, by path, and what it says. */
async function contentsOf(part: Part, artefacts: readonly Artefact[]) {
  await using folder = await temporaryFolder()
  const said: string[] = []
  const [artefact] = await part.build({
    root,
    built: root,
    out: folder.path,
    version: '2.0.0',
    commit: 'c0ffee',
    time: new Date(0),
    artefacts,
    say: (line) => said.push(line),
  })
  const reader = extract()
  reader.end(gunzipSync(readFileSync(join(folder.path, artefact?.name ?? ''))))
  const files = new Map<string, string>()
  for await (const entry of reader) {
    const chunks: Buffer[] = []
    for await (const chunk of entry) chunks.push(chunk as Buffer)
    files.set(entry.header.name, Buffer.concat(chunks).toString())
  }
  const text = (path: string) => files.get(path) ?? expect.fail(`${path} is not in the archive`)
  return { files, text, said }
}

test('Compose files and the unit of a release name its images by digest and build nothing', async () => {
  const { files, text, said } = await contentsOf(deploy, images)
  const at = 'pennant-2.0.0/deploy'
  const { services } = parse(text(`${at}/compose/compose.yaml`), { merge: true }) as {
    services: Record<string, { image: string; build?: unknown; pull_policy?: unknown }>
  }
  expect(services).toMatchObject({
    pennant: { image: `localhost/pennant@${server}` },
    bot: { image: `localhost/pennant-bot@${bot}` },
  })
  expect(Object.values(services).filter(({ build }) => build !== undefined)).toEqual([])
  expect(text(`${at}/bot/compose.yaml`)).toContain(`\n  image: localhost/pennant-bot@${bot}\n`)
  expect(text(`${at}/systemd/pennant-container.service`)).toContain(` localhost/pennant@${server}\n`)
  expect([...files.keys()].filter((path) => /Containerfile$|\.webp$/.test(path))).toEqual([])
  expect(files.has('pennant-2.0.0/deploy/compose/.env.example')).toBe(true)
  expect(said).toEqual([])
})

test('the chart has the version of the release, and its values the digests', async () => {
  const { text } = await contentsOf(chart, images)
  expect(parse(text('pennant/Chart.yaml'))).toMatchObject({ version: '2.0.0', appVersion: '2.0.0' })
  expect(parse(text('pennant/values.yaml'))).toMatchObject({
    image: { repository: 'localhost/pennant', digest: server },
    bot: { image: { repository: 'localhost/pennant-bot', digest: bot } },
  })
})

test('without images, files name the version and the release says so', async () => {
  const { text, said } = await contentsOf(deploy, [])
  expect(text('pennant-2.0.0/deploy/compose/compose.yaml')).toContain('image: localhost/pennant:2.0.0\n')
  expect(said.join('\n')).toContain('pennant was not built in this run')
  const { text: inChart } = await contentsOf(chart, [])
  expect(parse(inChart('pennant/values.yaml'))).toMatchObject({ image: { digest: '' } })
})

test('a file that no longer has what a release replaces fails the release', () => {
  expect(() => replaceIn('image: other', [[/image: pennant/, 'x']])).toThrow('image: other')
})

test('all manifests have the version of the root', () => {
  const version = (path: string) =>
    (parse(readFileSync(join(root, path), 'utf8')) as { version: string; appVersion?: string }).version
  const others = ['contract', 'server', 'web', 'bot'].map((folder) => `${folder}/package.json`)
  for (const path of [...others, 'package-lock.json', 'deploy/helm/pennant/Chart.yaml'])
    expect({ path, version: version(path) }).toEqual({ path, version: version('package.json') })
})
