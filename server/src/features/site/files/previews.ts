import { escapeHtml } from '../../../lib/escape-html.ts'
import type { WorldView } from '../../../world/model.ts'
import { isOpenFor } from '../../contest/challenges/visible.ts'
import { isIn } from '../../contest/visibility/rules.ts'
import { isOpenToEveryone, type Seen, type Visibility } from '../../contest/visibility/visibility.ts'
import { findPublished, textFor } from '../pages/rules.ts'
import { effectiveSettings, type EventSettings } from '../settings/rules.ts'
import { TITLES } from './page-texts.ts'
import { plainExcerpt, plainLine } from './plain-excerpt.ts'

// What chats and search engines show for a link. Browsers get the index page without it, which is prepared once.

export interface PreviewSource {
  readonly visibility: Visibility
  readonly defaults: EventSettings
  /** Public URL of the site, without a trailing slash. */
  readonly origin: string
  readonly now: () => number
}

/** What is special about a page of the site. The event fills in the rest. */
interface Preview {
  readonly title?: string
  readonly description?: string
  /** An absolute URL or a path of the site. */
  readonly image?: string
}

const CRAWLER =
  /bot\b|crawler|spider|preview|embed|facebookexternalhit|whatsapp|telegram|slack|discord|skype|mastodon|pleroma|akkoma|misskey|synapse|iframely|mattermost|rocket\.chat|zulip|google-/i
const MAX_DESCRIPTION = 300
/** Of names. Titles of chats are shorter. */
const MAX_TITLE = 200
/** Longer paths lead to no page of the site. */
const MAX_PATH = 1024

/** Paths that the site redirects. */
const ALIASES: readonly (readonly [RegExp, string])[] = [
  [/^\/scoreboard$/, '/scores'],
  [/^\/teams\/(?=[^/]+$)/, '/profile/'],
]

/** Whether the program asks for pages to show links to them. */
export function isCrawler(userAgent: string | undefined): boolean {
  return userAgent !== undefined && CRAWLER.test(userAgent)
}

/** The index page with the title, description and image of what is at a path. Without trailing slash, except for `/`. */
export function withPreview(page: string, path: string, source: PreviewSource): string {
  const { origin } = source
  const known = canonicalOf(path)
  const seen = source.visibility.seenBy(null)
  const event = effectiveSettings(source.defaults, seen.world.settings)
  const meta = isOpenToEveryone(source.visibility, 'home') ? event.meta : { description: '', imageUrl: '' }
  const own = previewOf(known, event, { ...source, seen })
  const name = plainLine(event.ctfName, MAX_TITLE)
  const title = own.title === undefined ? name : `${plainLine(own.title, MAX_TITLE)} · ${name}`
  const description = plainLine(own.description || meta.description, MAX_DESCRIPTION)
  const url = origin + known.split('/').map(encodeURIComponent).join('/')
  const image = imageOf(own.image ?? meta.imageUrl, origin)
  const properties = {
    'og:type': 'website',
    'og:site_name': name,
    'og:title': title,
    'og:description': description,
    'og:url': url,
    ...(image !== null && { 'og:image': image }),
  }
  const isLarge = image !== null && own.image === undefined
  const tags = [
    `<link rel="canonical" href="${escapeHtml(url)}">`,
    `<meta name="description" content="${escapeHtml(description)}">`,
    ...Object.entries(properties).map(
      ([key, value]) => `<meta property="${key}" content="${escapeHtml(value)}">`,
    ),
    `<meta name="twitter:card" content="${isLarge ? 'summary_large_image' : 'summary'}">`,
  ]
  return page
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
    .replace('</head>', () => `${tags.join('\n')}\n</head>`)
}

function canonicalOf(path: string): string {
  if (path.length > MAX_PATH) return '/'
  const bare = path.replace(/(?<=.)\/+$/, '')
  return ALIASES.reduce((text, [alias, to]) => text.replace(alias, to), bare)
}

/** Crawlers fetch pictures themselves, so it has an address. */
function imageOf(image: string, origin: string): string | null {
  if (image === '' || !URL.canParse(image, `${origin}/`)) return null
  const { href, protocol } = new URL(image, `${origin}/`)
  return /^https?:$/.test(protocol) ? href : null
}

/** Only what everyone may read without signing in: the gates of the same reads of the API. */
function previewOf(
  path: string,
  { startTime }: EventSettings,
  { seen, now }: Pick<PreviewSource, 'now'> & { readonly seen: Seen },
): Preview {
  const [, kind = '', id = ''] = /^\/(challenges|profile|pages)\/([^/]+)$/.exec(path) ?? []
  const { world: view } = seen
  if (kind === 'pages') return pagePreview(view, id)
  if (kind === '') return Object.hasOwn(TITLES, path) ? { title: TITLES[path] ?? '' } : {}
  if (now() < startTime) return {}
  return kind === 'challenges' ? challengePreview(view, id) : teamPreview(seen, id)
}

function pagePreview(view: WorldView, slug: string): Preview {
  const page = findPublished(view, slug)
  if (!page) return {}
  const { title, content } = textFor(page, undefined)
  return { title, description: plainExcerpt(content, MAX_DESCRIPTION) }
}

function challengePreview(view: WorldView, id: string): Preview {
  const challenge = view.challenge(id)
  if (!challenge?.isPublic || !isOpenFor(view, challenge, null)) return {}
  const { name, category, author } = challenge
  return { title: name, description: [category, author].filter(Boolean).join(' · ') }
}

function teamPreview({ world, extent }: Seen, id: string): Preview {
  const team = world.team(id)
  if (!team || team.banned || !isIn(extent.profiles, team.division)) return {}
  const { name, avatarUrl } = team
  return { title: name, ...(avatarUrl !== null && { image: avatarUrl }) }
}
