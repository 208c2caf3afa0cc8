import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { createWave, UNSCHEDULED } from '@pennant/contract/waves.ts'
import { describe, expect, test } from 'vitest'
import { shareChallengeSite } from '../../test/challenge-folder.ts'
import { noon } from '../../test/harness.ts'

const site = shareChallengeSite()
const { challenges, write, plan, apply, stored } = site

async function edit(
  id: string,
  data: Parameters<typeof site.contest.call<typeof putChallengeV2>>[1]['body']['data'],
) {
  const result = await site.contest.call(putChallengeV2, {
    token: site.admin.token,
    params: { id },
    body: { data },
  })
  expect(result.kind).toBe('goodChallengeUpdateV2')
}

describe('in our own format', () => {
  const shop = [
    'name: Shop',
    'author: alice',
    'description: |',
    '  Buy the flag.',
    '  Hurry.',
    'hidden: false',
    'points: { min: 50, max: 500 }',
    'flags:',
    '  - flag: flag{one_size_fits_all}',
    '',
  ].join('\n')

  test('a second apply changes nothing, and a plan prints 0 changes', async () => {
    await write({ 'web/shop/challenge.yaml': shop, 'web/shop/files/shop.txt': 'prices' })
    const planned = await plan()
    expect(planned).toMatchObject({ status: 3, complaints: '' })
    expect(planned.output).toContain('+ shop  web/shop/challenge.yaml')
    expect(planned.output).toContain('      + shop.txt')
    expect(planned.output).toMatch(/1 change: 1 to create, 0 to change, 0 to delete$/)
    expect(planned.output).not.toContain('one_size_fits_all')
    expect(await stored('shop')).toBeUndefined()

    expect(await apply()).toMatchObject({ status: 0, complaints: '' })
    const [file] = (await stored('shop'))?.files ?? []
    expect(await (await fetch(site.contest.url + file?.url)).text()).toBe('prices')
    expect(await plan()).toEqual({ status: 0, output: '0 changes', complaints: '' })
    expect(await apply()).toEqual({ status: 0, output: '0 changes', complaints: '' })
  })

  test('shows what changes, line by line, and keeps what the site changed elsewhere', async () => {
    const id = 'shop'
    await write({ 'web/shop/challenge.yaml': shop, 'web/shop/files/shop.txt': 'prices' })
    await apply()
    // The folder says nothing about tags and the position.
    await edit(id, { tags: ['easy'], sortWeight: 7 })
    expect(await plan()).toMatchObject({ status: 0, output: '0 changes' })
    await edit(id, { author: 'mallory\u001b[2J', description: 'Buy the flag.\nSlowly.\n' })
    const drift = await challenges(['diff', site.folder.path])
    expect(drift.status).toBe(3)
    expect(drift.output).toContain('author: "alice" → "mallory\\u001b[2J"')
    expect(drift.output).toContain('      - Hurry.\n      + Slowly.')
    const planned = await plan()
    expect(planned.status).toBe(3)
    expect(planned.output).toContain('      - Slowly.\n      + Hurry.')
    expect(planned.output).not.toContain('\u001b')
    await write({ 'web/shop/files/shop.txt': 'other prices', 'web/shop/files/new.txt': 'new' })
    const applied = await apply()
    expect(applied.output).toContain('      + new.txt\n      ~ shop.txt')
    expect(await stored(id)).toMatchObject({ author: 'alice', tags: ['easy'], sortWeight: 7 })
    expect(await plan()).toMatchObject({ status: 0, output: '0 changes' })
  })

  test('deletes nothing unless it must prune, and then names the solves', async () => {
    await write({ 'web/shop/challenge.yaml': shop })
    await apply()
    const team = await site.contest.team()
    await edit('gone', { name: 'Gone', hidden: false, flags: [{ config: { flag: 'flag{gone}' } }] })
    await site.contest.call(submitFlag, {
      token: team.token,
      params: { id: 'gone' },
      body: { flag: 'flag{gone}' },
    })
    const planned = await plan()
    expect(planned).toMatchObject({ status: 0, output: '0 changes' })
    expect(planned.complaints).toContain('The site has 1 challenge that the folder does not have.')
    expect((await challenges(['diff', site.folder.path])).output).toContain(
      '+ gone  Gone  is only on the site',
    )
    const pruned = await plan('--prune')
    expect(pruned.status).toBe(3)
    expect(pruned.output).toContain('- gone  Gone  with 1 solve')
    await apply()
    expect(await stored('gone')).toBeDefined()
    expect(await apply('--prune')).toMatchObject({ status: 0 })
    expect(await stored('gone')).toBeUndefined()
    expect(await stored('shop')).toBeDefined()
  })

  test('warns of a challenge that looks renamed, and refuses to prune it', async () => {
    await write({ 'web/shop/challenge.yaml': shop })
    await apply()
    await rm(join(site.folder.path, 'web'), { recursive: true })
    await write({ 'web/store/challenge.yaml': shop })
    expect((await plan()).complaints).toContain('looks like shop with another id')
    expect(await apply('--prune')).toMatchObject({ status: 1 })
    expect(await stored('shop')).toBeDefined()
    expect(await apply('--prune', '--allow', 'renamed:store')).toMatchObject({ status: 0 })
    expect(await stored('shop')).toBeUndefined()
    await write({ 'web/store/challenge.yaml': `id: shop\n${shop}` })
    await apply('--prune', '--allow', 'renamed')
  })

  test('reports all errors at once with file, line and field, and applies nothing', async () => {
    await write({
      'web/a/challenge.yaml': 'name: A\nhiden: true\npoints: { min: 5, max: 1 }\n',
      'web/b/challenge.yaml': 'name: B\nfiles:\n  - files/none.zip\n',
      'web/c/challenge.yaml': 'name: "C\n',
      'web/d/challenge.yaml': 'name: Fine\n',
      'web/e/challenge.yaml': 'id: d\nname: E\n',
      'web/f/challenge.yaml': 'name: F\nfiles: [link.txt, ../../../passwd]\n',
    })
    await symlink('/etc/passwd', join(site.folder.path, 'web/f/link.txt'))
    const { status, complaints } = await apply()
    expect(status).toBe(1)
    expect(complaints).toContain('web/a/challenge.yaml:2: error: hiden: has unknown keys: hiden [document]')
    expect(complaints).toContain(
      'web/a/challenge.yaml:3: error: points.min: must not be above max [document]',
    )
    expect(complaints).toContain(
      'web/b/challenge.yaml:2: error: files: files/none.zip: there is no such file',
    )
    expect(complaints).toMatch(
      /^web\/c\/challenge\.yaml:\d: error: name: is not valid YAML: a text in quotes has no end/m,
    )
    expect(complaints).toMatch(/has the same id as web\/d\/challenge\.yaml: d \[duplicate-id\]/)
    expect(complaints).toMatch(/link\.txt: leads out of the repository and is not read \[missing-file\]/)
    expect(complaints).toContain('files: ../../../passwd: leads out of the repository')
    expect(complaints).toContain('nothing was changed')
    expect(await stored('d')).toBeUndefined()
  })

  test('a flag in a distributed file is an error, also inside an archive, unless it is allowed', async () => {
    const files = 'files: [plain.bin, packed.gz]\n'
    await write({
      'misc/leak/challenge.yaml': `name: Leak\n${files}flags: [{ flag: "flag{leaked_here}" }]\n`,
      'misc/leak/plain.bin': Buffer.concat([Buffer.alloc(70_000, 1), Buffer.from('flag{leaked_here}')]),
      'misc/leak/packed.gz': gzipSync('x flag{leaked_here}'),
    })
    const { status, complaints } = await apply()
    expect(status).toBe(1)
    expect(complaints).toContain('misc/leak/challenge.yaml:2: error: files: plain.bin contains a flag')
    expect(complaints).toContain('packed.gz contains a flag of the challenge [flag-in-file]')
    expect(await stored('leak')).toBeUndefined()
    const allowed = await plan('--allow', 'flag-in-file:leak')
    expect(allowed.status).toBe(3)
    expect(allowed.complaints).toContain('warning: files: plain.bin contains a flag')
  })

  test('an unreachable release time is an error, an image without a digest a warning', async () => {
    const time = new Date(noon + 48 * HOUR_MS).toISOString()
    const digest = `@sha256:${'a'.repeat(64)}`
    await write({
      'pwn/late/challenge.yaml': `name: Late\nreleaseTime: ${time}\n`,
      'pwn/image/challenge.yaml': `name: I\ninstancer:\n  config: { image: "a:1", other: { image: "b${digest}" } }\n`,
    })
    const { status, complaints } = await plan()
    expect(status).toBe(1)
    expect(complaints).toMatch(/^pwn\/late\/challenge\.yaml:2: error: releaseTime: .*\[release-time\]$/m)
    expect(complaints).toMatch(
      /^pwn\/image\/challenge\.yaml:2: warning: instancer: the image a:1 has no digest/m,
    )
    expect(complaints).not.toContain('the image b@')
  })

  test('the release time of a challenge in a wave is an error', async () => {
    await edit('waving', { name: 'Waving', category: 'misc', hidden: true })
    const data = { name: 'Second day', openAt: noon + HOUR_MS, challengeIds: ['waving'] }
    const wave = await site.contest.call(createWave, { token: site.admin.token, body: { data } })
    expect(wave.status).toBe(200)
    await write({ 'misc/waving/challenge.yaml': 'name: Waving\nreleaseTime: 2030-05-03T00:00:00Z\n' })
    const { status, complaints } = await plan()
    expect(status).toBe(1)
    expect(complaints).toMatch(
      /^misc\/waving\/challenge\.yaml:2: error: releaseTime: the wave .* \[document\]$/m,
    )
    await write({ 'misc/waving/challenge.yaml': 'name: Waving\n' })
    expect(await plan()).toMatchObject({ status: 0 })
  })

  test('the server checks what only it knows, at the line of the document', async () => {
    await write({ 'web/regex/challenge.yaml': 'name: R\nflags:\n  - kind: regex\n    pattern: "("\n' })
    const { status, complaints } = await plan()
    expect(status).toBe(1)
    expect(complaints).toMatch(/^web\/regex\/challenge\.yaml:3: error: flags\.0: .*\[server\]$/m)
  })

  test('export writes a folder that is equal to the site, and overwrites nothing without --force', async () => {
    await write({ 'web/shop/challenge.yaml': shop, 'web/shop/files/shop.txt': 'prices' })
    await apply()
    const target = join(site.folder.path, 'out')
    expect(await challenges(['export', target])).toMatchObject({ status: 0 })
    expect(await challenges(['plan', target])).toMatchObject({ status: 0, output: '0 changes' })
    expect((await challenges(['export', target])).output).toMatch(/^0 files written, \d+ unchanged$/)
    const document = join(target, 'web/shop/challenge.yaml')
    const text = await readFile(document, 'utf8')
    await writeFile(document, 'mine')
    expect(await challenges(['export', target])).toMatchObject({
      status: 1,
      complaints:
        '1 files have another content: web/shop/challenge.yaml. Nothing was written; --force overwrites them.',
    })
    expect(await readFile(document, 'utf8')).toBe('mine')
    await challenges(['export', target, '--force'])
    expect(await readFile(document, 'utf8')).toBe(text)
    await rm(join(target, 'web'), { recursive: true })
    await symlink(tmpdir(), join(target, 'web'))
    expect((await challenges(['export', target])).complaints).toContain('leads out of the folder')
  })
})

