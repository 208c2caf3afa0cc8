import { allRoutes } from '@pennant/contract/all.ts'
import { updateAvatar } from '@pennant/contract/avatars.ts'
import { updateProfileV2 } from '@pennant/contract/teams.ts'
import { addressWith, readRoutes } from '../addresses.ts'
import type { Check, Report } from '../check.ts'
import type { Fixture } from '../fixture.ts'
import { redirectPaths, xssPayloads } from '../payloads.ts'
import { TEAM_PREFIX } from '../teams.ts'
import type { Reply } from '../wire.ts'

/** Payloads of the corpus call this function; nothing else contains its name. */
const MARK = 'zqxss('

const PAGES = ['/', '/challs', '/scores', '/profile/', '/no/such/page', '/verify?token=']

export const pageChecks: readonly Check[] = [
  {
    name: 'stored-markup',
    category: 'S4',
    about: 'Markup in names, descriptions and other texts is never sent as HTML.',
    advice: 'Report it as a vulnerability. Check whether the proxy or a CDN changes media types or headers.',
    run: crawlMarkup,
  },
  {
    name: 'page-headers',
    category: 'S4',
    about: 'Pages have a content security policy without unsafe sources, and cannot be framed.',
    advice: "Pass the server's own headers through the proxy unchanged (docs/operate/site.md).",
    async run({ wire }, report) {
      const reply = await wire.send({ path: '/' })
      if (!isHtml(reply)) return report.note('this server has no site, only the API')
      const policy = String(reply.headers['content-security-policy'] ?? '')
      const finding = (found: string) => report.finding({ path: '/' }, 'anonymous', found)
      if (!/(?:default|script)-src/.test(policy)) finding('there is no content security policy')
      if (/'unsafe-(?:inline|eval)'/.test(policy)) finding(`the policy allows unsafe sources: ${policy}`)
      if (!policy.includes("frame-ancestors 'none'")) finding('the policy lets other sites frame the page')
      if (wire.url.protocol === 'https:' && !reply.headers['strict-transport-security'])
        report.note('there is no Strict-Transport-Security header')
    },
  },
  {
    name: 'link-previews',
    category: 'S4',
    about:
      'Pages for crawlers contain texts of players and organisers as text only, and no draft, hidden or unreleased title.',
    advice: 'Report it as a vulnerability.',
    run: readPreviews,
  },
  {
    name: 'redirects',
    category: 'S5',
    about: 'No path of the site redirects to another site.',
    advice: 'Look for a redirect in the configuration of the proxy; otherwise report it as a vulnerability.',
    async run({ wire }, report) {
      for (const path of redirectPaths) {
        const { status, headers } = await wire.send({ path, headers: { 'x-forwarded-host': 'evil.example' } })
        const location = String(headers.location ?? headers['refresh'] ?? '')
        const leads = status >= 300 && status < 400 && leadsAway(location, wire.url)
        if (!leads && !location.includes('evil.example')) continue
        report.finding({ path }, 'anonymous', `it redirects to ${location} (${status})`)
      }
    },
  },
  {
    name: 'cross-origin',
    category: 'S14',
    about:
      'No other site can act or read with the rights of a visitor: no cookies, no CORS, only bearer tokens.',
    advice: 'Remove cookies and CORS headers that the proxy adds; otherwise report it as a vulnerability.',
    run: crawlOrigins,
  },
]

function isHtml({ headers }: Reply): boolean {
  return headers['content-type']?.startsWith('text/html') ?? false
}

function leadsAway(location: string, base: URL): boolean {
  // Browsers treat a backslash as a slash.
  const target = location.replaceAll('\\', '/')
  return !URL.canParse(target, base.href) || new URL(target, base).hostname !== base.hostname
}

