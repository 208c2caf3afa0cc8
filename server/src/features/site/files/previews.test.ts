import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { updateTeam } from '@pennant/contract/admin-teams.ts'
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
  for (const path of ['/', '/scores', '/challenges/none', '/profile/none']) {
    const page = await read(path)
    expect(page).toMatchObject({
      description: 'Ships &amp; &quot;flags&quot;.',
      'og:title': 'Harbour &lt;CTF&gt;',
      'og:image': 'https://ctf.example/uploads/banner.png',
      'og:url': `https://ctf.example${path}`,
      'twitter:card': 'summary_large_image',
    })
    expect(page.text).toContain('<title>Harbour &lt;CTF&gt;</title>')
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
  contest.clock.advance(2 * HOUR_MS)
  const shown = await read(path)
  expect(shown).toMatchObject({
    'og:title': '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; · Harbour &lt;CTF&gt;',
    'og:description': 'web · kim',
  })
  expect(shown.text).not.toContain('<script>')
  for (const id of ['secret', 'locked'])
    expect((await read(`/challenges/${id}`)).text).not.toContain(id === 'secret' ? '>secret' : '>locked')
  const team = await contest.team('Sailors')
  expect(await read(`/profile/${team.id}`)).toMatchObject({ 'og:title': 'Sailors · Harbour &lt;CTF&gt;' })
  await contest.call(updateTeam, {
    token: admin.token,
    params: { id: team.id },
    body: { data: { banned: true } },
  })
  expect((await read(`/profile/${team.id}`)).text).not.toContain('Sailors')
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
