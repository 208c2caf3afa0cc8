import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textFiles } from './repository-files.ts'
import { END, readManifest, repositoryOf, START, withInstallation } from './repository.ts'

const url = 'git+https://github.com/Some-Team/pennant.git'
const page = `# A\n\n${START}\nold\n${END}\n\nafter\n`

test('a published repository gives every command its name', () => {
  const written = withInstallation(page, { repository: { url } })
  expect(written).toContain('npx pennant serve')
  expect(written).toContain('ghcr.io/some-team/pennant:<version>')
  expect(written).toContain(
    'https://github.com/Some-Team/pennant/.github/workflows/release.yaml@refs/tags/v<version>',
  )
  expect(written).not.toContain('old')
  expect(withInstallation(written, { repository: { url } })).toBe(written)
})

test('without one, a page describes the downloaded release and names no registry', () => {
  const written = withInstallation(page, {})
  expect(written).toContain('npx ./pennant-<version>.tgz serve')
  expect(written).not.toMatch(/github|ghcr/)
  expect(() => withInstallation('# A', {})).toThrow('get it')
  expect(() => repositoryOf({ repository: { url: 'github:a/b' } })).toThrow('repository.url')
})

/** Where Pennant itself could be: a repository, an image, a clone. */
const PLACES = /git clone\b.*|(?:github\.com|ghcr\.io|gitlab\.com)\/[\w.-]+\/pennant[\w.-]*/gi

test('no file names another repository of Pennant', () => {
  const known = repositoryOf(readManifest())
  const named = textFiles()
    .filter((path) => path !== 'tools/repository.test.ts')
    .flatMap((path) => {
      const text = readFileSync(join(import.meta.dirname, '..', path), 'utf8')
      return (text.match(PLACES) ?? []).map((place) => ({ path, place }))
    })
    .filter(({ place }) => !known || !(place.includes(known.url.slice(8)) || place.includes(known.registry)))
  expect(named).toEqual([])
})
