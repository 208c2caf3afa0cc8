import { AGENT_PATH } from '@pennant/contract/agents.ts'
import { getOpenApi } from '@pennant/contract/health.ts'
import { limits } from '@pennant/contract/limits.ts'
import { pageRows } from '../pages/rows.ts'
import { textFor } from '../pages/rules.ts'
import { effectiveSettings } from '../settings/rules.ts'
import { plainLine } from './plain-excerpt.ts'
import type { PreviewSource } from './previews.ts'
import type { TextFile } from './text-file.ts'

const MAX_NAME = 200

/** What tells an agent the rules of this event and where its door is: docs/reference/agents.md#how-an-agent-finds-them */
export function agentFiles(source: PreviewSource): ReadonlyMap<string, TextFile> {
  return new Map<string, TextFile>([
    ['/llms.txt', { type: 'text/plain; charset=utf-8', text: () => llmsTxt(source) }],
    ['/.well-known/api-catalog', { type: 'application/linkset+json', text: () => apiCatalog(source) }],
  ])
}

/** See https://llmstxt.org */
function llmsTxt({ origin, defaults, visibility }: PreviewSource): string {
  const { world } = visibility.seenBy(null)
  const { ctfName } = effectiveSettings(defaults, world.settings)
  const pages = world
    .rows(pageRows)
    .filter(({ published }) => published)
    .map((page) => {
      const title = plainLine(textFor(page, undefined).title, MAX_NAME).replaceAll(/[[\]]/g, '')
      return `- [${title}](${origin}/api/v2/pages/${encodeURIComponent(page.slug)}): Markdown in JSON`
    })
  const { burst, windowMs } = limits.apiTokenCalls
  return [
    `# ${plainLine(ctfName, MAX_NAME)}`,
    '',
    '> A capture-the-flag event. Whether and how agents may take part is for its organisers to say: read their pages first, and do what they say.',
    '',
    '## Rules',
    '',
    ...(pages.length === 0
      ? ['- The organisers have published no pages. Ask them before an agent takes part.']
      : pages),
    '',
    '## Doors for programs',
    '',
    `- [Model Context Protocol](${origin}${AGENT_PATH}): streamable HTTP, with \`Authorization: Bearer\` and an API token`,
    `- [API](${origin}${getOpenApi.path}): OpenAPI description; each route names the scope that it needs`,
    `- [API tokens](${origin}/settings): a member of the team makes one, with scopes and an expiry`,
    '',
    `A token may make ${burst} requests in ${windowMs / 1000} seconds. A refusal with \`timeLeft\` (milliseconds) says when to come back. Do not read the site instead: these doors are faster, and the organisers see who plays.`,
    '',
  ].join('\n')
}

/** RFC 9727. */
function apiCatalog({ origin }: PreviewSource): string {
  const description = { href: `${origin}${getOpenApi.path}`, type: 'application/openapi+json' }
  const linkset = [
    {
      anchor: `${origin}/api/v2`,
      'service-desc': [description],
      'service-doc': [{ href: `${origin}/api-docs/` }],
    },
    { anchor: `${origin}${AGENT_PATH}`, 'service-doc': [{ href: `${origin}/llms.txt` }] },
  ]
  return JSON.stringify({ linkset })
}
