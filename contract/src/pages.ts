import { z } from 'zod'
import { Limit, Offset, UnixMs } from './fields.ts'
import { badPerms } from './replies.ts'
import { organiserRoute, reply, route } from './route.ts'

// Pages of the organisers, such as rules and privacy: docs/reference/pages.md

/**
 * Stored pages, characters of a title, of a text and of all texts of a page, languages of a page, earlier versions that are kept
 * of each, and teams in one response. Every process keeps the current texts in memory.
 */
export const pageLimits = {
  stored: 50,
  title: 100,
  content: 50_000,
  total: 200_000,
  languages: 8,
  versions: 100,
  teams: 200,
}

/** Addresses that the site may need below `/pages/`. */
const RESERVED = new Set(['admin', 'api', 'edit', 'index', 'new', 'preview'])

/** The part of the address after `/pages/`. */
export const PageSlug = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, { error: 'must be lower-case letters, digits and single hyphens' })
  .refine((slug) => !RESERVED.has(slug), { error: 'is reserved' })

/** A BCP 47 tag. */
export const PageLanguage = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,4}$/, { error: 'must be a language, such as en or pt-BR' })

/** Control characters, and those that change the direction of the text after them. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

const Title = z
  .string()
  .trim()
  .min(1)
  .max(pageLimits.title)
  .refine((title) => !UNPRINTABLE.test(title), { error: 'must not contain control characters' })

const PageText = z.object({
  language: PageLanguage,
  title: Title,
  content: z.string().max(pageLimits.content).describe('Markdown.'),
})

export const PagePlace = z.enum(['none', 'menu', 'footer'])

const Texts = z
  .array(PageText)
  .min(1)
  .max(pageLimits.languages)
  .refine((texts) => new Set(texts.map(({ language }) => language.toLowerCase())).size === texts.length, {
    error: 'must have one text for each language',
  })
  .refine((texts) => texts.reduce((sum, { content }) => sum + content.length, 0) <= pageLimits.total, {
    error: `must have at most ${pageLimits.total} characters in all languages`,
  })
  .describe('One text for each language; the first is shown to readers of other languages.')

const StoredText = z.object({ language: z.string(), title: z.string(), content: z.string() })

/** What menus and footers show of a published page. */
export const PageLink = z.object({
  slug: z.string(),
  place: PagePlace,
  version: z.int().describe('Increases with each edit.'),
  acceptVersion: z
    .int()
    .optional()
    .describe('Teams must accept this version or a later one before they play. Absent if they need not.'),
  titles: z.array(z.object({ language: z.string(), title: z.string() })),
})

export const Page = z.object({
  slug: z.string(),
  title: z.string(),
  content: z.string().describe('Markdown.'),
  language: z.string(),
  languages: z.array(z.string()),
  version: z.int(),
  editedAt: UnixMs,
})

const ToAccept = z.object({
  slug: PageSlug,
  version: z
    .int()
    .min(1)
    .max(2 ** 31 - 1),
})

const OwnAcceptance = z.object({
  slug: z.string(),
  version: z.int().describe('The current version.'),
  acceptVersion: z.int().describe('The earliest version that counts.'),
  accepted: z
    .object({ version: z.int(), at: UnixMs })
    .nullable()
    .describe('The latest version that the team accepted.'),
})

const stored = {
  slug: z.string(),
  place: PagePlace,
  published: z.boolean(),
  mustAccept: z.boolean(),
  acceptVersion: z.int().nullable(),
  version: z.int(),
}

export const AdminPage = z.object({
  id: z.string(),
  ...stored,
  texts: z.array(StoredText),
  createdAt: UnixMs,
  editedAt: UnixMs,
})

const PageHead = AdminPage.omit({ texts: true }).extend({
  titles: PageLink.shape.titles,
  accepted: z.int().nullable().describe('Teams whose acceptance counts; null if none must accept it.'),
})

export const PageVersion = z.object({
  version: z.int(),
  savedAt: UnixMs,
  savedBy: z.string().nullable().describe('The team that saved it.'),
  savedByName: z.string().nullable().describe('Null if that account was deleted.'),
})

export const PageAcceptance = z.object({
  teamId: z.string(),
  teamName: z.string(),
  version: z.int().nullable().describe('The latest version that the team accepted; null for none.'),
  acceptedAt: UnixMs.nullable(),
  personId: z.string().nullable().describe('The person of the team that accepted it, if known.'),
  counts: z.boolean().describe('Whether the version is recent enough.'),
})

export const goodPage = reply(200, 'goodPage', 'The page.', Page)
export const goodPageAcceptances = reply(
  200,
  'goodPageAcceptances',
  'Pages that teams must accept.',
  z.object({ pages: z.array(OwnAcceptance) }),
)
export const goodAdminPages = reply(
  200,
  'goodAdminPages',
  'Pages.',
  z.object({ pages: z.array(PageHead), teams: z.int().describe('Teams that must accept pages.') }),
)
export const goodAdminPage = reply(
  200,
  'goodAdminPage',
  'The page.',
  z.object({ page: AdminPage, versions: z.array(PageVersion) }),
)
export const goodPageVersion = reply(
  200,
  'goodPageVersion',
  'The version.',
  PageVersion.extend({ ...stored, texts: z.array(StoredText) }),
)
export const goodPageUpdate = reply(
  200,
  'goodPageUpdate',
  'The page was saved.',
  z.object({ page: AdminPage }),
)
export const goodPageDelete = reply(200, 'goodPageDelete', 'The page was deleted.')
export const goodPageOrder = reply(200, 'goodPageOrder', 'The order was saved.')
export const goodPageTeams = reply(
  200,
  'goodPageTeams',
  'Teams, and which version they accepted.',
  z.object({ teams: z.array(PageAcceptance), total: z.int() }),
)
export const badPage = reply(404, 'badPage', 'No such page.')
export const badPageVersion = reply(
  409,
  'badPageVersion',
  'The page has another version now.',
  z.object({ version: z.int() }),
)
export const badPageAddress = reply(409, 'badPageAddress', 'Another page has this address.')
export const badPageCount = reply(
  409,
  'badPageCount',
  'There are too many pages. Delete old ones first.',
  z.object({ max: z.int() }),
)
export const badPageOrder = reply(409, 'badPageOrder', 'The list of pages has changed. Load it again.')

