import { escapeHtml } from '../../../lib/escape-html.ts'
import { cut } from '../../../lib/cut.ts'
import type { WorldView } from '../../../world/model.ts'
import { isOpenFor } from '../../contest/challenges/visible.ts'
import { effectiveSettings, type EventSettings } from '../settings/rules.ts'

// What chats and search engines show for a link. Browsers get the index page without it, which is prepared once.

export interface PreviewSource {
  /** What participants see. */
  readonly world: () => WorldView
  readonly defaults: EventSettings
  /** Public URL of the site, without a trailing slash. */
  readonly origin: string
  readonly now: () => number
}

interface Preview {
  readonly title: string
  readonly description: string
  /** An absolute URL or a path of the site; empty for none. */
  readonly image: string
  readonly isLarge: boolean
}

const CRAWLER =
  /bot\b|crawler|spider|preview|embed|facebookexternalhit|whatsapp|telegram|slack|discord|skype|mastodon|pleroma|synapse/i
const MAX_DESCRIPTION = 300

/** Whether the program asks for pages to show links to them. */
export function isCrawler(userAgent: string | undefined): boolean {
  return userAgent !== undefined && CRAWLER.test(userAgent)
}

/** The index page with the title, description and image of what is at a path. */
export function withPreview(page: string, path: string, source: PreviewSource): string {
  const { title, description, image, isLarge } = previewOf(path, source)
  const { origin } = source
  const properties = {
    'og:type': 'website',
    'og:title': title,
    'og:description': description,
    'og:url': origin + encodeURI(path),
    ...(image && URL.canParse(image, `${origin}/`) && { 'og:image': new URL(image, `${origin}/`).href }),
    'twitter:card': isLarge ? 'summary_large_image' : 'summary',
  }
  const tags = Object.entries(properties).map(
    ([name, value]) => `<meta property="${name}" content="${escapeHtml(value)}">`,
  )
  const described = `<meta name="description" content="${escapeHtml(description)}">`
  return page
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
    .replace('</head>', () => `${[described, ...tags].join('\n')}\n</head>`)
}

/** Of a challenge or team only what everyone may read without signing in. */
function previewOf(path: string, { world, defaults, now }: PreviewSource): Preview {
  const view = world()
  const event = effectiveSettings(defaults, view.settings)
  const { description, imageUrl } = event.meta
  const whole = { title: event.ctfName, description: cut(description, MAX_DESCRIPTION), image: imageUrl }
  const [, kind, id = ''] = /^\/(challenges|profile)\/([^/]+)$/.exec(path) ?? []
  if (kind === 'challenges' && now() >= event.startTime) {
    const challenge = view.challenge(id)
    if (challenge?.isPublic && isOpenFor(view, challenge, null))
      return {
        ...whole,
        title: `${challenge.name} · ${event.ctfName}`,
        description: [challenge.category, challenge.author].filter(Boolean).join(' · '),
        isLarge: imageUrl !== '',
      }
  }
  const team = kind === 'profile' ? view.team(id) : undefined
  if (team && !team.banned)
    return {
      ...whole,
      title: `${team.name} · ${event.ctfName}`,
      image: team.avatarUrl ?? imageUrl,
      isLarge: team.avatarUrl === null && imageUrl !== '',
    }
  return { ...whole, isLarge: imageUrl !== '' }
}
