import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readDefaults } from '../../../test/challenge-documents.ts'
import { openChallengeFolder } from '../../../test/challenge-folder.ts'
import { readTree } from './disk-tree.ts'
import { groupFindings, lineOfFinding } from './finding.ts'
import type { ReadOptions } from './open-document.ts'
import { readChallenges } from './read-project.ts'
import type { Selection } from './selection.ts'

/** A repository with these files; `folder` is the one that is read. */
async function repository(files: Readonly<Record<string, string>>, folder = '') {
  const opened = await openChallengeFolder()
  onTestFinished(() => opened[Symbol.asyncDispose]())
  await opened.write(files)
  await mkdir(join(opened.path, '.git'), { recursive: true })
  return {
    path: opened.path,
    async read(options: Partial<ReadOptions & Selection> = {}) {
      const tree = await readTree(join(opened.path, folder))
      const read = await readChallenges(tree, { ...readDefaults, ...options })
      return {
        ...read,
        ids: read.challenges.map(({ value }) => value.id),
        lines: read.findings.map(lineOfFinding),
      }
    },
  }
}

const ctfcli = (name: string, more = '') =>
  `name: ${name}\ncategory: web\nvalue: 1\nflags: ["f{${name}}"]\n${more}`
const KCTF = 'apiVersion: kctf.dev/v1\nkind: Challenge\nmetadata:\n  name: a\n'

describe('a document is recognised by its content', () => {
  test.each([
    ['a/challenge.yaml', ctfcli('A'), 'ctfcli'],
    ['a/challenge.yml', 'name: A\ndescription: d\nflag: f\nprovide: []\n', 'rcds'],
    ['a/challenge.yml', 'name: A\ndescription: d\nflag: f\ntype: dynamic\nvalue: 5\n', 'rcds'],
    // A fork of ctfcli with keys of rCDS.
    ['a/challenge.yml', `${ctfcli('A')}state: visible\nexpose: []\ncontainers: {}\n`, 'ctfcli'],
    ['a/challenge.yml', 'name: A\npoints: { min: 1, max: 2 }\nflags: [{ flag: f }]\n', 'pennant'],
    ['a/challenge.yaml', 'challenges: [{ category: c, name: A, author: x }]\n', 'konata'],
  ])('%s %j', async (file, text, format) => {
    const { read } = await repository({ [file]: text })
    expect((await read()).challenges.map((challenge) => challenge.format)).toEqual([format])
  })

  test('signs of two formats are an error that names both', async () => {
    const { read } = await repository({
      'a/challenge.yml': 'name: A\nflags: [f]\nflag: f\ncategory: c\nvalue: 1\n',
    })
    const { lines } = await read()
    expect(lines.join()).toMatch(
      /^a\/challenge\.yml:\d: error: flags?: has keys of two formats, rcds \(`flag`\) and ctfcli \(`flags`, `value`\)/,
    )
    expect((await read({ format: 'ctfcli' })).challenges).toHaveLength(1)
  })

  test('manifests are counted, templates are left out, two documents of a folder are an error', async () => {
    const { read } = await repository({
      'a/challenge.yaml': KCTF,
      'a/challenge.yml': ctfcli('A'),
      'b/challenge.yaml': `apiVersion: v1\nkind: Namespace\n---\n${KCTF}`,
      '{{cookiecutter.slug}}/challenge.yml': 'name: {{cookiecutter.name}}\n',
      'c/challenge.yml': ctfcli('C'),
      'c/challenge.yaml': ctfcli('C'),
    })
    const { ids, findings, count } = await read()
    expect(ids).toEqual(['a'])
    expect(count).toBe(3)
    const lines = groupFindings(findings).join('\n')
    expect(lines).toContain(
      'is a manifest of Kubernetes and no challenge [project] (2 times: a/challenge.yaml, b/',
    )
    expect(lines).toContain('warning: is a template for new challenges')
    expect(lines).toContain('c/challenge.yaml: error: is in the folder of c/challenge.yml')
  })

  test.each([
    [{ 'a/challenge.yaml': KCTF }, 'every document is a manifest of Kubernetes'],
    [{ 'a/ctfcli.yaml': ctfcli('A') }, 'look like challenges: a/ctfcli.yaml; add --document ctfcli.yaml'],
    [{ 'README.md': '' }, 'there is no document of a challenge'],
  ])('without any, the error says what there is instead: %j', async (files, message) => {
    const { read } = await repository(files)
    expect((await read()).lines.join('\n')).toContain(message)
  })
})