export const readPage = route({
  method: 'GET',
  path: '/api/v2/pages/:slug',
  summary: 'A published page, in a language that it has.',
  auth: 'public',
  shows: [],
  params: z.object({ slug: z.string().min(1).max(64) }),
  query: z.object({
    language: PageLanguage.optional().describe('The preferred language; without it, the default.'),
  }),
  limits: [],
  replies: [goodPage, badPage],
})

const own = {
  path: '/api/v2/users/me/pages',
  auth: 'required',
  replies: [goodPageAcceptances],
} as const

export const listOwnAcceptances = route({
  ...own,
  shows: [],
  method: 'GET',
  summary: 'The pages that teams must accept, and what the own team accepted.',
  scope: 'read',
  limits: [],
})

export const acceptPages = route({
  ...own,
  method: 'POST',
  summary: 'Accepts pages for the own team, in the version that was read.',
  scope: null,
  body: z.object({ pages: z.array(ToAccept).min(1).max(pageLimits.stored) }),
  limits: ['teamWrites'],
  replies: [goodPageAcceptances, badPerms, badPage, badPageVersion],
})

const admin = { path: '/api/v2/admin/pages', auth: 'required', perms: ['settingsWrite'] } as const
const one = {
  ...admin,
  path: '/api/v2/admin/pages/:id',
  params: z.object({ id: z.string().min(1).max(64) }),
} as const
const write = { bodyCap: 'admin', limits: ['organiserCalls'] } as const

export const listAdminPages = organiserRoute({
  ...admin,
  method: 'GET',
  scope: 'organise:read',
  summary: 'All pages in their order, without their texts.',
  replies: [goodAdminPages],
})

export const readAdminPage = organiserRoute({
  ...one,
  method: 'GET',
  scope: 'organise:read',
  summary: 'A page with all texts, and its versions, newest first.',
  replies: [goodAdminPage, badPage],
})

export const readPageVersion = organiserRoute({
  ...one,
  path: '/api/v2/admin/pages/:id/versions/:version',
  method: 'GET',
  scope: 'organise:read',
  summary: 'One version of a page.',
  params: z.object({
    id: z.string().min(1).max(64),
    version: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, { error: 'must be a version' })
      .transform(Number)
      .meta({ type: 'integer', minimum: 1 }),
  }),
  replies: [goodPageVersion, badPage],
})

export const createPage = route({
  ...admin,
  ...write,
  method: 'POST',
  scope: 'settings:write',
  summary: 'Creates a page, at the end of the list.',
  body: z.object({
    data: z.object({
      slug: PageSlug,
      place: PagePlace.default('footer'),
      published: z.boolean().default(false),
      mustAccept: z.boolean().default(false),
      texts: Texts,
    }),
  }),
  replies: [goodPageUpdate, badPageAddress, badPageCount],
})

export const updatePage = route({
  ...one,
  ...write,
  method: 'PUT',
  scope: 'settings:write',
  summary: 'Changes the fields that are sent and keeps the earlier version.',
  body: z.object({
    data: z.object({
      version: z
        .int()
        .min(1)
        .max(2 ** 31 - 1)
        .describe('The version that was edited.'),
      slug: PageSlug.optional(),
      place: PagePlace.optional(),
      published: z.boolean().optional(),
      mustAccept: z.boolean().optional(),
      material: z
        .boolean()
        .optional()
        .describe('Teams must accept the new version, even if they accepted an earlier one.'),
      texts: Texts.optional(),
    }),
  }),
  replies: [goodPageUpdate, badPage, badPageVersion, badPageAddress],
})

export const deletePage = organiserRoute({
  ...one,
  method: 'DELETE',
  scope: 'settings:write',
  summary: 'Deletes a page, its versions and the acceptances of teams.',
  replies: [goodPageDelete, badPage],
})

export const orderPages = route({
  ...admin,
  ...write,
  path: '/api/v2/admin/page-order',
  method: 'PUT',
  scope: 'settings:write',
  summary: 'Sets the order of all pages in menus and lists.',
  body: z.object({ ids: z.array(z.string().min(1).max(64)).max(pageLimits.stored) }),
  replies: [goodPageOrder, badPageOrder],
})

export const listPageAcceptances = organiserRoute({
  ...one,
  path: '/api/v2/admin/pages/:id/acceptances',
  method: 'GET',
  scope: 'organise:read',
  summary: 'All teams by name, and which version of the page they accepted.',
  query: z.object({
    limit: Limit.refine((limit) => limit <= pageLimits.teams, {
      error: `must be at most ${pageLimits.teams}`,
    }).meta({ type: 'integer', minimum: 1, maximum: pageLimits.teams }),
    offset: Offset,
  }),
  replies: [goodPageTeams, badPage],
})

export const pageRouteList = [
  readPage,
  listOwnAcceptances,
  acceptPages,
  listAdminPages,
  readAdminPage,
  readPageVersion,
  createPage,
  updatePage,
  deletePage,
  orderPages,
  listPageAcceptances,
] as const
