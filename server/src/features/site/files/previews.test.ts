import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { updateTeam } from '@pennant/contract/admin-teams.ts'
import { createPage } from '@pennant/contract/pages.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { isCrawler } from './previews.ts'

const PAGE = '<!doctype html><html><head><title>Pennant</title></head><body>x</body></html>'
const BOT = 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)'

let contest: Contest
let admin: Member
let siteDirectory: string

beforeAll(async () => {
  siteDirectory = await mkdtemp(join(tmpdir(), 'pennant-previews-'))
  await writeFile(join(siteDirectory, 'index.html'), PAGE)
  const now = Date.UTC(2030, 0, 1)
  const config = {
    origin: 'https://ctf.example',
    ctfName: 'Harbour <CTF>',
    startTime: now + HOUR_MS,
    endTime: now + 48 * HOUR_MS,
    meta: { description: 'Ships & "flags".', imageUrl: '/uploads/banner.png' },
  }
  contest = await startContest({ siteDirectory, startsAt: now, config })
  admin = await contest.admin()
})

afterAll(async () => {
  await contest[Symbol.asyncDispose]()
  await rm(siteDirectory, { recursive: true })
})

async function read(path: string, userAgent = BOT) {
  const response = await fetch(contest.url + path, { headers: { 'user-agent': userAgent } })
  const text = await response.text()
  const metas = [...text.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)">/g)]
  return { response, text, ...Object.fromEntries(metas.map(([, name, content]) => [name, content])) }
}

const put = (id: string, data: object) =>
  contest.call(putChallengeV2, {
    token: admin.token,
    params: { id },
    body: { data: { name: id, category: 'web', flag: 'flag{a}', hidden: false, ...data } },
  })

test('a link to the event shows its name, description and picture', async () => {
  for (const [path, title] of [
    ['/', ''],
    ['/scores', 'Scoreboard · '],
    ['/register', 'Register · '],
    ['/challenges/none', ''],
    ['/profile/none', ''],
    ['/pages/none', ''],
    ['/admin/teams', ''],
  ] as const) {
    const page = await read(path)
    expect(page).toMatchObject({
      description: 'Ships &amp; &quot;flags&quot;.',
      'og:site_name': 'Harbour &lt;CTF&gt;',
      'og:title': `${title}Harbour &lt;CTF&gt;`,
      'og:image': 'https://ctf.example/uploads/banner.png',
      'og:url': `https://ctf.example${path}`,
      'twitter:card': 'summary_large_image',
    })
    expect(page.text).toContain(`<title>${title}Harbour &lt;CTF&gt;</title>`)
    expect(page.text).toContain(`<link rel="canonical" href="https://ctf.example${path}">`)
    expect(page.response.headers.get('cache-control')).toBe('no-store')
    expect(page.response.headers.get('content-security-policy')).toContain("default-src 'none'")
  }
})

test('browsers get the page as it was built', async () => {
  const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'
  for (const path of ['/', '/challenges/none']) expect((await read(path, browser)).text).toBe(PAGE)
})

test('a challenge is named only when everyone may read it, a team unless it is banned', async () => {
  await put('"><script>', { name: '"><script>alert(1)</script>', author: 'kim' })
  await put('secret', { hidden: true })
  await put('locked', { prerequisites: ['"><script>'] })
  const path = `/challenges/${encodeURIComponent('"><script>')}`
  expect(await read(path)).toMatchObject({ 'og:title': 'Harbour &lt;CTF&gt;' })
  const team = await contest.team('Sailors')
  expect((await read(`/profile/${team.id}`)).text).not.toContain('Sailors')
  contest.clock.advance(2 * HOUR_MS)
  const shown = await read(path)
  expect(shown).toMatchObject({
    'og:title': '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; · Harbour &lt;CTF&gt;',
    'og:description': 'web · kim',
  })
  expect(shown.text).not.toContain('<script>')
  for (const id of ['secret', 'locked'])
    expect((await read(`/challenges/${id}`)).text).not.toContain(id === 'secret' ? '>secret' : '>locked')
  expect(await read(`/profile/${team.id}`)).toMatchObject({ 'og:title': 'Sailors · Harbour &lt;CTF&gt;' })
  await contest.call(updateTeam, {
    token: admin.token,
    params: { id: team.id },
    body: { data: { banned: true } },
  })
  expect((await read(`/profile/${team.id}`)).text).not.toContain('Sailors')
})

test('a page shows its title and the beginning of its text, unless it is a draft', async () => {
  const write = async (slug: string, published: boolean) => {
    const content = '# Rules\n\n- **Be** [kind](https://x.test)\u202e <b>to</b> "others"\n'.repeat(50)
    const data = { slug, published, texts: [{ language: 'en', title: `R&D ${slug}`, content }] }
    await contest.call(createPage, { token: admin.token, body: { data } })
    return await read(`/pages/${slug}`)
  }
  const page = await write('rules', true)
  expect(page).toMatchObject({ 'og:title': expect.stringMatching(/^R&amp;D rules · /) })
  const description = (page as unknown as Record<string, string>)['og:description'] ?? ''
  expect(description).toMatch(/^Rules Be kind to &quot;others&quot; Rules/)
  expect(description).not.toMatch(/\u202e/)
  expect(description.replaceAll(/&\w+;/g, '"').length).toBe(300)
  expect((await write('draft', false)).text).not.toContain('R&amp;D')
})

test('addresses are those of the site, whatever is asked', async () => {
  expect((await read('/scoreboard')).text).toContain('href="https://ctf.example/scores"')
  expect((await read('/status/')).text).toContain('href="https://ctf.example/status"')
  expect((await read('/x%22%3E%3Cscript%3E%3Fq')).text).toContain(
    'href="https://ctf.example/x%22%3E%3Cscript%3E%3Fq"',
  )
  expect((await read(`/${'a'.repeat(5000)}`)).text).toContain('href="https://ctf.example/"')
})

test('a name that organisers change is in the next preview', async () => {
  await contest.call(updateSettings, { token: admin.token, body: { data: { ctfName: 'Port CTF' } } })
  expect(await read('/')).toMatchObject({ 'og:title': 'Port CTF' })
})

test.each([
  ['Twitterbot/1.0', true],
  ['WhatsApp/2.23', true],
  ['facebookexternalhit/1.1', true],
  ['Slackbot-LinkExpanding 1.0', true],
  ['TelegramBot (like TwitterBot)', true],
  ['Mozilla/5.0 (compatible; Googlebot/2.1)', true],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', false],
  [undefined, false],
])('%s is a crawler: %s', (userAgent, expected) => {
  expect(isCrawler(userAgent)).toBe(expected)
})