describe('project files', () => {
  test('are the nearest ones, also above the folder and in one that is a challenge itself', async () => {
    const files = {
      'rcds.yaml': 'flagFormat: x\n',
      '2026/rcds.yaml': 'defaults: { author: kim }\n',
      '2026/web/a/challenge.yaml': 'name: A\ndescription: d\nflag: f\n',
    }
    for (const folder of ['', '2026', '2026/web', '2026/web/a']) {
      const { read } = await repository(files, folder)
      const { challenges } = await read()
      expect(challenges.map(({ value }) => value)).toMatchObject([
        { id: 'a', category: 'web', author: 'kim' },
      ])
    }
  })

  test('`.ctf/config` with comments, colons, a document of another name, and what it lists in vain', async () => {
    const config =
      '# c\n[config]\nurl: x\n[challenges]\nweb/a: .\nweb/b/ctfcli.yml = y\n; d\n./web/gone = z\n'
    const { read } = await repository({
      'ctf/.ctf/config': config,
      'ctf/web/a/challenge.yml': ctfcli('A'),
      'ctf/web/b/ctfcli.yml': ctfcli('B'),
      'ctf/web/c/challenge.yml': ctfcli('C'),
    })
    const { ids, lines, excluded } = await read()
    expect(ids).toEqual(['a', 'b'])
    // It is not missing in the folder, so `--prune` must not delete it.
    expect(excluded.map(({ value }) => value.id)).toEqual(['c'])
    expect(lines).toEqual([
      'ctf/.ctf/config: warning: ctf/web/gone: lists ctf/web/gone/challenge.yml, which does not exist [project]',
      'ctf/web/c/challenge.yml: info: is not listed in ctf/.ctf/config [project]',
    ])
  })

  test('a list above the folder has challenges of other folders, and says nothing about them', async () => {
    const { read } = await repository(
      {
        '.ctf/config': '[challenges]\nweb/a = .\ncrypto/b = .\nweb/gone = .\n',
        'web/a/challenge.yml': ctfcli('A'),
        'crypto/b/challenge.yml': ctfcli('B'),
      },
      'web',
    )
    const { ids, lines } = await read()
    expect(ids).toEqual(['a'])
    expect(lines.filter((line) => line.includes('does not exist'))).toEqual([
      expect.stringContaining('lists gone/challenge.yml'),
    ])
  })

  test('an empty list is a warning, and all documents are read', async () => {
    const { read } = await repository({ '.ctf/config': '[challenges]\n', 'a/challenge.yml': ctfcli('A') })
    const { ids, lines } = await read()
    expect(ids).toEqual(['a'])
    expect(lines[0]).toMatch(/^\.ctf\/config: warning: has no challenges/)
  })
})