describe('in the formats of other tools', () => {
  const folders = {
    ctfcli: {
      'misc/paper/challenge.yml':
        'name: Paper Boat\ncategory: misc\nvalue: 100\nflags: ["pnt{x}"]\nfiles: [a.zip]\n',
      'misc/paper/a.zip': 'a',
    },
    rcds: {
      'pwn/teapot/challenge.yaml':
        'name: teapot\nauthor: kim\ndescription: Pour\nflag: pnt{tea}\nprovide: [tea]\n',
      'pwn/teapot/tea': 'elf',
    },
    konata: {
      'web/notes/kona.yaml':
        'challenges: [{ category: web, name: Notes, author: sam, flags: { rctf: "pnt{note}" }, attachments: [src], scoring: { initial_value: 300 } }]\n',
      'web/notes/src/app.js': 'app',
    },
  }
  const ids = { ctfcli: 'paper-boat', rcds: 'teapot', konata: '3db2dbe6761f8f21' }

  test.each(['ctfcli', 'rcds', 'konata'] as const)(
    'applies %s twice: the second time changes nothing',
    async (format) => {
      await write(folders[format])
      expect(await apply()).toMatchObject({
        status: 0,
        complaints: expect.not.stringContaining('error') as string,
      })
      const challenge = await stored(ids[format])
      expect(challenge).toMatchObject({ hidden: false, flags: [{ provider: 'flags/static' }] })
      expect(challenge?.files).toHaveLength(1)
      // The documents do not claim the visibility.
      await edit(ids[format], { hidden: true })
      expect(await apply()).toMatchObject({ status: 0, output: '0 changes' })
      expect(await plan()).toMatchObject({ status: 0, output: '0 changes' })
    },
  )

  test('an error that is allowed stops neither the challenge nor the check of the server', async () => {
    const document = 'name: Locked\nvalue: 1\nrequirements: [7]\nflags: [{ type: regex, content: "a" }]\n'
    await write({ 'web/locked/challenge.yml': document })
    expect(await apply()).toMatchObject({ status: 1 })
    expect(await apply('--allow', 'document')).toMatchObject({ status: 2 })
    expect(await stored('locked')).toBeUndefined()
    expect(await apply('--allow', 'requirements:locked')).toMatchObject({ status: 0 })
    expect(await stored('locked')).toBeDefined()
    await write({ 'misc/b/challenge.yaml': 'name: B\nflags: [{ kind: none, flag: x }]\n' })
    expect((await plan('--allow', 'requirements')).complaints).toContain('[server]')
  })

  test('applies prerequisites by name and waves, and shows their difference', async () => {
    await edit('ctfd-7', { name: 'By Name', hidden: false })
    await site.contest.call(createWave, { token: site.admin.token, body: { data: { name: 'Round 2' } } })
    await write({
      'misc/a/challenge.yml': 'name: A\nvalue: 1\nrequirements: [By Name, B]\n',
      'misc/b/challenge.yml': 'name: B\nvalue: 1\n',
      'misc/late/challenge.yaml': 'name: Late\nwave: Round 2\nprerequisites: [b]\nlockedShown: true\n',
    })
    expect(await apply()).toMatchObject({ status: 0 })
    expect(await stored('a')).toMatchObject({ prerequisites: ['ctfd-7', 'b'] })
    expect(await stored('late')).toMatchObject({
      prerequisites: ['b'],
      lockedShown: true,
      releaseTime: UNSCHEDULED,
    })
    expect(await apply()).toMatchObject({ status: 0, output: '0 changes' })

    await write({
      'misc/late/challenge.yaml': 'name: Late\nwave: null\nprerequisites: []\nlockedShown: true\n',
    })
    const { output } = await apply()
    expect(output).toContain('wave: "Round 2" → null')
    expect(output).toContain('prerequisites: ["b"] → []')
    expect(await stored('late')).toMatchObject({ hidden: true })

    await write({ 'misc/late/challenge.yaml': 'name: Late\nwave: Round 3\nprerequisites: [nowhere]\n' })
    const { complaints } = await plan()
    expect(complaints).toContain('challenge.yaml:2: error: wave: there is no wave named Round 3')
    expect(complaints).toContain('challenge.yaml:3: error: prerequisites: no such challenge: nowhere')
  })

  test('a prerequisite that nothing is named like is an error, unless the challenge may be open', async () => {
    await write({
      'misc/c/challenge.yml': 'name: C\nvalue: 1\nflags: [f]\nrequirements: [C, "12", D]\n',
      'misc/d/challenge.yml': 'name: D\nvalue: 1\nflags: [f]\n',
    })
    const { status, complaints } = await plan()
    expect(status).toBe(1)
    expect(complaints).toContain('challenge.yml:4: error: requirements: there is no challenge named 12')
    expect(await apply('--allow', 'requirements:c')).toMatchObject({ status: 0 })
    expect(await stored('c')).toMatchObject({ prerequisites: ['d'] })
  })

  test('finds the challenge of the site by its name, or by the older id', async () => {
    await edit('ctfd-7', { name: 'By Name', hidden: false })
    await edit('web_Old', { name: 'Old', category: 'web' })
    await write({
      'misc/named/challenge.yml': 'name: By Name\nvalue: 10\n',
      'web/old/kona.yaml': 'challenges: [{ category: web, name: Old, author: sam }]\n',
    })
    const { output } = await plan()
    expect(output).toContain('~ ctfd-7  misc/named/challenge.yml')
    expect(output).toContain('~ web_Old  web/old/kona.yaml')
    await edit('other', { name: 'By Name' })
    expect((await plan()).complaints).toContain(
      'the site has several challenges named By Name: ctfd-7, other',
    )
  })
})