async function crawlMarkup(fixture: Fixture, report: Report): Promise<void> {
  const { wire, rival, ids, roles, run, pages } = fixture
  const { token, id } = rival.team
  for (const [index, payload] of xssPayloads.entries()) {
    const json = {
      name: `${TEAM_PREFIX}${payload}${run.slice(-6)}`.slice(0, 64),
      statusText: payload.slice(0, 60),
    }
    await wire.send({ method: 'PATCH', path: updateProfileV2.path, token, json })
    if (index > 0) continue
    const form = new FormData()
    form.append('avatar', new Blob([`<svg xmlns="http://www.w3.org/2000/svg" onload="${MARK})"/>`]), 'a.svg')
    const picture = await wire.send({ method: 'PATCH', path: updateAvatar.path, token, form })
    if (picture.kind === 'goodAvatarUpdated') report.finding(updateAvatar, rival, 'an SVG became an avatar')
  }
  const api = readRoutes.flatMap((route) =>
    [ids.open, id, pages.marked].map((place) => addressWith(route, place)),
  )
  const reflected = xssPayloads.flatMap((payload) => [`/api/${encodeURIComponent(payload)}`, `/${payload}`])
  const paths = [...new Set([...api, ...PAGES.map((page) => `${page}${page.endsWith('/') ? id : ''}`)])]
  for (const path of [...paths, ...reflected.map((each) => each.replaceAll(' ', '%20'))]) {
    for (const role of roles.filter(
      ({ name, perms }) => name === 'player' || name === 'anonymous' || perms > 0,
    )) {
      const found = problemOf(await wire.send({ path, token: role.team?.token }))
      if (found !== null) report.finding({ path }, role, found)
    }
  }
}

const CRAWLER = 'Twitterbot/1.0'

/** Crawlers get other HTML than browsers. */
async function readPreviews(fixture: Fixture, report: Report): Promise<void> {
  const { wire, ids, pages, rival, secrets } = fixture
  const places = [ids.open, ids.hidden, ids.future].map((id) => `/challenges/${id}`)
  const others = [pages.draft, pages.marked].map((slug) => `/pages/${slug}`)
  const odd = xssPayloads.map((payload) => `/${encodeURIComponent(payload)}`)
  for (const path of ['/', ...places, ...others, `/profile/${rival.team.id}`, ...odd]) {
    const { text } = await wire.send({ path, headers: { 'user-agent': CRAWLER } })
    const markup = xssPayloads.find((payload) => /[<"]/.test(payload) && text.includes(payload))
    if (markup !== undefined) report.finding({ path }, 'a crawler', `the page contains ${markup}`)
    for (const secret of secrets)
      if (text.includes(secret.text))
        report.finding({ path }, 'a crawler', `the page contains ${secret.label}`)
  }
}

/** Media types of downloads. */
const SAVED = /^(?:application\/(?:zip|x-ndjson|jsonl)|text\/csv)(?:;|$)/

function problemOf(reply: Reply): string | null {
  if (isHtml(reply))
    return reply.text.includes(MARK) ? 'an HTML page contains the text as it was written' : null
  if (!reply.text.includes(MARK)) return null
  const type = reply.headers['content-type'] ?? 'none'
  // Browsers save an archive with the texts of challenges, or a log, and never show it.
  const isSaved = SAVED.test(type) && reply.headers['content-disposition']?.startsWith('attachment')
  if (!isSaved && !/^(?:application\/json|text\/plain)/.test(type))
    return `the text is sent with the media type ${type}`
  return reply.headers['x-content-type-options'] === 'nosniff' ? null : 'nosniff is missing'
}

async function crawlOrigins({ wire, admin, ids }: Fixture, report: Report): Promise<void> {
  const { token } = admin.team
  const headers = { origin: 'https://evil.example' }
  for (const route of allRoutes) {
    const path = addressWith(route, ids.absent)
    const finding = (found: string) => report.finding({ method: route.method, path }, 'another site', found)
    const preflight = await wire.send({
      method: 'OPTIONS',
      path,
      headers: { ...headers, 'access-control-request-method': route.method },
    })
    const replies =
      route.method === 'GET' ? [preflight, await wire.send({ path, headers, token })] : [preflight]
    for (const reply of replies) {
      const names = Object.keys(reply.headers).filter((name) => /^(?:set-cookie|access-control-)/.test(name))
      if (names.length > 0) finding(`the response has ${names.join(', ')}`)
    }
    if (route.auth !== 'required' || route.method !== 'GET') continue
    const value = encodeURIComponent(token)
    const cookie = ['token', 'authToken', 'auth', 'session'].map((name) => `${name}=${value}`).join('; ')
    const ambient = await wire.send({ path, headers: { ...headers, cookie, 'x-auth-token': token } })
    if (ambient.kind !== 'badToken') finding(`a token in a cookie was accepted (${ambient.kind})`)
  }
}