describe('paths of files', () => {
  test('are found however they are written, inside of the repository and nowhere else', async () => {
    const { read, path } = await repository(
      {
        'ctf/web/a/challenge.yml': ctfcli(
          'A',
          'files: [./a.txt, dist//b.txt, "dist\\\\b.txt", ../../../shared/s.txt, link.txt, linked/b.txt]\n',
        ),
        'ctf/web/a/a.txt': 'a',
        'ctf/web/a/dist/b.txt': 'b',
        'shared/s.txt': 's',
      },
      'ctf',
    )
    await symlink('../../../shared/s.txt', join(path, 'ctf/web/a/link.txt'))
    await symlink('dist', join(path, 'ctf/web/a/linked'))
    const { challenges, lines } = await read()
    expect(lines).toEqual([
      'web/a/challenge.yml:5: warning: files: two files have the name b.txt [file-name]',
    ])
    expect(challenges[0]?.value.files?.map(({ name }) => name)).toEqual([
      'a.txt',
      'b.txt',
      'b.txt',
      's.txt',
      'link.txt',
      'b.txt',
    ])
  })

  test.each([
    ['web/a/x.txt', 'there is no such file; one exists from the root: write x.txt'],
    ['shared/s.txt', 'one exists from the root: write ../../shared/s.txt'],
    ['dist', 'is a folder: list its files'],
    ['/etc/passwd', 'the path is absolute'],
    ['C:\\x', 'the path is absolute'],
    ['../../../x', 'leads out of the repository'],
    ['passwd', 'leads out of the repository'],
    ['.DS_Store', 'players never get'],
    ['../../.git/config', 'there is no such file'],
  ])('%j is refused', async (file, message) => {
    const { read, path } = await repository({
      'web/a/challenge.yml': ctfcli('A', `files: [${JSON.stringify(file)}]\n`),
      'web/a/x.txt': 'x',
      'web/a/.DS_Store': 'x',
      'web/a/dist/b.txt': 'b',
      'shared/s.txt': 's',
      '.git/config': 'token',
    })
    await symlink('/etc/passwd', join(path, 'web/a/passwd'))
    const { lines, challenges } = await read()
    expect(challenges).toEqual([])
    expect(lines[0]).toMatch(/^web\/a\/challenge\.yml:5: error: files: .* \[missing-file\]$/)
    expect(lines[0]).toContain(message)
  })

  test('a document of another tool without files publishes none; our own has its folder', async () => {
    const { read } = await repository({
      'web/a/challenge.yml': ctfcli('A'),
      'web/a/files/solution.py': 's',
      'web/b/challenge.yaml': 'name: B\npoints: { min: 1, max: 1 }\n',
      'web/b/files/b.txt': 'b',
      'web/b/files/Thumbs.db': 'x',
      'web/b/files/.gitkeep': '',
      'web/b/files/__MACOSX/._b.txt': 'x',
    })
    const { challenges } = await read()
    expect(challenges.map(({ value }) => value.files?.map(({ name }) => name))).toEqual([
      undefined,
      ['b.txt'],
    ])
  })
})

test('nothing is dropped without a word', async () => {
  const { read } = await repository({
    'web/a/challenge.yml':
      'name: A\ncategory: ""\nvalue: 010\nvalue: 020\ndescription: "nc {{ host }} ${port}"\nhealthchek: x\nversion: "0.1"\n',
  })
  expect((await read()).lines).toEqual([
    'web/a/challenge.yml:4: warning: value: 020 is 16 in YAML: write 16, or the number that you mean [yaml]',
    'web/a/challenge.yml:6: warning: healthchek: is not a key of this format and is left out; did you mean healthcheck? [unknown-key]',
    'web/a/challenge.yml:1: warning: flags: is empty: players see the challenge and cannot solve it [no-flag]',
    'web/a/challenge.yml:2: warning: category: is empty: write a category [no-category]',
    'web/a/challenge.yml:5: warning: description: shows {{ host }} to players: write what it means [template-left]',
    'web/a/challenge.yml:4: warning: value: is there twice, at line 3 and line 4: the last one counts; remove the other [yaml]',
  ])
})

test.each([
  'stat: hidden',
  'hiden: true',
  'visibility: hidden',
  'visble: false',
  'State: hidden',
  'skip: true',
  'hide: yes',
])('`%s` in a document of another tool is an error that can be allowed', async (line) => {
  const { read } = await repository({ 'a/challenge.yml': ctfcli('A', `${line}\n`) })
  const { lines, challenges } = await read()
  expect(lines.join()).toMatch(
    /challenge\.yml:5: error: \w+: is not a key of this format, but looks as if .* \[unknown-visibility\]/,
  )
  expect(challenges).toHaveLength(1)
})

describe('--only and --exclude', () => {
  const files = {
    'web/a/challenge.yml': ctfcli('A'),
    'web/b/challenge.yml': ctfcli('B Side'),
    'pwn/c/challenge.yml': 'name: [\n',
  }
  test.each<[Partial<Selection>, string[], string[]]>([
    [{ only: ['web'] }, ['a', 'b-side'], []],
    [{ only: ['web/*'], exclude: ['b-side'] }, ['a'], ['b-side']],
    [{ only: ['a'] }, ['a'], ['b-side']],
    [{ only: ['**/b/challenge.yml'] }, ['b-side'], ['a']],
    [{ exclude: ['./pwn/', '*/a'] }, ['b-side'], ['a']],
  ])('%j', async (selection, included, excluded) => {
    const { read } = await repository(files)
    const result = await read(selection)
    expect(result.ids).toEqual(included)
    expect(result.excluded.map(({ value }) => value.id)).toEqual(excluded)
    // What cannot be read is known to be left out, so that nothing is deleted for it.
    expect(result.unknown).toEqual(['pwn/c/challenge.yml'])
    expect(result.lines).toEqual([])
  })
})