describe('the site and the token', () => {
  test('a team that may only read can plan, and cannot apply', async () => {
    await write({ 'web/reader/challenge.yaml': 'name: Reader\n' })
    const reader = await site.contest.admin(permissions.challsRead)
    const env = { PENNANT_TOKEN: reader.token }
    const planned = await challenges(['plan', site.folder.path], env)
    expect(planned.status).toBe(3)
    expect(planned.complaints).toContain('warning: the token lacks challsWrite')
    const applied = await challenges(['apply', site.folder.path], env)
    expect(applied.status).toBe(1)
    expect(await stored('reader')).toBeUndefined()
  })

  test('says what is missing or wrong without repeating the token', async () => {
    const unset = await challenges(['plan', site.folder.path], { PENNANT_TOKEN: '' })
    expect(unset).toMatchObject({
      status: 1,
      complaints: expect.stringContaining('PENNANT_TOKEN_FILE') as string,
    })
    await write({ 'web/a/challenge.yaml': 'name: A\n', token: 'wrong-token\n' })
    const wrong = await challenges([
      'plan',
      site.folder.path,
      '--token-file',
      join(site.folder.path, 'token'),
    ])
    expect(wrong).toMatchObject({ status: 1, complaints: 'The token is not valid on this site.' })
    const gone = await challenges(['plan', site.folder.path, '--url', 'http://127.0.0.1:9'])
    expect(gone.complaints).toMatch(/^http:\/\/127\.0\.0\.1:9 did not respond: /)
    expect(gone.complaints).not.toContain(site.admin.token)
    expect((await challenges(['plan'])).status).toBe(2)
    expect((await challenges(['plan', join(site.folder.path, 'none')])).complaints).toContain(
      'there is no such folder',
    )
  })
})
